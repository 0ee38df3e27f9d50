import DualSendCore
import Testing

@Suite("A finding", .timeLimit(.minutes(5)))
struct DiagnosticTests {
  private static let code = DocumentDiagnostic.Code(rawValue: "DS0103")
  private static let position = DocumentDiagnostic.Position(line: 14, column: 9)
  private static let path = EventPath().appending("events").appending("home.tap").appending("sku")

  @Test("is rendered with code, place, notes and the way out")
  func rendering() {
    let finding = DocumentDiagnostic(
      .error, Self.code, "two rows write `id`", file: "remapping.json", position: Self.position, path: Self.path,
      notes: ["`item_id` (line 11) already writes it", "and one more"], help: "rename one of them")
    #expect(
      finding.description == """
        error[DS0103]: two rows write `id`
          --> remapping.json:14:9  events."home.tap".sku
           = note: `item_id` (line 11) already writes it
           = note: and one more
           = help: rename one of them
        """)
  }

  @Test("names as much of its place as is known")
  func places() {
    func place(_ file: String?, _ position: DocumentDiagnostic.Position?, _ path: EventPath) -> String? {
      DocumentDiagnostic(.warning, Self.code, "m", file: file, position: position, path: path).place
    }
    #expect(place(nil, nil, EventPath()) == nil)
    #expect(place("f", nil, EventPath()) == "f")
    #expect(place(nil, Self.position, EventPath()) == "14:9")
    #expect(place(nil, nil, Self.path) == #"events."home.tap".sku"#)
    #expect(place(nil, Self.position, Self.path) == #"14:9  events."home.tap".sku"#)
    #expect(DocumentDiagnostic(.warning, Self.code, "m").description == "warning[DS0103]: m")
  }

  @Test("sorts by file, place, code, path and message")
  func order() {
    func finding(_ file: String, _ line: Int, _ column: Int, _ code: String, _ key: String, _ message: String)
      -> DocumentDiagnostic
    {
      DocumentDiagnostic(
        .error, DocumentDiagnostic.Code(rawValue: code), message, file: file,
        position: DocumentDiagnostic.Position(line: line, column: column), path: EventPath([.key(key)]))
    }
    let sorted = [
      DocumentDiagnostic(.error, Self.code, "no file"),
      finding("a", 2, 9, "DS2", "z", "z"), finding("a", 10, 1, "DS2", "z", "z"), finding("a", 10, 2, "DS1", "z", "z"),
      finding("a", 10, 2, "DS2", "a", "z"), finding("a", 10, 2, "DS2", "b", "a"), finding("a", 10, 2, "DS2", "b", "b"),
      finding("b", 1, 1, "DS1", "a", "a"),
    ]
    #expect(sorted.reversed().sorted() == sorted)
    #expect(DocumentError(sorted.reversed()).diagnostics == sorted)
  }

  @Test("that is an error comes before a warning")
  func severity() {
    #expect([DocumentDiagnostic.Severity.warning, .error].sorted() == [.error, .warning])
  }

  @Test("of a document's error stands with the others, a blank line between two")
  func documentError() {
    let error = DocumentError([DocumentDiagnostic(.error, Self.code, "b"), DocumentDiagnostic(.error, Self.code, "a")])
    #expect(error.description == "error[DS0103]: a\n\nerror[DS0103]: b")
  }
}
