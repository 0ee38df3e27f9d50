import DualSendJSONLines
import Foundation

/// Everything of a payload's text but its scalars.
///
/// A text of the same shape whose scalars are JSON is JSON as well, and has a scalar wherever the first text has one:
/// the same keys in the same order, the same arrays of the same lengths.
struct PayloadShape {
  private let text: [UInt8]
  /// Where each scalar stood: how much of the text comes before it.
  private let scalarPositions: [Int]

  /// - Parameter payload: JSON beyond doubt.
  init(of payload: UnsafeBufferPointer<UInt8>) {
    var text: [UInt8] = []
    var scalarPositions: [Int] = []
    var position = 0
    while position < payload.count {
      let scalarEnd = payload.endOfScalar(at: position)
      let end = scalarEnd ?? position + 1
      if scalarEnd != nil, !Self.isColonNext(in: payload[end...]) {
        scalarPositions.append(text.count)
      } else {
        text += payload[position..<end]
      }
      position = end
    }
    self.text = text
    self.scalarPositions = scalarPositions
  }

  /// Finds where a payload's scalars lie; `false` if it is of another shape.
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

  private static func isColonNext(in rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    rest.first { !$0.isJSONWhitespace } == UInt8(ascii: ":")
  }
}
