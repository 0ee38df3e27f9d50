import Testing

@testable import DualSendCore

@Suite("Text that is printed", .timeLimit(.minutes(5)))
struct PrintableTextTests {
  @Test(
    "stays as it is where there is nothing to fear", arguments: ["", "home.tap", "é日本語👍🏽", "a\u{301}", "100 %", "–…"])
  func plain(_ text: String) {
    #expect(text.printable() == text)
    #expect(PrintableText.lines(text) == text)
  }

  @Test(
    "has every control character, line separator and bidirectional mark written out",
    arguments: [
      ("\u{1B}[31m", "\\u001b[31m"), ("\u{1B}]0;x\u{7}", "\\u001b]0;x\\u0007"), ("a\u{0}b", "a\\u0000b"),
      ("\u{7F}", "\\u007f"), ("\u{9B}2J", "\\u009b2J"), ("\u{85}", "\\u0085"), ("\u{202E}gpj", "\\u202egpj"),
      ("\u{2066}x\u{2069}", "\\u2066x\\u2069"), ("\u{2028}\u{2029}", "\\u2028\\u2029"), ("\t", "\\t"), ("\r", "\\r"),
    ])
  func escaped(_ text: String, _ expected: String) {
    #expect(text.printable() == expected)
    #expect(PrintableText.lines(text) == expected)
    #expect(PrintableText.lines("–" + text) == "–" + expected)
  }

  @Test("of one line has no line breaks, text of many lines keeps them")
  func lineBreaks() {
    #expect("a\nb\r\nc".printable() == "a\\nb\\r\\nc")
    #expect(PrintableText.lines("a\nb\r\nc\n") == "a\nb\\r\\nc\n")
  }

  @Test("keeps the meaning of a JSON text whose strings hold such characters")
  func json() throws {
    let value: EventValue = .object(["\u{202E}": .string("\u{7F}\u{9B}\u{2028}##[error]é")])
    let text = PrintableText.lines(value.canonicalText)
    #expect(text.unicodeScalars.allSatisfy { PrintableText.escaped($0) == nil } && !text.contains("##["))
    #expect(try JSONReader().value(text.utf8) == value)
  }

  @Test(
    "is no command to a CI system, wherever its lines begin",
    arguments: [
      ("::error::x", "\\u003a:error::x"), ("a\n \u{A0}::set-output::x", "a\n \u{A0}\\u003a:set-output::x"),
      ("a::b", "a::b"), ("x ##[add-mask]y", "x ##\\u005badd-mask]y"), ("::\u{301}", "\\u003a:\u{301}"),
    ])
  func commands(_ text: String, _ expected: String) {
    #expect(PrintableText.lines(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test("shows the start and the end of what is long, and how much is between")
  func bounded() {
    let text = String(repeating: "a", count: 5_000_000) + "z"
    #expect(text.printable(limit: 8) == "aaaaaa … (4999993 characters) … az")
    #expect("abcdefgh".printable(limit: 8) == "abcdefgh")
    #expect(String(repeating: "é", count: 8).printable(limit: 8) == String(repeating: "é", count: 8))
    let key = String(repeating: "9", count: 5 << 20)
    let finding = DocumentDiagnostic(
      .error, .unknownKey, "unknown key `\(key)`", file: key, path: EventPath([.key(key)]), notes: [key], help: key)
    #expect(finding.description.utf8.count < 6 * 700)
  }

  @Test(
    "hides users, passwords and the values of queries",
    arguments: [
      ("https://user:password@a.test/x", "https://…@a.test/x"),
      ("see `https://a.test/x?token=abc&v=2` now", "see `https://a.test/x?token=…&v=…` now"),
      ("https://a.test/?secret", "https://a.test/?…"), ("https://a.test/#access_token=abc", "https://a.test/#…"),
      ("https://user:pass/word@a.test/x", "https://…@a.test/x"),
      ("https://user:p?a=ss@a.test/x", "https://…@a.test/x"), ("http://[::1]:80/x@y", "http://[::1]:80/x@y"),
      ("http://127.0.0.1:8080/events", "http://127.0.0.1:8080/events"), ("no address", "no address"),
      ("a://b@c and d://e@f", "a://…@c and d://…@f"),
      ("https://USER:PASSWORD@…", "https://USER:PASSWORD@…"), ("https://…@a.test/?a=…", "https://…@a.test/?a=…"),
    ])
  func secrets(_ text: String, _ expected: String) {
    #expect(text.hidingSecrets == expected)
  }

  @Test("of a finding is safe in every part, whatever the document holds")
  func findings() {
    let hostile = "\u{1B}]0;x\u{7}\n::error::y\u{202E}"
    let finding = DocumentDiagnostic(
      .error, .unknownKey, hostile, file: hostile, path: EventPath([.key(hostile)]), notes: [hostile], help: hostile)
    let lines = finding.description.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(finding.description.unicodeScalars.allSatisfy { $0 == "\n" || PrintableText.escaped($0) == nil })
    let address = DocumentDiagnostic(.error, .unknownKey, "x", file: "https://user:password@a.test/r.json?key=abc")
    #expect(address.place == "https://…@a.test/r.json?key=…")
  }
}
