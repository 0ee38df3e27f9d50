import DualSendCore
import Foundation

/// Sources in which something was broken at random: what an editor, a merge or a slip of the hand leaves.
struct Mutant {
  let files: [(path: String, text: String)]

  /// Files that are broken, and whole ones beside them.
  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var files: [(path: String, text: String)] =
      switch random.number(below: 3) {
      case 0: (0..<2).map { _ in random.element(Self.awkward) }
      default: Self.logging + (0..<2).map { _ in random.element(Self.newsstand) }
      }
    for _ in 0...random.number(below: 3) {
      let number = random.number(below: files.count)
      files[number].text = Self.broken(files[number].text, random.element(files).text, &random)
    }
    // One name twice would be one file.
    self.files = files.enumerated().map { ("\($0.offset)-" + $0.element.path, $0.element.text) }
  }

  private static func broken(_ text: String, _ other: String, _ random: inout SplitMix64) -> String {
    var tokens = self.tokens(text)
    guard !tokens.isEmpty else { return "}" }
    let (first, second) = (random.number(below: tokens.count), random.number(below: tokens.count))
    let range = min(first, second)..<min(max(first, second), min(first, second) + 40)
    switch random.number(below: 10) {
    case 0: tokens.removeSubrange(range)
    case 1: tokens.insert(contentsOf: tokens[range], at: first)
    case 2: tokens.swapAt(first, second)
    case 3: tokens[first] = tokens[second]
    case 4: tokens[first] = random.element(Self.awkwardTokens)
    case 5: tokens.insert(random.element(Self.awkwardTokens), at: first)
    case 6: tokens.remove(at: first)
    case 7:
      let more = self.tokens(other)
      return (tokens[..<first] + (more.isEmpty ? [] : more[random.number(below: more.count)...])).joined()
    case 8:
      let bracket = random.element(["(", ")", "{", "}", "[", "]", "\"", "`"])
      guard let place = tokens.indices.filter({ tokens[$0] == bracket }).randomElement(using: &random) else { break }
      tokens.remove(at: place)
    default:
      var bytes = Array(text.utf8)
      for _ in 0...random.number(below: 4) {
        bytes[random.number(below: bytes.count)] = UInt8(random.number(below: 256))
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    return tokens.joined()
  }

  private static let awkwardTokens = [
    "{", "}", "(", ")", "[", "]", "\"", "\\(", "\"\"\"", "#if X\n", "#endif\n", "#else\n", "return ", "if ", "else ",
    "while true ", "repeat { } ", "switch ", "case ", "default:", "?", "!", ".", ",", ":", "->", "=", " = ", "&", "@",
    "inout ", "self", "Self", "super", "init", "nil", "in ", "$0", "_", "`", "/*", "*/", "//", "#", "\\", ";", "\0",
    "\u{FEFF}", "\u{202E}", "99999999999999999999", "0x", "1e999", "logEvents", "continue ", "break ", "defer ", "try ",
    "await ", "let ", "var ", "func ", "class ", "where ", "as ", "is ", "any ", "some ", "fallthrough\n",
  ]

  /// Words, numbers, white space, and everything else byte by byte.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [[UInt8]] = []
    var kind = 0
    for byte in text.utf8 {
      let next =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 128...:
          1
        case UInt8(ascii: "0")...UInt8(ascii: "9"): kind == 1 ? 1 : 2
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"): 3
        default: 0
        }
      if next == kind, next != 0 { tokens[tokens.count - 1].append(byte) } else { tokens.append([byte]) }
      kind = next
    }
    return tokens.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: What is broken

  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../..").standardized

  private static let newsstand = sources(in: "Examples/Newsstand/Sources/Newsstand", ending: ".swift")
  private static let logging = newsstand.filter { $0.path.hasPrefix("Logging/") }
  private static let awkward = sources(in: "Fixtures/Sources/Awkward", ending: ".swift.txt")

  private static func sources(in folder: String, ending: String) -> [(path: String, text: String)] {
    let folder = repository.appendingPathComponent(folder)
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { name in
      let bytes = try? Data(contentsOf: folder.appendingPathComponent(name))
      return (name, String(decoding: bytes ?? Data(), as: UTF8.self))
    }
  }

  static func newsstandTable() throws -> Data {
    try Data(contentsOf: repository.appendingPathComponent("Examples/Newsstand/Documents/remapping.json"))
  }
}

extension SplitMix64 {
  /// - Precondition: there is an element.
  fileprivate mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }
}
