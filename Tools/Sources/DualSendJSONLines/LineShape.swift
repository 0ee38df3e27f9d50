/// The shape of a line: its keys, containers, kinds of scalars, and the value of `name`.
///
/// A line with the shape of a parsed line is also valid JSON, about the same event, with the same keys.
package struct LineShape: Hashable, Sendable {
  private var hash = TextHash()

  /// - Parameter line: one line of an old log. The result is `nil` if a scalar is invalid; other errors are the same
  ///   for all lines with the shape.
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

  /// A letter for the kind of scalar. Integers that may not fit `Int64` are another kind.
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
