import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend validate", .timeLimit(.minutes(5)))
struct ValidateVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(["validate"] + arguments, on: recording.terminal)
  }

  private static func fixtures(_ folder: String) throws -> [String] {
    let folder = LegacyFiles.folder.appendingPathComponent(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }.sorted().map { folder.appendingPathComponent($0).path }
  }

  @Test(
    "finds nothing in the valid documents of any kind",
    arguments: ["rollout/valid", "remapping/valid", "normalisation/valid", "specification/valid", "guard/valid"])
  func valid(_ folder: String) async throws {
    let files = try Self.fixtures(folder)
    #expect(await DualSendCommand.run(["validate"] + files, on: recording.terminal) == .clean)
    #expect(recording.results.hasSuffix("\(files.count) documents: 0 errors, 0 warnings\n"))
    #expect(recording.diagnostics.isEmpty)
  }

  @Test(
    "refuses every invalid document",
    arguments: [
      "rollout/invalid", "rollout/invalid/beyond-schema", "remapping/invalid", "normalisation/invalid",
      "specification/invalid", "guard/invalid", "guard/invalid/beyond-schema",
    ]
  )
  func invalid(_ folder: String) async throws {
    for file in try Self.fixtures(folder) {
      #expect(await run(file) == .findings, "\(file)")
    }
  }

  @Test("reads a specification in Markdown: a folder, or one file of it")
  func markdown() async throws {
    let events = folder.path("Events")
    try FileManager.default.createDirectory(atPath: events, withIntermediateDirectories: true)
    try folder.write("Events/good.md", "# good\n")
    #expect(await run(events) == .clean)
    #expect(recording.results == "1 document: 0 errors, 0 warnings\n")
    try folder.write("Events/bad.md", "# bad\n\n## Parameterz\n")
    #expect(await run(events, events + "/bad.md") == .findings)
    #expect(recording.diagnostics.contains("\(events)/bad.md:3:1  bad\n"))
    #expect(recording.results.hasSuffix("2 documents: 2 errors, 0 warnings\n"))
  }

  @Test("proves on demand that an open breaker leaves no unit without a sink, at each step of a schedule")
  func breaker() async throws {
    let file = try folder.rollout(
      #"""
      "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100, "rules": [
        {"match": {"events": ["a"]}, "shouldSendLogToOldLogger": 100,
          "shouldSendLogToNewTracker": {"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": 25}]}}]
      """#)
    #expect(await run(file, "--breaker") == .clean)
    #expect(
      recording.results.hasPrefix(
        """
        \(file):
        breakers (shares of all units):
            * (all events without a closer pattern): up to 100 % can step back; up to 100 % have only the new tracker; \
        events without a unit ID can
            a: up to 100 % can step back; up to 0 % have only the new tracker; events without a unit ID can
            while a breaker is open, no unit is left without a sink
        from 2026-01-01T00:00:00.000Z on, breakers (shares of all units):
        """))
    #expect(
      recording.results.contains("    a: up to 25 % can step back; up to 0 % have only the new tracker\n"))
    let json = RecordingTerminal()
    #expect(
      await DualSendCommand.run(["validate", file, "--breaker", "--format", "json"], on: json.terminal) == .clean)
    #expect(json.results.contains(#""leavesUnitsWithoutSink":false"#))
  }

  @Test("names the place, the fact and the way out")
  func finding() async throws {
    let file = try folder.rollout(#""shouldSendLogToNewTraker": 5"#)
    #expect(await run(file) == .findings)
    #expect(
      recording.diagnostics == """
        error[DS0003]: unknown key `shouldSendLogToNewTraker`
          --> \(file):1:53  shouldSendLogToNewTraker
           = help: did you mean `shouldSendLogToNewTracker`?

        """)
    #expect(recording.results == "1 document: 1 error, 0 warnings\n")
  }

  @Test("proves a rollout: a rule that never decides is a warning, and fails only when asked to")
  func warnings() async throws {
    let rule = #"{"shouldSendLogToNewTracker": 5}"#
    let file = try folder.rollout(#""rules": [\#(rule), \#(rule)]"#)
    #expect(await run(file) == .clean)
    #expect(recording.diagnostics.contains("warning[DS0222]"))
    #expect(recording.results == "1 document: 0 errors, 1 warning\n")
    #expect(await run(file, "--strict") == .findings)
  }

  @Test("says whether a table can be undone, and what stands in the way")
  func inversion() async throws {
    let table = try folder.table(#"{"e": {"parameters": {"a": "b"}}}"#)
    #expect(await run(table) == .clean)
    #expect(
      recording.results == "\(table) can be undone if no old event has a name or key that it writes: "
        + "dualsend remap --inverse\n1 document: 0 errors, 0 warnings\n")
    let drops = try folder.file(
      "drops.json", #"{"formatVersion": 1, "events": {"e": {"parameters": {"a": null}}, "f": {"name": "e"}}}"#)
    let other = RecordingTerminal()
    #expect(await DualSendCommand.run(["validate", drops, "--format", "json"], on: other.terminal) == .clean)
    #expect(
      other.results.hasSuffix(
        #""tables":[{"file":"\#(drops)","isInvertible":false,"obstacles":["`e`, `a`: the value is dropped","#
          + #""`f`: gets the same name as `e`"]}],"unreadable":[],"warnings":1}"# + "\n"))
  }

  @Test("goes on after a file that cannot be read, and ends with 2")
  func unreadable() async throws {
    let table = try folder.table("{}")
    #expect(await run("/no/such/file", table) == .couldNotRun)
    #expect(recording.diagnostics.hasPrefix("error: cannot read /no/such/file: "))
    #expect(recording.results.hasSuffix("\n1 document: 0 errors, 0 warnings; 1 file could not be read\n"))
  }

  @Test("checks every document of a folder, and names one without any")
  func documentsOfFolder() async throws {
    for name in ["Documents/b", "Documents/empty", "Documents/.hidden"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write("Documents/table.json", #"{"formatVersion": 1, "events": {}}"#)
    try folder.write("Documents/b/cut.json", "{")
    try folder.write("Documents/.hidden/cut.json", "{")
    #expect(await run(folder.path("Documents")) == .findings)
    #expect(recording.results.hasSuffix("2 documents: 1 error, 0 warnings\n"))
    #expect(recording.diagnostics.contains("Documents/b/cut.json:1:2"))
    #expect(await run(folder.path("Documents/empty")) == .couldNotRun)
    #expect(recording.diagnostics.contains("empty holds no document"))
  }

  @Test("refuses a document that is of no kind", arguments: ["{}", "[]", #"{"formatVersion": 1}"#])
  func none(_ text: String) async throws {
    #expect(await run(try folder.file("other.json", text)) == .findings)
    #expect(recording.diagnostics.hasPrefix("error[DS0403]: "))
  }

  @Test("gives one JSON object with the findings as its result")
  func json() async throws {
    let file = try folder.file("cut.json", "{")
    #expect(await run(file, "--format", "json") == .findings)
    #expect(recording.diagnostics.isEmpty)
    #expect(
      recording.results.hasPrefix(#"{"documents":1,"errors":1,"findings":[{"code":"DS0001","column":2,"file":"#))
    #expect(recording.results.hasSuffix(#""tables":[],"unreadable":[],"warnings":0}"# + "\n"))
  }

  @Test("gives annotations to a GitHub workflow")
  func github() async throws {
    let file = try folder.file("cut.json", "{")
    #expect(await run(file, "--format", "github") == .findings)
    #expect(recording.diagnostics.hasPrefix("::error file=\(file),line=1,col=2,title=DS0001::"))
  }
}
