import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Testing

@Suite("Findings on the console", .timeLimit(.minutes(5)))
struct DiagnosticRendererTests {
  private let findings = [
    DocumentDiagnostic(
      .warning, .unknownKey, "50%, or more", file: "b.json", position: DocumentDiagnostic.Position(line: 2, column: 3)),
    DocumentDiagnostic(
      .error, .wrongType, "expected a string", file: "a,b:c.json",
      position: DocumentDiagnostic.Position(line: 14, column: 9),
      path: EventPath([.key("events"), .key("home.tap")]), notes: ["a note"], help: "quote it"),
  ]

  @Test("are sorted by place and separated by a blank line")
  func text() {
    #expect(
      DiagnosticRenderer(.text(isColored: false)).render(findings) == """
        error[DS0002]: expected a string
          --> a,b:c.json:14:9  events."home.tap"
           = note: a note
           = help: quote it

        warning[DS0003]: 50%, or more
          --> b.json:2:3
        """)
  }

  @Test("of one kind are written in full once, and then as one line each")
  func manyOfOneKind() {
    let many = (1...5).map { line in
      DocumentDiagnostic(
        .error, .wrongType, "no `\(line)`", file: "a.json",
        position: DocumentDiagnostic.Position(line: line, column: 1),
        path: EventPath().appending("e"), notes: ["n"], help: "rename")
    }
    let other = DocumentDiagnostic(
      .error, .wrongType, "alone", file: "a.json", position: DocumentDiagnostic.Position(line: 3, column: 9))
    let text = DiagnosticRenderer(.text(isColored: false)).render(many + [other])
    #expect(
      text == """
        error[DS0002]: no `1`
          --> a.json:1:1  e
           = note: n
           = help: rename
           = and 4 more:
             a.json:2:1  e  no `2`; n
             a.json:3:1  e  no `3`; n
             a.json:4:1  e  no `4`; n
             a.json:5:1  e  no `5`; n

        error[DS0002]: alone
          --> a.json:3:9
        """)
    let three = DiagnosticRenderer(.text(isColored: false)).render(Array(many.prefix(3)))
    #expect(three.ranges(of: "= help: rename").count == 3)
  }

  @Test("differ from plain text by nothing but colour")
  func color() {
    let colored = DiagnosticRenderer(.text(isColored: true)).render(findings)
    #expect(colored.hasPrefix("\u{1B}[1;31merror[DS0002]\u{1B}[0m: expected"))
    let plain = colored.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    #expect(plain == DiagnosticRenderer(.text(isColored: false)).render(findings))
  }

  @Test("are one JSON array for programs")
  func json() {
    #expect(
      DiagnosticRenderer(.json).render(findings) == """
        [{"code":"DS0002","column":9,"file":"a,b:c.json","help":"quote it","line":14,"message":"expected a string",\
        "notes":["a note"],"path":"events.\\"home.tap\\"","severity":"error"},\
        {"code":"DS0003","column":3,"file":"b.json","line":2,"message":"50%, or more","severity":"warning"}]
        """)
  }

  @Test("are annotations, escaped, for GitHub")
  func github() {
    #expect(
      DiagnosticRenderer(.github).render(findings) == """
        ::error file=a%2Cb%3Ac.json,line=14,col=9,title=DS0002::expected a string%0Anote: a note%0Ahelp: quote it
        ::warning file=b.json,line=2,col=3,title=DS0003::50%25, or more
        """)
  }

  @Test(
    "are coloured on a terminal only, and never against NO_COLOR",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
    ])
  func colorChoice(_ isTerminal: Bool, _ environment: [String: String], _ isColored: Bool) {
    let recording = RecordingTerminal(isTerminal: isTerminal, environment: environment)
    recording.terminal.report(findings)
    #expect(recording.diagnostics.contains("\u{1B}[") == isColored)
  }

  @Test("go to the diagnostics' side, and none write nothing")
  func streams() {
    let recording = RecordingTerminal()
    recording.terminal.report([])
    #expect(recording.diagnostics.isEmpty)
    recording.terminal.report(findings, format: .json)
    #expect(recording.results.isEmpty)
    #expect(recording.diagnostics.hasSuffix("]\n"))
  }
}
