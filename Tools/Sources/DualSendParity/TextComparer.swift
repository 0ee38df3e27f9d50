@_spi(Tools) import DualSendRemapping

/// The short way to compare a pair: on the text of both payloads, without building either.
///
/// Two scalars of the same text are equal, so only what differs, or is converted on its way, is read. Anything out of the
/// ordinary (arrays, empty objects, escapes in keys, a clash, an object on one side only, text that is not JSON) sends the
/// pair the long way, so this way never has to decide what such things mean.
///
/// A class around a value: each access to a class's property is checked, so there is one for each pair and not one for
/// each field.
final class TextComparer {
  private var comparison: TextComparison

  /// `nil` if the rule does more than moving, converting and adding scalars.
  init?(_ rule: EventRule) {
    guard let expected = ExpectedTexts(rule) else { return nil }
    comparison = TextComparison(expected: expected)
  }

  /// Counts the fields of a pair; `false` if it has to go the long way, with nothing counted.
  ///
  /// - Parameter id: what to call the pair; asked for only if it differs.
  func compare(old: EventLine, new: EventLine, into tally: inout FieldTally, id: () -> String) -> Bool {
    comparison.compare(old: old, new: new, into: &tally, id: id)
  }
}

private struct TextComparison {
  private var expected: ExpectedTexts
  private var actual = ActualTexts()
  private var pair = TextPair()
  private var outcomes: [FieldOutcome] = []

  init(expected: ExpectedTexts) {
    self.expected = expected
  }

  mutating func compare(old: EventLine, new: EventLine, into tally: inout FieldTally, id: () -> String) -> Bool {
    pair.begin()
    guard expected.place(old, in: &pair, &tally), actual.place(new, in: &pair, &tally),
      pair.hasSameObjectsOnBothSides
    else { return false }

    outcomes.removeAll(keepingCapacity: true)
    for place in pair.touchedFields {
      guard let outcome = expected.outcome(of: pair.fields[place], old, new) else { return false }
      outcomes.append(outcome)
    }
    tally.begin(id: outcomes.contains(where: \.isMismatch) ? id() : "")
    for (place, outcome) in zip(pair.touchedFields, outcomes) { tally.record(outcome, at: place) }
    return true
  }
}
