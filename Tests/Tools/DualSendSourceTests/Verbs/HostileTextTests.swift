import DualSendCommandLine
import DualSendSource
import Foundation
import Testing

@Suite("Hostile text in sources and names", .timeLimit(.minutes(5)))
struct HostileTextTests {
  private let app: TemporaryApp
  private static let long = String(repeating: "A", count: 10_000)
  private static let table = #"{"formatVersion": 1, "events": {}}"#

  init() throws {
    app = try TemporaryApp()
    let name = HostileText.text.unicodeScalars.map { "\\u{" + String($0.value, radix: 16) + "}" }.joined()
    try app.write(
      "Hostile.swift",
      """
      let logger = EventLogger(1)
      func f(_ text: String) {
        logger.logEvents(name: "\(name)", parameters: [["\(name)": text]])
        logger.logEvents(name: "\(Self.long)", parameters: [["\(Self.long)": unknown()]])
        logger.logEvents(name: "[link](http://x) \\(text)", parameters: [[:]])
        /*
        ::error::forged \u{1B}[2J \u{202E}
        */
        logger.logEvents(name: unknown("\u{202E}"), parameters: [[:]])
      }
      """)
  }

  @Test("reaches no terminal, whatever the form", arguments: ["text", "json", "sarif"])
  func terminal(form: String) async {
    let run = await VerbRun.of(["inventory", app.path, "--format", form], isTerminal: true)
    #expect(run.status == .clean)
    #expect(HostileText.faults(in: run.results, form: form == "text" ? nil : form) == [])
    #expect(run.diagnostics.filter { $0 != "\r" && $0 != "\u{1B}" }.contains("forged") == false)
  }

  @Test("is cut short in text, and in the messages of SARIF, in which it makes no links either")
  func bounded() async throws {
    let text = await VerbRun.of(["inventory", app.path])
    #expect(HostileText.faults(in: text.results, form: nil) == [])
    #expect(text.results.utf8.count < 6_000)
    let sarif = await VerbRun.of(["inventory", app.path, "--format", "sarif"])
    #expect(HostileText.faults(in: sarif.results, form: "sarif") == [])
    #expect(sarif.results.utf8.count < 8_000)
    #expect(sarif.results.contains(#"`\\[link\\](http://x)"#))
  }

  @Test("in a list of new names reaches no terminal, and its CSV no spreadsheet", arguments: ["text", "json", "csv"])
  func renamings(form: String) async throws {
    let table = try app.write(
      "table.json", #"{"formatVersion": 1, "events": {"formula": {"name": "=cmd|'/c'!A1\\u001b[2J"}}}"#)
    try app.write("More.swift", "func f() { logger.logEvents(name: \"formula\", parameters: [[:]]) }")
    let run = await VerbRun.of(["inventory", app.path, "--remap", table, "--format", form], isTerminal: true)
    #expect(run.status == .clean)
    #expect(HostileText.faults(in: run.results, form: form == "text" ? nil : form) == [])
    #expect(run.results.contains(",'=cmd") == (form == "csv"))
  }

  @Test("in a file's name is printed as it is nowhere", arguments: ["text", "sarif"])
  func names(form: String) async throws {
    let name = "\u{1B}]0;x\u{7}\n::error::forged\n\u{202E}.swift"
    try app.write(name, "func f() { logger.logEvents(name: \"a\") }")
    try app.write("\n::error::broken.swift", "func f( {")
    let run = await VerbRun.of(["inventory", app.path, "--format", form])
    #expect(run.status == .findings)
    #expect(HostileText.faults(in: run.results, form: form) == [])
    #expect(HostileText.faults(in: run.diagnostics, form: form) == [])
    let table = try app.write("table.json", Self.table)
    let list = await VerbRun.of(["inventory", "--remap", table, app.path(name)])
    #expect(list.status == .clean)
    #expect(HostileText.faults(in: list.results, form: nil) == [])
    let missing = await VerbRun.of(["inventory", app.path("none" + name)])
    #expect(missing.status == .couldNotRun)
    #expect(HostileText.faults(in: missing.diagnostics, form: nil) == [])
  }

  @Test("in a path of 4,000 characters is cut short")
  func longPath() async throws {
    let folder = (0..<16).map { String(repeating: "\($0 % 10)", count: 200) }.joined(separator: "/")
    try app.write(folder + "/A.swift", "func f(l: any L) { l.logEvents(name: x, parameters: [[:]]) }")
    let run = await VerbRun.of(["inventory", app.path(folder)])
    #expect(run.status == .clean)
    #expect(HostileText.faults(in: run.results, form: nil) == [])
  }
}
