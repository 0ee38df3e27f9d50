import DualSendCore
import DualSendRemapping

/// Recognises pairs that must be equal because a pair of the same shapes was.
///
/// It knows nothing of renames, defaults or outcomes: what it asks of a pair it has read off the trace of one that was
/// compared in full. A pair that it does not recognise may be equal all the same, and is compared in full.
struct EqualPairs {
  /// Keys that are data, or come in any order, would be learned for ever.
  private static let maximumShapes = 16
  /// Longer payloads are too rare to keep the shape of.
  private static let maximumBytes = 4096

  private var known: [EqualPair] = []
  private var oldScalars: [Range<Int>] = []
  private var newScalars: [Range<Int>] = []

  /// The places of an equal pair's fields; `nil` if nothing is known about the pair.
  mutating func fields(ofEqual old: EventLine, _ new: EventLine) -> [Int]? {
    guard let oldPayload = old.payloadText, let newPayload = new.payloadText else { return nil }
    for index in known.indices {
      guard known[index].old.find(&oldScalars, in: oldPayload), known[index].new.find(&newScalars, in: newPayload)
      else { continue }
      let old = EqualPair.Scalars(payload: oldPayload, ranges: oldScalars)
      guard known[index].isEqual(old, EqualPair.Scalars(payload: newPayload, ranges: newScalars)) else { return nil }
      // The most frequent shapes are tried first.
      if index > 0 { known.swapAt(index, index - 1) }
      return known[max(index - 1, 0)].fields
    }
    return nil
  }

  /// Learns from a pair that was compared in full and found equal.
  ///
  /// - Returns: about how many bytes that takes.
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
