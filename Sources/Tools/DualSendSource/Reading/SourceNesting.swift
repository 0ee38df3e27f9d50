/// Finds what the parser cannot read within bounds, before it is called: code that is nested too deeply.
struct SourceNesting {
  /// Beyond its own limit, 256, the parser calls a file no Swift, after a time that grows with the square of the depth.
  private static let maximumDepth = 250
  /// The parser tries a type and a value for each `[` in a row, which doubles the time.
  private static let maximumBrackets = 10
  private static let maximumTypes = 64
  private static let maximumArrows = 10_000

  private var depth = 0
  private var brackets = 0
  private var types = 0
  private var arrows = 0
  /// The texts around an interpolation, innermost last, with the depth around it.
  private var texts: [(quotes: Int, marks: Int, depth: Int)] = []

  private init() {}

  /// The line of what is nested too deep; `nil` if nothing is.
  static func problem(of text: String) -> SourceFile.Unread? {
    var (text, nesting) = (text, SourceNesting())
    return text.withUTF8 { bytes in
      nesting.placeTooDeep(bytes).map { place in
        let line = 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") }
        return .init(reason: "something in it is nested too deep", line: line)
      }
    }
  }

  private var isTooDeep: Bool {
    depth > Self.maximumDepth || brackets > Self.maximumBrackets || types > Self.maximumTypes
      || arrows > Self.maximumArrows
  }

  private mutating func placeTooDeep(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var (place, last): (Int, UInt8) = (0, 0)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "/") where bytes.has("/", at: place):
        place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      case UInt8(ascii: "/") where bytes.has("*", at: place): place = Self.endOfComment(bytes, place + 1)
      case UInt8(ascii: "\""):
        var marks = 0
        while marks < place - 1, bytes[place - 2 - marks] == UInt8(ascii: "#") { marks += 1 }
        let isLong = bytes.has("\"\"", at: place)
        place = endOfText(bytes, isLong ? place + 2 : place, quotes: isLong ? 3 : 1, marks)
        (brackets, types, arrows) = (0, 0, 0)
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "["): (depth, brackets) = (depth + 1, brackets + 1)
      case UInt8(ascii: "{"): (depth, brackets, types, arrows) = (depth + 1, 0, 0, 0)
      case UInt8(ascii: "}"): (depth, brackets, types, arrows) = (max(0, depth - 1), 0, 0, 0)
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        (depth, brackets) = (max(0, depth - 1), 0)
        if let text = texts.last, text.depth == depth {
          texts.removeLast()
          place = endOfText(bytes, place, quotes: text.quotes, text.marks)
        }
      case UInt8(ascii: ">") where last == UInt8(ascii: "-"): (brackets, arrows) = (0, arrows + 1)
      case UInt8(ascii: ">"): (brackets, types) = (0, max(0, types - 1))
      case UInt8(ascii: "<"): (brackets, types) = (0, types + 1)
      case UInt8(ascii: "="), UInt8(ascii: ";"): (brackets, types, arrows) = (0, 0, 0)
      default: brackets = 0
      }
      if isTooDeep { return place - 1 }
      last = byte
    }
    return nil
  }

  /// The end of a comment, which may have others in it.
  private static func endOfComment(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var (place, depth) = (start, 1)
    while place < bytes.count, depth > 0 {
      let step = bytes.has("*/", at: place) ? -1 : bytes.has("/*", at: place) ? 1 : 0
      depth += step
      place += step == 0 ? 1 : 2
    }
    return place
  }

  /// The end of a text, or of its next part before an interpolation.
  private mutating func endOfText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, quotes: Int, _ marks: Int
  ) -> Int {
    let (end, escape) = (String(repeating: "\"", count: quotes), "\\" + String(repeating: "#", count: marks))
    let close = end + String(repeating: "#", count: marks)
    let (quote, slash, newline) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"))
    var place = start
    while let next = bytes[place...].firstIndex(where: { $0 == quote || $0 == slash || $0 == newline }) {
      place = next
      if bytes.has(close, at: place) { return place + close.utf8.count }
      // A text of one line that is not closed.
      if quotes == 1, bytes[place] == newline { return place }
      guard bytes.has(escape, at: place) else {
        place += 1
        continue
      }
      place += escape.utf8.count
      if bytes.has("(", at: place) {
        texts.append((quotes, marks, depth))
        depth += 1
        return place + 1
      }
      place = min(place + 1, bytes.count)
    }
    return bytes.count
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func has(_ text: String, at place: Int) -> Bool {
    place + text.utf8.count <= count && self[place...].starts(with: text.utf8)
  }
}
