import DualSendJSONLines
import Foundation

/// The text of a payload without its scalars.
///
/// Two payloads with the same shape have the same keys in the same order, arrays of the same lengths, and scalars at the
/// same places. If one is valid JSON, so is the other, provided its scalars are valid.
struct PayloadShape {
  private let text: [UInt8]
  /// The position of each scalar: the length of the text before it.
  private let scalarPositions: [Int]

  /// - Parameter payload: valid JSON.
  init(of payload: UnsafeBufferPointer<UInt8>) {
    var text: [UInt8] = []
    var scalarPositions: [Int] = []
    var position = 0
    while position < payload.count {
      let scalarEnd = payload.endOfScalar(at: position)
      let end = scalarEnd ?? position + 1
      if scalarEnd != nil, !payload.isColonNext(from: end) {
        scalarPositions.append(text.count)
      } else {
        text += payload[position..<end]
      }
      position = end
    }
    self.text = text
    self.scalarPositions = scalarPositions
  }

  /// Finds the ranges of a payload's scalars; `false` if it has another shape.
  func find(_ scalars: inout [Range<Int>], in payload: UnsafeBufferPointer<UInt8>) -> Bool {
    scalars.removeAll(keepingCapacity: true)
    return text.withUnsafeBytes { text in
      var position = 0
      var start = 0
      for end in scalarPositions {
        guard Self.stands(text[start..<end], in: payload, at: position) else { return false }
        position += end - start
        start = end
        guard let scalarEnd = payload.endOfScalar(at: position) else { return false }
        scalars.append(position..<scalarEnd)
        position = scalarEnd
      }
      return payload.count - position == text.count - start && Self.stands(text[start...], in: payload, at: position)
    }
  }

  @inline(__always)
  private static func stands(
    _ part: Slice<UnsafeRawBufferPointer>, in payload: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> Bool {
    guard position + part.count <= payload.count else { return false }
    guard let left = part.base.baseAddress, let right = payload.baseAddress else { return part.isEmpty }
    return memcmp(left + part.startIndex, right + position, part.count) == 0
  }
}
