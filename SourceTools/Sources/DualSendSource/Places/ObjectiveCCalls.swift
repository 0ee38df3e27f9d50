import DualSendInventory

/// Calls of the described functions in Objective-C, found by their text: nothing is known of what they send.
struct ObjectiveCCalls {
  private let bytes: [UInt8]
  private let names: Set<String>
  private var line = 1
  private var lineStart = 0
  /// How many brackets are open: a message stands in brackets, a declaration does not.
  private var depth = 0
  private var found: [(line: Int, column: Int)] = []

  /// The places of all files that are not Swift.
  static func sites(_ texts: SourceTexts, functions: [LoggingFunction]) -> [CallSite] {
    let names = Set(functions.filter { $0.receiverProtocol == nil }.map(\.name))
    return texts.objectiveC.flatMap { path -> [CallSite] in
      guard case .success(let text) = SourceFile.text(path, follows: false) else { return [] }
      var calls = ObjectiveCCalls(text, names)
      return calls.read().map { place in
        CallSite(
          certainty: .dynamic, file: path, line: place.line, column: place.column,
          open: ["a call in Objective-C is found by its text alone"])
      }
    }
  }

  private init(_ text: String, _ names: Set<String>) {
    (bytes, self.names) = (Array(text.utf8), names)
  }

  private mutating func read() -> [(line: Int, column: Int)] {
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\n"):
        line += 1
        lineStart = place + 1
        place += 1
      case UInt8(ascii: "/") where next(place) == UInt8(ascii: "/"):
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      case UInt8(ascii: "/") where next(place) == UInt8(ascii: "*"): place = endOfComment(place + 2)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): place = endOfLiteral(place)
      case UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "]"):
        depth -= 1
        place += 1
      case let byte where Self.isWord(byte): place = endOfWord(place)
      default: place += 1
      }
    }
    return found
  }

  private func next(_ place: Int) -> UInt8? { place + 1 < bytes.count ? bytes[place + 1] : nil }

  private mutating func endOfComment(_ start: Int) -> Int {
    var place = start
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "*"), next(place) == UInt8(ascii: "/") { return place + 2 }
      if bytes[place] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, place + 1) }
      place += 1
    }
    return place
  }

  /// The end of a text or a character; a line's end ends it too.
  private func endOfLiteral(_ start: Int) -> Int {
    var place = start + 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
      if bytes[place] == bytes[start] { return place + 1 }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place, bytes.count)
  }

  /// Notes a word that is the first part of a message: `logEvent:` and `logEventWithName:` are both `logEvent(…)` in Swift.
  private mutating func endOfWord(_ start: Int) -> Int {
    var end = start
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    var behind = end
    while behind < bytes.count, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[behind]) { behind += 1 }
    guard depth > 0, behind < bytes.count, bytes[behind] == UInt8(ascii: ":") else { return end }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    if names.contains(where: { word == $0 || word.hasPrefix($0 + "With") }) {
      found.append((line, start - lineStart + 1))
    }
    return end
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte > 127
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
