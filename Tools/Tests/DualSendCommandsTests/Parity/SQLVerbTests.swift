import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendJourney
import Foundation
import Testing

@testable import DualSendCommands

/// What the query says of streams is for `scripts/check sql`, which runs it.
@Suite("dualsend sql")
struct SQLVerbTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
    try folder.write("table.json", #"{"formatVersion":1,"events":{"a":{"name":"it's","parameters":{"x":"y"}}}}"#)
  }

  private func sql(
    _ more: String..., table: String = "table.json", dialect: String = "duckdb"
  ) async -> (CommandStatus, RecordingTerminal) {
    let terminal = RecordingTerminal()
    let arguments = ["sql", "--remap", folder.path(table), "--dialect", dialect]
    return (await DualSendCommand.run(arguments + more, on: terminal.terminal), terminal)
  }

  @Test("writes the same statements every time, names in quotes and the report last")
  func query() async {
    let (status, terminal) = await sql()
    #expect(status == .clean)
    #expect(terminal.results.contains("'it''s'"))
    #expect(terminal.results.contains("FROM old_lines\n"))
    #expect(terminal.results.hasSuffix(";\n"))
    #expect(await sql().1.results == terminal.results)
  }

  @Test("reads the relations that it is told, and takes nothing else for a name")
  func relations() async {
    #expect(await sql("--old", "events.old_lines").1.results.contains("FROM events.old_lines\n"))
    for name in ["", "a b", "x;y", "1a", "a..b"] { #expect(await sql("--new", name).0 == .usage) }
  }

  @Test("refuses a default that is a container, with its place")
  func containerDefault() async throws {
    try folder.write(
      "refused.json",
      #"{"formatVersion":1,"events":{"a":{"parameters":{"x":{"to":"y","default":[]}}}}}"#)
    let (status, terminal) = await sql(table: "refused.json")
    #expect(status == .couldNotRun)
    #expect(terminal.results.isEmpty)
    #expect(terminal.diagnostics.contains("DS0801"))
    #expect(terminal.diagnostics.contains("refused.json:1:73"))
  }

  @Test("gives the statements as a member of an object, and what it refuses as JSON, where JSON is asked for")
  func json() async throws {
    let (status, terminal) = await sql("--format", "json")
    #expect(status == .clean)
    #expect(terminal.results.hasPrefix(#"{"dialect":"duckdb","sql":""#))
    #expect((try? JSONReader().value(terminal.results.utf8)) != nil)
    try folder.write(
      "refused.json", #"{"formatVersion":1,"events":{"a":{"parameters":{"x":{"to":"y","default":[]}}}}}"#)
    let refused = await sql("--format", "json", table: "refused.json").1
    #expect(refused.diagnostics.hasPrefix(#"[{"code":"DS0801""#))
  }

  @Test("ends a statement for Spark at the end of a line, and no literal has one")
  func statementsForSpark() async throws {
    try folder.write(
      "lines.json", #"{"formatVersion":1,"events":{"a;\n${b}":{"name":"it's","add":{"x":"\\ \u0000;\n"}}}}"#)
    let (status, terminal) = await sql(table: "lines.json", dialect: "spark")
    #expect(status == .clean)
    #expect(terminal.results.contains(#"'a;\u000a\u0024{b}'"#))
    #expect(terminal.results.contains(#"'it\'s'"#))
    #expect(terminal.results.contains(#"'"\\\\ \\u0000;\\n"'"#))
    let statements = terminal.results.components(separatedBy: ";\n").map {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let begins = ["CREATE", "DROP", "--"]
    #expect(statements.dropLast().allSatisfy { statement in begins.contains { statement.hasPrefix($0) } })
    #expect(statements.count > 100)
  }

  @Test("refuses for Spark, with its place, what needs a normal form of Unicode", arguments: ["duckdb", "spark"])
  func normalForms(dialect: String) async throws {
    let decomposed = "e\u{301}"
    try folder.write(
      "decomposed.json",
      #"{"formatVersion":1,"events":{"a":{"parameters":{"y":"\#(decomposed)"},"add":{"\#(decomposed)z":1}}}}"#)
    let (status, terminal) = await sql(table: "decomposed.json", dialect: dialect)
    #expect(status == (dialect == "duckdb" ? .clean : .couldNotRun))
    guard dialect == "spark" else { return }
    #expect(terminal.diagnostics.contains("decomposed.json:1:53"))
    #expect(terminal.diagnostics.contains("decomposed.json:1:66"))
    #expect(terminal.diagnostics.components(separatedBy: "DS0801").count == 3)
  }

  @Test("takes the ignored paths of a normalisation, and refuses what changes payloads")
  func normalisation() async throws {
    try folder.write("ignoring.json", #"{"formatVersion":1,"preset":"none","maximumParameters":null,"ignore":["y"]}"#)
    let (status, terminal) = await sql("--normalise", folder.path("ignoring.json"))
    #expect(status == .clean)
    #expect(terminal.results.contains("('/y')"))
    try folder.write("cutting.json", #"{"formatVersion":1,"maximumStringLength":5}"#)
    let refused = await sql("--normalise", folder.path("cutting.json"))
    #expect(refused.0 == .couldNotRun)
    #expect(refused.1.diagnostics.contains("cutting.json:1:20"))
    #expect(await sql("--normalise", "firebase").0 == .couldNotRun)
  }
}
