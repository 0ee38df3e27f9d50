@_spi(Tools) import DualSendCore

/// Finds the ids in a body of the tracker's own wire form without building values, for benchmarks.
///
/// It checks the framing (brackets, strings, the `{"eventId":"…"` each element starts with), not what stands between.
/// Whatever it does not recognise at once it leaves to ``EventBatch``.
struct EventIDScanner {
  private static let elementStart = Array("{\"eventId\":\"".utf8)
  private static let idLength = 36

  /// The ids in the order of the body; `nil` if the body is not of the wire form.
  static func ids(in body: [UInt8]) -> [EventID]? {
    body.withUnsafeBufferPointer { bytes in
      guard bytes.count >= 2, bytes[0] == UInt8(ascii: "["), bytes[bytes.count - 1] == UInt8(ascii: "]") else {
        return nil
      }
      var ids: [EventID] = []
      var position = 1
      while position < bytes.count - 1 {
        guard let id = id(at: position, in: bytes), let end = endOfObject(at: position, in: bytes) else { return nil }
        ids.append(id)
        position = end
        if position == bytes.count - 1 { return ids }
        guard bytes[position] == UInt8(ascii: ",") else { return nil }
        position += 1
      }
      return ids.isEmpty && bytes.count == 2 ? [] : nil
    }
  }

  private static func id(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> EventID? {
    let idStart = start + elementStart.count
    guard idStart + idLength < bytes.count, bytes[start..<idStart].elementsEqual(elementStart) else { return nil }
    return EventID(utf8: UnsafeBufferPointer(rebasing: bytes[idStart..<idStart + idLength]))
  }

  /// The position after the object that starts here; `nil` if it does not end before the last byte.
  private static func endOfObject(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var depth = 0
    var position = start
    while position < bytes.count - 1 {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return position + 1 }
      case UInt8(ascii: "\""):
        position += 1
        while position < bytes.count - 1, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
      default: break
      }
      position += 1
    }
    return nil
  }
}
