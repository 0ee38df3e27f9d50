import DualSendCore
import DualSendJSONLines

/// Finds the ids in a body of the tracker's own wire form without building values, for benchmarks.
///
/// It checks the framing and that each element starts with its id, not what stands between. Whatever it does not
/// recognise at once it leaves to ``EventBatch``.
struct EventIDScanner {
  /// The ids in the order of the body; `nil` if the body is not of the wire form.
  static func ids(in body: [UInt8]) -> [EventID]? {
    body.withUnsafeBufferPointer { bytes in
      var elements = JSONScanner(bytes: bytes, range: 0..<bytes.count)
      guard elements.openArray() else { return nil }
      var ids: [EventID] = []
      while let element = elements.nextElement() {
        var members = JSONScanner(bytes: bytes, range: element)
        guard members.openObject(), let first = members.nextMember(), bytes[first.key].elementsEqual("eventId".utf8),
          bytes[first.value.lowerBound] == UInt8(ascii: "\""),
          let id = EventID(utf8: UnsafeBufferPointer(rebasing: bytes[first.value].dropFirst().dropLast()))
        else { return nil }
        ids.append(id)
      }
      return elements.isComplete ? ids : nil
    }
  }
}
