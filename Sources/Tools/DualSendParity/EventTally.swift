import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// Counts one event's pairs and unpaired lines.
final class EventTally {
  private var parity: EventParity
  private var fields = FieldTally()
  private var oldOnly = SmallestTexts()
  private var newOnly = SmallestTexts()
  private var lost = SmallestTexts()
  private var unexpected = SmallestTexts()
  private var contradicting = SmallestTexts()
  private var conflicting = SmallestTexts()
  /// The new name as JSON text.
  private let newName: [UInt8]
  private var equalPairs = EqualPairs()

  var name: String { parity.name }

  init(name: String, newName: String) {
    parity = EventParity(name: name, newName: newName)
    self.newName = EventValue.string(newName).canonicalJSON
  }

  /// Counts a pair that is recognised as equal by its text; otherwise counts nothing and returns `false`.
  func countEqualPair(old: EventLine, new: EventLine) -> Bool {
    guard let name = new.plainName, newName.withUnsafeBufferPointer({ $0.hasSameBytes(as: name) }),
      let places = equalPairs.fields(ofEqual: old, new)
    else { return false }
    fields.recordEqual(at: places)
    parity.pairs += 1
    parity.judged += 1
    return true
  }

  /// Compares and counts a pair. Returns whether it is equal.
  @discardableResult
  func countPair(
    id: String, hasExpectedName: Bool, in membership: EventMembership, compare: (inout FieldTally) -> Void
  ) -> Bool {
    fields.begin(id: id)
    compare(&fields)
    let isEqual = !fields.differs && hasExpectedName
    parity.pairs += 1
    parity.judged += 1
    if !hasExpectedName { parity.renamed += 1 }
    if !isEqual { parity.differingBeforeNoise += 1 }
    if countPlaces(ofPair: membership, id: id) || !isEqual { parity.failingBeforeNoise += 1 }
    return isEqual
  }

  func countUncompared(id: String, in membership: EventMembership) {
    parity.uncompared += 1
    guard membership.old == false || membership.new == false else { return }
    parity.judged += 1
    parity.failingBeforeNoise += 1
    _ = countPlaces(ofPair: membership, id: id)
  }

  /// Counts the delay of the new event, if both have a time.
  func countDelay(from old: Int64?, to new: Int64?) {
    if let old, let new { parity.delays.add(new - old) }
  }

  /// Counts the membership of a pair that was recognised by its text.
  func countMembership(ofEqualPair membership: EventMembership, id: () -> String) {
    guard membership != .both else { return parity.byNothing += 1 }
    if countPlaces(ofPair: membership, id: id()) { parity.failingBeforeNoise += 1 }
  }

  /// - Returns: whether one of the two lines is unexpected.
  private func countPlaces(ofPair membership: EventMembership, id: String) -> Bool {
    countSource(of: membership, id: id)
    if membership.old == false { parity.unexpectedInOld += 1 }
    if membership.new == false { parity.unexpectedInNew += 1 }
    guard membership.old == false || membership.new == false else { return false }
    unexpected.insert(id)
    return true
  }

  private func countSource(of membership: EventMembership, by step: Int = 1, id: String?) {
    parity[keyPath: membership.source.counter] += step
    guard membership.isContradicted else { return }
    parity.contradicting += step
    if let id { contradicting.insert(id) }
  }

  /// Learns to recognise pairs like this equal one by their text.
  ///
  /// - Returns: the approximate memory in bytes.
  func learn(old: EventLine, new: EventLine, named name: String, _ table: RemappingTable) -> Int {
    equalPairs.learn(old, new, named: name, table, &fields)
  }

  func countUnpaired(_ side: StreamSide, id: String, in membership: EventMembership) {
    change(unpaired: side, membership, by: 1, id: id)
    if side == .old { oldOnly.insert(id) } else { newOnly.insert(id) }
    switch membership.verdict(onUnpaired: side) {
    case .lost: lost.insert(id)
    case .unexpected: unexpected.insert(id)
    case .oneSided, .undecided, .withoutUnit: break
    }
  }

  /// Undoes ``countUnpaired(_:id:in:)``, except for its examples.
  func takeBackUnpaired(_ side: StreamSide, in membership: EventMembership) {
    change(unpaired: side, membership, by: -1, id: nil)
  }

  private func change(unpaired side: StreamSide, _ membership: EventMembership, by step: Int, id: String?) {
    countSource(of: membership, by: step, id: id)
    if side == .old { parity.oldOnly += step } else { parity.newOnly += step }
    switch membership.verdict(onUnpaired: side) {
    case .oneSided: return
    case .undecided:
      parity.undecided += step
      return
    case .lost: if side == .old { parity.lostFromNew += step } else { parity.lostFromOld += step }
    case .unexpected: if side == .old { parity.unexpectedInOld += step } else { parity.unexpectedInNew += step }
    case .withoutUnit: parity.withoutUnit += step
    }
    parity.judged += step
    parity.failingBeforeNoise += step
  }

  /// - Parameter id: the id, if the line has another name or payload than the first one with it.
  func countDuplicate(_ side: StreamSide, ofOtherEvent id: String? = nil) {
    if let id {
      parity.conflicting += 1
      conflicting.insert(id)
    }
    switch side {
    case .old: parity.oldDuplicates += 1
    case .new: parity.newDuplicates += 1
    }
  }

  /// The counts, without fields and examples.
  var counts: EventParity { parity }

  /// The counts that tell how an event was judged.
  struct JudgedCounts {
    let judged, pairs, differing, lostFromNew, lostFromOld, unexpected, failing: Int
  }

  var judgedCounts: JudgedCounts {
    JudgedCounts(
      judged: parity.judged, pairs: parity.pairs, differing: parity.differingBeforeNoise,
      lostFromNew: parity.lostFromNew, lostFromOld: parity.lostFromOld, unexpected: parity.unexpected,
      failing: parity.failingBeforeNoise)
  }

  /// Lets an event stand for its unit, if it was judged since `before` and is the unit's first one.
  ///
  /// - Parameter unit: called only for a judged event.
  /// - Returns: the event with its unit; `nil` if it was not judged, or has no unit.
  func sample(
    since before: JudgedCounts, time: Int64, key: UInt64, unit: () -> UInt64?
  ) -> (unit: UInt64, trial: UnitSample.Trial)? {
    guard let outcome = UnitSample.Outcome(since: before, to: judgedCounts) else { return nil }
    let (unit, trial) = (unit(), UnitSample.Trial(time: time, key: key, outcome: outcome))
    parity.units.add(trial, of: unit)
    return unit.map { ($0, trial) }
  }

  /// The counts that are kept by day.
  var dayCounts: DayCounts { parity.dayCounts }

  var result: EventParity {
    var result = parity
    result.fields = fields.fields
    result.oldOnlyExamples = oldOnly.texts
    result.newOnlyExamples = newOnly.texts
    result.lostExamples = lost.texts
    result.unexpectedExamples = unexpected.texts
    result.contradictingExamples = contradicting.texts
    result.conflictingExamples = conflicting.texts
    return result
  }
}

extension EventMembership.Source {
  /// The counter of events with this source.
  fileprivate var counter: WritableKeyPath<EventParity, Int> {
    switch self {
    case .decision: \.byDecision
    case .document: \.byDocument
    case .nothing: \.byNothing
    }
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
