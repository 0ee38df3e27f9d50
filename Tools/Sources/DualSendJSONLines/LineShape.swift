/// All of a line but its scalars: its keys, its containers, the kind of each scalar, and the text of its member `name`.
///
/// A line that has the shape of one that was read is JSON as well, is about the same event, and has the same keys.
package struct LineShape: Hashable, Sendable {
  private var hash = TextHash()

  /// - Parameter line: one line of an old log. `nil` if a scalar of it is no JSON; whatever else is wrong with it is wrong
  ///   with every line of its shape.
  package init?(_ line: UnsafeBufferPointer<UInt8>) {
    var position = 0
    var depth = 0
    var isName = false
    while position < line.count {
      let byte = line[position]
      if byte.isJSONWhitespace {
        position += 1
        continue
      }
      let isString = byte == UInt8(ascii: "\"")
      let plainEnd = isString ? line.endOfPlainString(at: position) : nil
      guard let end = plainEnd ?? line.endOfScalar(at: position) else {
        // Brackets and braces differ in one bit.
        if byte | 0x20 == UInt8(ascii: "{") { depth += 1 }
        if byte | 0x20 == UInt8(ascii: "}") { depth -= 1 }
        hash.add(byte)
        position += 1
        continue
      }
      let text = UnsafeBufferPointer(rebasing: line[position..<end])
      let isKey = isString && Self.isColonNext(in: line, from: end)
      guard isKey || plainEnd != nil || ScalarText(text).isScalar else { return nil }
      if isKey || isName { hash.add(text) } else { hash.add(Self.kind(of: text)) }
      isName = isKey && depth == 1 && text.spells("\"name\"")
      position = end
    }
  }

  private static func isColonNext(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var position = start
    while position < line.count, line[position].isJSONWhitespace { position += 1 }
    return position < line.count && line[position] == UInt8(ascii: ":")
  }

  /// A letter for a kind of scalar; an integer that some member may not hold is of another kind.
  private static func kind(of text: UnsafeBufferPointer<UInt8>) -> UInt8 {
    switch text[0] {
    case UInt8(ascii: "\""): UInt8(ascii: "s")
    case UInt8(ascii: "t"), UInt8(ascii: "f"): UInt8(ascii: "b")
    case UInt8(ascii: "n"): UInt8(ascii: "n")
    default:
      text.count < 19 && text.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit }
        ? UInt8(ascii: "i") : UInt8(ascii: "d")
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
