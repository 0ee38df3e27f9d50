@_spi(Tools) import DualSendCore

/// Counts one event's pairs and lone lines.
final class EventTally {
  private var parity: EventParity
  private var fields = FieldTally()
  private var oldOnly = SmallestTexts()
  private var newOnly = SmallestTexts()
  /// The new name as JSON text.
  private let newName: [UInt8]
  private let texts: TextComparer?

  init(name: String, newName: String, texts: TextComparer?) {
    parity = EventParity(name: name, newName: newName)
    self.newName = EventValue.string(newName).canonicalJSON
    self.texts = texts
  }

  /// Counts a pair the short way; `false` if it has to go the long way, with nothing counted.
  func countPair(old: EventLine, new: EventLine, id: () -> String) -> Bool {
    guard let texts, let name = new.plainName, texts.compare(old: old, new: new, into: &fields, id: id) else {
      return false
    }
    countPair(hasExpectedName: newName.withUnsafeBufferPointer { $0.hasSameBytes(as: name) })
    return true
  }

  func countPair(id: String, hasExpectedName: Bool, compare: (inout FieldTally) -> Void) {
    fields.begin(id: id)
    compare(&fields)
    countPair(hasExpectedName: hasExpectedName)
  }

  private func countPair(hasExpectedName: Bool) {
    parity.pairs += 1
    if !hasExpectedName { parity.renamed += 1 }
    if fields.currentDiffers || !hasExpectedName { parity.differing += 1 }
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
