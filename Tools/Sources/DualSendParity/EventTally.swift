@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping

/// Counts one event's pairs and lone lines.
final class EventTally {
  private var parity: EventParity
  private var fields = FieldTally()
  private var oldOnly = SmallestTexts()
  private var newOnly = SmallestTexts()
  /// The new name as JSON text.
  private let newName: [UInt8]
  private var equalPairs = EqualPairs()

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
    return true
  }

  /// Counts a pair; `true` if it is equal.
  @discardableResult
  func countPair(id: String, hasExpectedName: Bool, compare: (inout FieldTally) -> Void) -> Bool {
    fields.begin(id: id)
    compare(&fields)
    let isEqual = !fields.currentDiffers && hasExpectedName
    parity.pairs += 1
    if !hasExpectedName { parity.renamed += 1 }
    if !isEqual { parity.differing += 1 }
    return isEqual
  }

  /// Learns to know pairs like this equal one by their text.
  ///
  /// - Returns: about how many bytes that takes.
  func learn(old: EventLine, new: EventLine, named name: String, _ table: RemappingTable) -> Int {
    equalPairs.learn(old, new, named: name, table, &fields)
  }

  func countAlone(_ side: StreamSide, id: String) {
    switch side {
    case .old:
      parity.oldOnly += 1
      oldOnly.insert(id)
    case .new:
      parity.newOnly += 1
      newOnly.insert(id)
    }
  }

  func countDuplicate(_ side: StreamSide) {
    switch side {
    case .old: parity.oldDuplicates += 1
    case .new: parity.newDuplicates += 1
    }
  }

  var result: EventParity {
    var result = parity
    result.fields = fields.fields
    result.oldOnlyExamples = oldOnly.texts
    result.newOnlyExamples = newOnly.texts
    return result
  }
}
