import DualSendCore
import DualSendJSONLines
import DualSendRemapping

/// Counts one event's pairs and lone lines.
final class EventTally {
  private var parity: EventParity
  private var fields = FieldTally()
  private var oldOnly = SmallestTexts()
  private var newOnly = SmallestTexts()
  private var lost = SmallestTexts()
  private var unexpected = SmallestTexts()
  /// The new name as JSON text.
  private let newName: [UInt8]
  private var equalPairs = EqualPairs()

  var name: String { parity.name }

  init(name: String, newName: String) {
    parity = EventParity(name: name, newName: newName)
    self.newName = EventValue.string(newName).canonicalJSON
  }

  /// Counts a pair that is known to be equal by its text; `false` if it is not, with nothing counted.
  func countEqualPair(old: EventLine, new: EventLine) -> Bool {
    guard let name = new.plainName, newName.withUnsafeBufferPointer({ $0.hasSameBytes(as: name) }),
      let places = equalPairs.fields(ofEqual: old, new)
    else { return false }
    fields.recordEqual(at: places)
    parity.pairs += 1
    parity.judged += 1
    return true
  }

  /// Counts a pair; `true` if it is equal.
  @discardableResult
  func countPair(
    id: String, hasExpectedName: Bool, in membership: EventMembership, compare: (inout FieldTally) -> Void
  ) -> Bool {
    fields.begin(id: id)
    compare(&fields)
    let isEqual = !fields.currentDiffers && hasExpectedName
    parity.pairs += 1
    parity.judged += 1
    if !hasExpectedName { parity.renamed += 1 }
    if !isEqual { parity.differing += 1 }
    if countUnexpected(membership, id: id) || !isEqual { parity.failing += 1 }
    return isEqual
  }

  /// Counts what is wrong with where the last equal pair stands.
  func place(pairIn membership: EventMembership, id: () -> String) {
    guard membership != .both, countUnexpected(membership, id: id()) else { return }
    parity.failing += 1
  }

  /// Whether a pair has a line in a stream where it does not belong.
  private func countUnexpected(_ membership: EventMembership, id: String) -> Bool {
    if membership.old == false { parity.unexpectedInOld += 1 }
    if membership.new == false { parity.unexpectedInNew += 1 }
    guard membership.old == false || membership.new == false else { return false }
    unexpected.insert(id)
    return true
  }

  /// Learns to know pairs like this equal one by their text.
  ///
  /// - Returns: about how many bytes that takes.
  func learn(old: EventLine, new: EventLine, named name: String, _ table: RemappingTable) -> Int {
    equalPairs.learn(old, new, named: name, table, &fields)
  }

  func countAlone(_ side: StreamSide, id: String, in membership: EventMembership) {
    switch side {
    case .old:
      parity.oldOnly += 1
      oldOnly.insert(id)
    case .new:
      parity.newOnly += 1
      newOnly.insert(id)
    }
    switch (membership[side], membership[side.other]) {
    case (true?, false?): return
    case (_, true?):
      if side == .old { parity.lostFromNew += 1 } else { parity.lostFromOld += 1 }
      lost.insert(id)
    case (false?, _):
      if side == .old { parity.unexpectedInOld += 1 } else { parity.unexpectedInNew += 1 }
      unexpected.insert(id)
    default: parity.undecided += 1
    }
    parity.judged += 1
    parity.failing += 1
  }

  /// Undoes ``countAlone(_:id:in:)`` but for its examples.
  func takeBackAlone(_ side: StreamSide, in membership: EventMembership) {
    if side == .old { parity.oldOnly -= 1 } else { parity.newOnly -= 1 }
    switch (membership[side], membership[side.other]) {
    case (true?, false?): return
    case (_, true?): if side == .old { parity.lostFromNew -= 1 } else { parity.lostFromOld -= 1 }
    case (false?, _): if side == .old { parity.unexpectedInOld -= 1 } else { parity.unexpectedInNew -= 1 }
    default: parity.undecided -= 1
    }
    parity.judged -= 1
    parity.failing -= 1
  }

  func countDuplicate(_ side: StreamSide) {
    switch side {
    case .old: parity.oldDuplicates += 1
    case .new: parity.newDuplicates += 1
    }
  }

  /// What was counted, without fields and examples.
  var counts: EventParity { parity }

  var result: EventParity {
    var result = parity
    result.fields = fields.fields
    result.oldOnlyExamples = oldOnly.texts
    result.newOnlyExamples = newOnly.texts
    result.lostExamples = lost.texts
    result.unexpectedExamples = unexpected.texts
    return result
  }
}
