import DualSendCore
import DualSendJSONLines
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

  func countAlone(_ side: StreamSide, id: String, in membership: EventMembership) {
    change(alone: side, membership, by: 1, id: id)
    if side == .old { oldOnly.insert(id) } else { newOnly.insert(id) }
    switch membership.verdict(onLone: side) {
    case .lost: lost.insert(id)
    case .unexpected: unexpected.insert(id)
    case .expected, .undecided, .withoutUnit: break
    }
  }

  /// Undoes ``countAlone(_:id:in:)``, except for its examples.
  func takeBackAlone(_ side: StreamSide, in membership: EventMembership) {
    change(alone: side, membership, by: -1, id: nil)
  }

  private func change(alone side: StreamSide, _ membership: EventMembership, by step: Int, id: String?) {
    countSource(of: membership, by: step, id: id)
    if side == .old { parity.oldOnly += step } else { parity.newOnly += step }
    switch membership.verdict(onLone: side) {
    case .expected: return
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

  func countDuplicate(_ side: StreamSide) {
    switch side {
    case .old: parity.oldDuplicates += 1
    case .new: parity.newDuplicates += 1
    }
  }

  /// The counts, without fields and examples.
  var counts: EventParity { parity }

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
    return result
  }
}

extension EventMembership.Source {
  /// The counter of events with this source.
  fileprivate var counter: WritableKeyPath<EventParity, Int> {
    switch self {
    case .stamp: \.byStamp
    case .document: \.byDocument
    case .nothing: \.byNothing
    }
  }
}
