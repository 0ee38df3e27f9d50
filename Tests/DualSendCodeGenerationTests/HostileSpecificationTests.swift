import DualSendCodeGeneration
import DualSendCore
import Testing

@Suite("Hostile specifications", .timeLimit(.minutes(5)))
struct HostileSpecificationTests {
  @Test("CR LF, CR and a byte order mark change nothing")
  func lineEnds() throws {
    let text = "# e\n\nFirst.\nSecond.\n\n## Parameters\n\n- `a` (int): One\n  line more.\n\n## Discussion\n\nX\n"
    let plain = try markdown(text)
    #expect(plain.events.first?.parameters.first?.description == "One\nline more.")
    for end in ["\r\n", "\r"] { #expect(try markdown(text.replacing("\n", with: end)) == plain) }
    #expect(try markdown("\u{FEFF}" + text) == plain)
  }

  @Test("five megabytes are refused at once as Markdown, and read in linear time as JSON")
  func large() throws {
    let long = String(repeating: "- `a` (int)\n", count: 5 << 20 / 12)
    #expect(codes { try markdown("# e\n\n## Parameters\n\n" + long) } == ["DS0301"])
    let keys = (0..<60_000).map { #""key_\#($0)": {"type": "int", "description": "Number \#($0)."}"# }
    let json = #"{"formatVersion": 1, "specification": {"e": {"parameters": {\#(keys.joined(separator: ","))}}}}"#
    #expect(json.utf8.count > 3 << 20)
    #expect(try EventSpecification(reading: json.utf8).events.first?.parameters.count == 60_000)
  }

  @Test("of a hundred thousand faults the first hundred are named and the others counted")
  func bounded() {
    let lines = String(repeating: "x\n", count: 100_000)
    let error = #expect(throws: DocumentError.self) { try markdown("# e\n\n## Parameters\n\n" + lines) }
    #expect(error?.diagnostics.count == 101)
    #expect(error?.diagnostics.last?.message == "and 99900 more, from here on")
    #expect(error?.diagnostics.last?.position?.line == 105)
    let files = (0..<5000).map { EventSpecification.MarkdownFile(name: "\($0).md", bytes: Array("none".utf8)) }
    let found = codes { try EventSpecification(markdown: files) }
    #expect(found.count == 101)
    #expect(found.last == "DS0006")
  }

  @Test("every fault of several files is named in one run, with file, line and column")
  func places() {
    let files = [
      EventSpecification.MarkdownFile(name: "b.md", bytes: Array("# a.b\n\n## Parameters\n\n- `x` (in)\n".utf8)),
      EventSpecification.MarkdownFile(name: "a.md", bytes: Array("# a_b\n\n## Paramters\n".utf8)),
    ]
    let error = #expect(throws: DocumentError.self) { try EventSpecification(markdown: files) }
    #expect(
      error?.description == """
        error[DS0303]: unknown section `Paramters`
          --> a.md:3:1  a_b
           = help: did you mean `## Parameters`?

        error[DS0310]: `a.b` becomes the Swift type `AB`, as `a_b` does
          --> b.md:1:1  "a.b"
           = note: the other one: a.md:1:1  a_b
           = help: give one of them another Swift name

        error[DS0305]: unknown type `in`
          --> b.md:5:8  "a.b"
           = help: did you mean `int`? one of `string`, `int`, `double`, `bool`, `date`, `object`, `string[]`, `int[]`, \
        `double[]`, `bool[]`, `date[]`, `object[]`
        """)
  }

  @Test("texts that Unicode calls equal are told apart by their bytes, and refused together")
  func equivalent() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(try markdown("# \(composed)") != markdown("# \(decomposed)"))
    let files = [composed, decomposed].map { EventSpecification.MarkdownFile(name: "x", bytes: Array("# \($0)".utf8)) }
    #expect(codes { try EventSpecification(markdown: files) } == ["DS0307"])
    let twice = EventSpecification.Parameter(
      key: "a", type: ParameterType(.string), values: [.string(composed), .string(decomposed)])
    #expect(throws: DocumentError.self) {
      try EventCodeGenerator().code(for: specification(.init(name: "e", parameters: [twice])))
    }
  }

  @Test("a specification that was put together in code is checked before it is written")
  func unread() {
    let same = EventSpecification.Event(name: "e")
    let error = #expect(throws: DocumentError.self) { try EventCodeGenerator().code(for: specification(same, same)) }
    #expect(error?.diagnostics.map(\.code.rawValue) == ["DS0307"])
  }

  @Test("names in backticks hold backticks, spaces and brackets", arguments: ["a`b", "``", " a ", "a (int)", "#"])
  func codeSpans(_ name: String) throws {
    let event = EventSpecification.Event(name: name, parameters: [.init(key: name, type: ParameterType(.int))])
    #expect(try markdown(#require(event.markdown)) == specification(event))
  }
}
