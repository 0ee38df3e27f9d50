import DualSendCore
import DualSendRemapping

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
