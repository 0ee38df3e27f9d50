import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// Counts one event's pairs and unpaired lines.
final class EventTally {
  private var parity: EventParity
  private var fields = FieldTally()
  /// In the order of ``ParityExamples/all``.
  private var examples = [SmallestTexts](repeating: SmallestTexts(), count: ParityExamples.all.count)
  /// The new name as JSON text.
  private let newName: [UInt8]
  private var equalPairs = EqualPairs()
  private static let countsWithExamples = ParityExamples.all.reduce(into: [] as MatchVerdict) { all, list in
    list.counts.forEach { all.insert($0) }
  }

  var name: String { parity.name }

  init(name: String, newName: String) {
    parity = EventParity(name: name, newName: newName)
    self.newName = EventValue.string(newName).canonicalJSON
  }

  /// Counts a match.
  ///
  /// - Parameters:
  ///   - step: -1 undoes an earlier call, except for its examples.
  ///   - id: the event's id for examples.
  @discardableResult
  func count(_ verdict: MatchVerdict, by step: Int = 1, id: @autoclosure () -> String) -> MatchVerdict {
    parity.count(verdict, by: step)
    guard step > 0, !verdict.isDisjoint(with: Self.countsWithExamples) else { return verdict }
    let id = id()
    for (index, list) in ParityExamples.all.enumerated() where !verdict.isDisjoint(with: list.counts) {
      examples[index].insert(id)
    }
    return verdict
  }

  /// Counts the fields of a pair that is recognised as equal by its text; otherwise counts nothing and returns `false`.
  func countFields(ofEqual old: EventLine, _ new: EventLine) -> Bool {
    guard let name = new.plainName, newName.withUnsafeBufferPointer({ $0.hasSameBytes(as: name) }),
      let places = equalPairs.fields(ofEqual: old, new)
    else { return false }
    fields.recordEqual(at: places)
    return true
  }

  /// Compares and counts a pair.
  @discardableResult
  func countPair(
    id: String, hasExpectedName: Bool, in membership: EventMembership, compare: (inout FieldTally) -> Void
  ) -> MatchVerdict {
    fields.begin(id: id)
    compare(&fields)
    let differs = fields.differs || !hasExpectedName
    return count(MatchVerdict(pair: membership, differs: differs, isRenamed: !hasExpectedName), id: id)
  }

  /// Counts the delay of the new event, if both have a time.
  func countDelay(from old: Int64?, to new: Int64?) {
    if let old, let new { parity.delays.add(new - old) }
  }

  /// Learns to recognise pairs like this equal one by their text.
  ///
  /// - Returns: the approximate memory in bytes.
  func learn(old: EventLine, new: EventLine, named name: String, _ table: RemappingTable) -> Int {
    equalPairs.learn(old, new, named: name, table, &fields)
  }

  /// The counts, without fields and examples.
  var counts: EventParity { parity }

  /// Adds a judged event to its unit.
  func sample(_ trial: UnitSample.Trial, of unit: UInt64?) {
    parity.units.add(trial, of: unit)
  }

  var result: EventParity {
    var result = parity
    result.fields = fields.fields
    for (list, examples) in zip(ParityExamples.all, examples) { result[keyPath: list.ids] = examples.texts }
    return result
  }
}

// MARK: - Equal pairs

/// A cache that recognises equal pairs by their text, without parsing them.
///
/// Learns from the trace of a pair that was compared in full. A pair that it does not recognise may still be equal, and
/// is compared in full.
struct EqualPairs {
  /// Payloads whose keys are data, or are in random order, have unlimited shapes.
  private static let maximumShapes = 16
  /// Longer payloads are rare; their shapes are not kept.
  private static let maximumBytes = 4096

  private var known: [EqualPair] = []
  private var oldScalars: [Range<Int>] = []
  private var newScalars: [Range<Int>] = []

  /// The tally nodes of an equal pair's fields; `nil` if the pair is not recognised.
  mutating func fields(ofEqual old: EventLine, _ new: EventLine) -> [Int]? {
    guard let oldPayload = old.payloadText, let newPayload = new.payloadText else { return nil }
    for index in known.indices {
      guard known[index].old.find(&oldScalars, in: oldPayload), known[index].new.find(&newScalars, in: newPayload)
      else { continue }
      let old = EqualPair.Scalars(payload: oldPayload, ranges: oldScalars)
      guard known[index].isEqual(old, EqualPair.Scalars(payload: newPayload, ranges: newScalars)) else { return nil }
      // Moves frequent shapes to the front.
      if index > 0 { known.swapAt(index, index - 1) }
      return known[max(index - 1, 0)].fields
    }
    return nil
  }

  /// Learns from an equal pair that was compared in full.
  ///
  /// - Returns: the approximate memory in bytes.
  mutating func learn(
    _ old: EventLine, _ new: EventLine, named name: String, _ table: RemappingTable, _ tally: inout FieldTally
  ) -> Int {
    guard known.count < Self.maximumShapes, let oldPayload = old.payloadText, let newPayload = new.payloadText,
      max(oldPayload.count, newPayload.count) <= Self.maximumBytes,
      let pair = EqualPair(old: oldPayload, new: newPayload, named: name, table, &tally)
    else { return 0 }
    known.append(pair)
    return oldPayload.count + newPayload.count
  }
}

extension EventLine {
  fileprivate var payloadText: UnsafeBufferPointer<UInt8>? { places.values.range.map { text($0) } }
}
