import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendSource
import DualSendTool
import Testing

@Suite("dualsend coverage --inventory", .timeLimit(.minutes(5)))
struct InventoryCoverageTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(
    _ sites: [CallSite], _ table: String? = nil, _ arguments: String..., on recording: RecordingTerminal? = nil
  ) async throws -> CommandStatus {
    let inventory = try folder.file("calls.jsonl", Inventory(sites).jsonLines)
    let files = try ["--inventory", inventory] + (table.map { [try folder.table($0)] } ?? [])
    return await DualSendCommand.run(
      ["table", "coverage"] + files + arguments, on: (recording ?? self.recording).terminal)
  }

  private func site(
    _ line: Int, _ name: String?, _ keys: [String: SentType] = [:], isPattern: Bool = false, isOpen: Bool = false
  ) -> CallSite {
    let parameters = keys.map { SentParameter(key: $0.key, isOptional: false, types: [$0.value]) }
    let event = name.map { SentEvent(name: $0, isPattern: isPattern, isOpen: isOpen, parameters: parameters) }
    let isExact = name != nil && !isPattern && !isOpen
    return CallSite(
      file: "App/Feed.swift", line: line, column: 7, type: "Feed", function: "tap(_:)",
      open: isExact ? [] : ["it is built elsewhere"], events: event.map { [$0] } ?? [])
  }

  @Test("is clean where every event and key has a row, and every row a call site")
  func clean() async throws {
    let table = #"{"*": {"parameters": {"uid": "user"}}, "tap": {"parameters": {"ctx": "context", "id": "item"}}}"#
    let status = try await run(
      [site(1, "tap", ["uid": .string, "ctx.screen": .string, "id": .int])], table, "--strict")
    #expect(status == .clean)
    #expect(recording.results == "1 call site, 1 event: 1 exact (100.00 %), 0 partial (0.00 %), 0 dynamic (0.00 %)\n")
    #expect(recording.diagnostics.isEmpty)
  }

  @Test("names the place of a call site without an entry, as an annotation of a pull request")
  func annotation() async throws {
    #expect(try await run([site(12, "home.tpa")], #"{"home.tap": {}}"#, "--format", "github") == .findings)
    #expect(
      recording.diagnostics.contains(
        "::error file=App/Feed.swift,line=12,col=7,title=DS1002::the event `home.tpa` has no entry in the table%0A"
          + "note: in `Feed.tap(_:)`%0Ahelp: did you mean `home.tap`? "))
    #expect(recording.diagnostics.contains("title=DS1004::no call site sends `home.tap`"))
  }

  @Test("warns of a key that is kept without a row, and fails for one that is dropped")
  func keys() async throws {
    let sites = [site(1, "keep", ["a": .int]), site(2, "drop", ["b": .int, "c": .int])]
    let table = #"{"keep": {}, "drop": {"parameters": {"c": "d"}, "unmapped": "drop"}}"#
    #expect(try await run(sites, table) == .findings)
    #expect(recording.diagnostics.contains("warning[DS1003]: `a` of `keep` has no row: it stays unchanged\n"))
    #expect(recording.diagnostics.contains("error[DS1003]: `b` of `drop` has no row: it is dropped\n"))
    let strict = RecordingTerminal()
    #expect(try await run(sites, table, "--strict", on: strict) == .findings)
    #expect(strict.diagnostics.contains("error[DS1003]: `a` of `keep`"))
  }

  @Test("says once what many call sites have in common, within the limit, and passes keys that are kept")
  func grouped() async throws {
    let kept = (1...50).map { site($0, "event.\($0 % 10)", ["course": .int, "k\($0)": .int]) }
    let table = "{" + (0..<10).map { #""event.\#($0)": {}"# }.joined(separator: ",") + "}"
    #expect(try await run(kept, table, "--limit", "3") == .clean)
    #expect(recording.diagnostics.ranges(of: "DS1003").count == 4)
    #expect(recording.diagnostics.contains("… and 48 more findings DS1003; see --limit\n"))
    #expect(recording.diagnostics.contains("nor in `event.0`, `event.2`, `event.3` and 6 more\n"))
    #expect(recording.diagnostics.contains("and at 49 other call sites\n"))

    let all = RecordingTerminal()
    #expect(try await run(kept, table, "--format", "github", on: all) == .clean)
    #expect(all.diagnostics.ranges(of: "title=DS1003").count == 100)

    let unknown = RecordingTerminal()
    #expect(try await run((1...9).map { site($0, "gone") }, #"{"tap": {}}"#, on: unknown) == .findings)
    #expect(unknown.diagnostics.ranges(of: "error[DS1002]").count == 1)
    #expect(unknown.diagnostics.contains("and at 8 other call sites"))
  }

  @Test("says of no row that nobody sends it while an open call site may")
  func openCallSites() async throws {
    let table = #"{"tap": {"parameters": {"id": "item", "gone": "lost"}}, "view.home": {}, "never": {}}"#
    let exact = site(1, "tap", ["id": .int])
    #expect(try await run([exact], table) == .findings)
    #expect(recording.diagnostics.contains("no call site sends `gone` with `tap`"))
    #expect(recording.diagnostics.contains("table.json:1:"))
    #expect(recording.diagnostics.contains("no call site sends `never`"))

    let pattern = RecordingTerminal()
    #expect(try await run([exact, site(2, "view.*", isPattern: true)], table, on: pattern) == .findings)
    #expect(!pattern.diagnostics.contains("view.home"))
    #expect(pattern.results.contains("(all)                 view.home  1 open call site\n"))
    #expect(pattern.diagnostics.contains("no call site sends `never`"))

    let dynamic = RecordingTerminal()
    #expect(try await run([exact, site(3, nil)], table, on: dynamic) == .clean)
    #expect(dynamic.results.contains("gone"))

    let openKeys = RecordingTerminal()
    #expect(
      try await run(
        [site(1, "tap", ["id": .int], isOpen: true)], #"{"tap": {"parameters": {"x": "y"}}}"#, "--format", "json",
        on: openKeys) == .clean)
    #expect(openKeys.results.contains(#"{"event":"tap","openCallSites":1,"source":"x"}"#))
  }

  @Test("names both places of a key that has two types")
  func conflicts() async throws {
    let sites = [site(1, "tap", ["id": .int]), site(9, "tap", ["id": .string]), site(20, "tap", ["id": .null])]
    #expect(try await run(sites) == .findings)
    #expect(recording.diagnostics.contains("error[DS1005]: `id` of `tap` is string here and int elsewhere"))
    #expect(recording.diagnostics.contains("App/Feed.swift:9:7"))
    #expect(recording.diagnostics.contains("int at App/Feed.swift:1:7"))
  }

  @Test("names what only the stream or only the code has")
  func stream() async throws {
    let events = try folder.file("events.jsonl", "{\"name\": \"tap\"}\n{\"name\": \"ghost\"}\n{\"name\": \"ghost\"}\n")
    #expect(try await run([site(1, "tap"), site(2, "view")], nil, "--events", events) == .findings)
    #expect(recording.diagnostics.contains("`ghost` was seen 2 times, and no call site sends it"))
    #expect(recording.diagnostics.contains("warning[DS1007]: `view` was never seen\n  --> App/Feed.swift:2:7"))
    #expect(!recording.diagnostics.contains("`tap` was"))
  }

  @Test("refuses an inventory that is none, and a command line without anything to hold it against")
  func refused() async throws {
    let words = try folder.file("words", "{\"name\": 1}\n")
    #expect(
      await DualSendCommand.run(["table", "coverage", "--inventory", words], on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.contains("words:1:"))
    let empty = RecordingTerminal()
    #expect(try await run([], #"{"tap": {}}"#, on: empty) == .couldNotRun)
    #expect(empty.diagnostics.contains("lists no call site"))
    #expect(
      await DualSendCommand.run(["table", "coverage", "--events", words], on: RecordingTerminal().terminal) == .usage)
    #expect(await DualSendCommand.run(["table", "coverage", words], on: RecordingTerminal().terminal) == .usage)
  }
}
