import DualSendCore
import Testing

@Suite("A reader of documents", .timeLimit(.minutes(5)))
struct DocumentReaderTests {
  private func reader(_ text: String) throws -> DocumentReader {
    try DocumentReader(text.utf8, name: "file.json")
  }

  @Test("reports text that is not JSON as one finding with its place and the way out")
  func notJSON() {
    let error = #expect(throws: DocumentError.self) { try reader("{\n  \"a\": 1,\n}") }
    #expect(
      error?.description == """
        error[DS0001]: unexpected `}`
          --> file.json:3:1
           = help: JSON has no trailing commas
        """)
  }

  @Test("gives the members of an object by key, and reports each unknown key with the nearest known one")
  func members() throws {
    var reader = try reader("{\"salt\": 1,\n \"sallt\": 2, \"zzz\": 3}")
    let members = reader.members(of: reader.document.root, at: EventPath(), known: ["salt", "rules"])
    #expect(members?["salt"]?.value.eventValue == 1)
    #expect(
      reader.diagnostics.map(\.description) == [
        """
        error[DS0003]: unknown key `sallt`
          --> file.json:2:2  sallt
           = help: did you mean `salt`?
        """,
        """
        error[DS0003]: unknown key `zzz`
          --> file.json:2:14  zzz
           = help: known keys: rules, salt
        """,
      ])
    #expect(reader.hasErrors)
  }

  @Test("gives a value of the type that is asked for")
  func rightTypes() throws {
    var reader = try reader(#"["a", true, -3, [1, 2]]"#)
    let found = reader.elements(reader.document.root, at: EventPath())
    let elements = try #require(found)
    #expect(elements.map(\.path.description) == ["[0]", "[1]", "[2]", "[3]"])
    let text = reader.string(elements[0].node, at: elements[0].path)
    let flag = reader.bool(elements[1].node, at: elements[1].path)
    let number = reader.integer(elements[2].node, at: elements[2].path)
    let list = reader.elements(elements[3].node, at: elements[3].path)
    #expect(text == "a" && flag == true && number == -3)
    #expect(list?.map(\.path.description) == ["[3][0]", "[3][1]"])
    #expect(!reader.hasErrors)
  }

  @Test("reports each value of another type at its place, and goes on")
  func wrongTypes() throws {
    var reader = try reader("[1,\n null, 1.5, {}, \"x\"]")
    let found = reader.elements(reader.document.root, at: EventPath())
    let elements = try #require(found)
    let text = reader.string(elements[0].node, at: elements[0].path)
    let flag = reader.bool(elements[1].node, at: elements[1].path)
    let number = reader.integer(elements[2].node, at: elements[2].path)
    let list = reader.elements(elements[3].node, at: elements[3].path)
    let members = reader.members(of: elements[4].node, at: elements[4].path, known: [])
    #expect(text == nil && flag == nil && number == nil && list == nil && members == nil)
    let findings = reader.diagnostics.map { "\($0.code.rawValue) \($0.message) \($0.place ?? "")" }
    #expect(
      findings == [
        "DS0002 expected a string, found a number file.json:1:2  [0]",
        "DS0002 expected `true` or `false`, found null file.json:2:2  [1]",
        "DS0002 expected a whole number, found 1.5, which has a fraction or an exponent file.json:2:8  [2]",
        "DS0002 expected an array, found an object file.json:2:13  [3]",
        "DS0002 expected an object, found a string file.json:2:17  [4]",
      ])
  }

  @Test("does not take a warning for an error")
  func warnings() throws {
    var reader = try reader("{}")
    reader.report(DocumentDiagnostic.Code(rawValue: "DS9999"), "look", at: 0, path: EventPath(), severity: .warning)
    #expect(!reader.hasErrors)
    #expect(reader.diagnostics.count == 1)
  }

  @Test(
    "says what a document is that is not JSON",
    arguments: [
      (Array("<!doctype html><p>Sign in".utf8), "a web page"), (Array("revision: 3\nsalt: a\n".utf8), "YAML"),
      (Array("---\nrevision: 3\n".utf8), "YAML"), ([0x8B, 0x02, 0x80, 0x7B], "brotli"), (Array("{,}".utf8), "trailing"),
      (Array("{\n  \"a\": <p>".utf8), ""),
      (Array("\u{FEFF}{,}".utf8), "trailing"), (Array("é".utf8), ""),
    ] as [([UInt8], String)])
  func otherFormats(bytes: [UInt8], hint: String) {
    let error = #expect(throws: DocumentError.self) { try DocumentReader(bytes, name: nil) }
    let help = error?.diagnostics.first?.help ?? ""
    #expect(hint.isEmpty ? help.isEmpty : help.contains(hint))
  }
}
