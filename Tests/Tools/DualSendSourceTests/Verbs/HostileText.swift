/// What a reader of some bytes would obey, be it a terminal, a person or a CI system.
enum HostileText {
  /// Escape sequences, forged lines and commands, and an order that is turned round.
  static let text = "\u{1B}]0;t\u{7}\u{1B}[2J\n::error::forged\r\n##[error]x\u{202E}\u{2066}\u{9B}31m\u{7F}\u{2028}"

  /// - Parameter form: `nil` for text, whose lines are short.
  static func faults(in text: String, form: String?) -> [String] {
    var faults: [String] = []
    for scalar in text.unicodeScalars where scalar != "\n" {
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
        faults.append("U+" + String(scalar.value, radix: 16))
      default: break
      }
    }
    for line in text.split(separator: "\n") {
      if line.drop(while: \.isWhitespace).hasPrefix("::") { faults.append("a command: \(line.prefix(40))") }
      if line.contains("##[") { faults.append("a command: ##[") }
      if line.hasPrefix("forged") { faults.append("a forged line") }
      if form == nil, line.utf8.count > 4_000 { faults.append("a line of \(line.utf8.count) bytes") }
    }
    return faults
  }
}
