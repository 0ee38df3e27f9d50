import EventModel
import KeyRemapping

/// The short way to compare a pair: on the text of both payloads, without building either.
///
/// Two scalars of the same text are equal, so only what differs, or is converted on its way, is read. Anything out of the
/// ordinary (nesting, escapes in keys, a clash, text that is not JSON) sends the pair the long way, so this way never has
/// to decide what such things mean.
///
/// A class: it changes with every pair, and a struct inside an optional would be copied out and in again for it.
final class FlatComparer {
  /// What the table does with a key of the old payload.
  private enum Action {
    case drop
    case move(place: Int, ValueRule?)
  }

  /// Where a field's text lies in both lines.
  private struct Field {
    var expected: Range<Int>?
    var actual: Range<Int>?
    var rule: ValueRule?
  }

  private let rows: [String: RemappingRow]
  private let keepsUnmapped: Bool
  private var oldKeys = KeyNumbers()
  private var newKeys = KeyNumbers()
  /// By the number of the old key.
  private var actions: [Action] = []
  /// By the number of the new key.
  private var newPlaces: [Int] = []
  /// The fields of the current pair by their place in the tally; empty between pairs.
  private var fields: [Field] = []
  private var touched: [Int] = []
  private var outcomes: [FieldOutcome] = []

  /// `nil` if the rule is about more than keys at the top.
  init?(_ rule: EventRule) {
    guard rule.constants.isEmpty, rule.clashPolicy == .mapped else { return nil }
    var rows: [String: RemappingRow] = [:]
    for row in rule.rows {
      guard let source = row.source.onlyKey, row.fallback == nil else { return nil }
      if let target = row.target, target.onlyKey == nil { return nil }
      rows[source] = row
    }
    self.rows = rows
    keepsUnmapped = rule.unmapped != .drop
  }

  /// Counts the fields of a pair; `false` if it has to go the long way, with nothing counted.
  ///
  /// - Parameter id: what to call the pair; asked for only if it differs.
  func compare(
    old: EventLine, new: EventLine, into tally: inout FieldTally, id: () -> String
  ) -> Bool {
    defer { forgetPair() }
    guard placeOld(old, &tally), placeNew(new, &tally) else { return false }
    for place in touched {
      guard let outcome = outcome(of: fields[place], old, new) else { return false }
      outcomes.append(outcome)
    }
    tally.begin(id: outcomes.contains(where: \.isMismatch) ? id() : "")
    for (place, outcome) in zip(touched, outcomes) { tally.record(outcome, at: place) }
    return true
  }

  private func forgetPair() {
    for place in touched { fields[place] = Field() }
    touched.removeAll(keepingCapacity: true)
    outcomes.removeAll(keepingCapacity: true)
  }

  private func placeOld(_ line: EventLine, _ tally: inout FieldTally) -> Bool {
    oldKeys.begin()
    return line.forEachMember { key, value, position in
      let action: Action
      switch oldKeys.number(of: key, at: position) {
      case .unusable: return false
      case .known(let number): action = actions[number]
      case .new(let text):
        action = self.action(for: text, &tally)
        oldKeys.learn(text, number: actions.count, at: position)
        actions.append(action)
      }
      guard case .move(let place, let rule) = action else { return true }
      touch(place)
      // Two values for one place: a clash, or fields that are no longer told apart.
      guard fields[place].expected == nil else { return false }
      fields[place].expected = value
      fields[place].rule = rule
      return true
    }
  }

  private func placeNew(_ line: EventLine, _ tally: inout FieldTally) -> Bool {
    newKeys.begin()
    return line.forEachMember { key, value, position in
      let place: Int
      switch newKeys.number(of: key, at: position) {
      case .unusable: return false
      case .known(let number): place = newPlaces[number]
      case .new(let text):
        place = tally.member(text, of: tally.root)
        newKeys.learn(text, number: newPlaces.count, at: position)
        newPlaces.append(place)
      }
      touch(place)
      guard fields[place].actual == nil else { return false }
      fields[place].actual = value
      return true
    }
  }

  private func action(for key: String, _ tally: inout FieldTally) -> Action {
    guard let row = rows[key] else {
      return keepsUnmapped ? .move(place: tally.member(key, of: tally.root), nil) : .drop
    }
    guard case .move(let target, let rule) = row.action, let name = target.onlyKey else { return .drop }
    return .move(place: tally.member(name, of: tally.root), rule)
  }

  private func touch(_ place: Int) {
    while fields.count <= place { fields.append(Field()) }
    if fields[place].expected == nil, fields[place].actual == nil { touched.append(place) }
  }

  /// `nil` if a value is a container or no JSON.
  private func outcome(of field: Field, _ old: EventLine, _ new: EventLine) -> FieldOutcome? {
    guard let expected = field.expected else {
      return field.actual.flatMap { new.scalar($0) }.map { _ in .extra }
    }
    if let actual = field.actual, field.rule == nil, old.hasPlainText(expected),
      old.bytes[expected].elementsEqual(new.bytes[actual])
    {
      return .equal
    }
    guard var value = old.scalar(expected) else { return nil }
    if let rule = field.rule { value = rule.apply(to: value).value }
    guard let actual = field.actual else { return .missing }
    return new.scalar(actual).map { FieldOutcome(expected: value, actual: $0) }
  }
}

extension EventLine {
  /// Calls `body` with key, value and position of each member of the event's values until it says `false`.
  ///
  /// - Returns: whether there was nothing wrong to the end.
  fileprivate func forEachMember(_ body: (Slice<UnsafeBufferPointer<UInt8>>, Range<Int>, Int) -> Bool) -> Bool {
    guard let range = places.values.range else { return true }
    var scanner = MemberScanner(bytes: bytes, range: range)
    guard scanner.open() else { return false }
    var position = 0
    while let member = scanner.next() {
      guard body(bytes[member.key], member.value, position) else { return false }
      position += 1
    }
    return scanner.isComplete
  }

  /// The value, if it is JSON and no container.
  fileprivate func scalar(_ range: Range<Int>) -> EventValue? {
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): nil
    default: value(range)
    }
  }
}
