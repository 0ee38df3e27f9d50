import DualSendCommandLine
import Foundation
import Testing

@Suite("dualsend rewrite", .timeLimit(.minutes(5)))
struct RewriteVerbTests {
  private let app: TemporaryApp
  private static let source = """
    let logger = EventLogger("x")
    func open(tab: String) {
      logger.logEvents(name: "home.view", parameters: [["tab": tab]])
      logger.logEvents(name: tab, parameters: [[:]])
    }

    """

  init() throws {
    app = try TemporaryApp()
    try app.write("App.swift", Self.source)
    try app.write(
      "table.json",
      #"{"formatVersion": 1, "events": {"home.view": {"name": "home.shown", "parameters": {"tab": "page"}}}}"#)
  }

  private func wrap(_ arguments: String...) async -> VerbRun {
    await VerbRun.of(["rewrite", "wrap", "--logger", "EventLogger", "--with", "wrap(_:)", app.path] + arguments)
  }

  private func finish(_ arguments: String...) async -> VerbRun {
    await VerbRun.of(["rewrite", "finish", "--remap", app.path("table.json"), app.path] + arguments)
  }

  @Test("wrap shows the difference and changes nothing until it is told to")
  func wrapping() async throws {
    let shown = await wrap()
    #expect(shown.status == .clean)
    #expect(shown.results.contains("-let logger = EventLogger(\"x\")\n+let logger = wrap(EventLogger(\"x\"))\n"))
    #expect(shown.diagnostics == "1 place to change; --write does it\n")
    #expect(try app.text("App.swift") == Self.source)
    let written = await wrap("--write")
    #expect(written.status == .clean)
    #expect(written.results == shown.results)
    #expect(written.diagnostics == "1 place changed\n")
    #expect(try app.text("App.swift").hasPrefix("let logger = wrap(EventLogger(\"x\"))\n"))
    let again = await wrap("--write")
    #expect(again.status == .findings)
    #expect(again.results == "")
    #expect(again.diagnostics.contains("note: `EventLogger` is made nowhere in 1 file, or is wrapped already"))
  }

  @Test("wrap names a file that it could not look through")
  func wrapPassesOver() async throws {
    try app.write("Broken.swift", "let other = EventLogger(\n")
    let run = await wrap()
    #expect(run.status == .findings)
    #expect(run.diagnostics.contains("DS1301") && run.diagnostics.contains("Broken.swift:"))
    try app.write("Broken.swift", "func unrelated( {\n")
    #expect(await wrap().status == .clean)
  }

  @Test("wrap leaves tests alone, and warns where the logger decides itself or its variable is of its type")
  func wrapWarns() async throws {
    try app.write(
      "Logger.swift",
      """
      final class EventLogger {
        static let shared: EventLogger = EventLogger("x")
        func logEvents(name: String, parameters: [[String: Any]]) {
          guard userHasOptedIn else { return }
          write(name, parameters)
        }
      }

      """)
    try app.write("Tests/LoggerTests.swift", "let tested = EventLogger(\"x\")\n")
    let run = await wrap()
    #expect(run.status == .findings)
    #expect(!run.results.contains("tested") && !run.results.contains("shared"))
    #expect(run.diagnostics.contains("warning[DS1304]: a variable of the type `EventLogger` holds the logger"))
    #expect(run.diagnostics.contains("warning[DS1303]: `EventLogger.logEvents` leaves events out by itself"))
    #expect(run.diagnostics.contains("(`userHasOptedIn`)") && run.diagnostics.contains("Logger.swift:4"))
    #expect(await finish().diagnostics.contains("DS1303"))
  }

  @Test(
    "wrap refuses what is no function of one argument",
    arguments: [
      "wrap", "wrap()", "(_:)", "wrap(a:b:)", "wrap(:)", "a b(_:)", "x; wrap(_:)", "wrap(\n_:)", "try wrap(_:)",
      "wrap(_:) // ", "{ $0 }(_:)", "\u{1B}[2J(_:)", "wrap(_: 1)",
    ])
  func wrongFunction(text: String) async throws {
    let run = await VerbRun.of(["rewrite", "wrap", "--logger", "EventLogger", "--with", text, app.path, "--write"])
    #expect(run.status == .usage)
    #expect(try app.text("App.swift") == Self.source)
    #expect(HostileText.faults(in: run.diagnostics, form: nil) == [])
  }

  @Test("finish writes what is exact anew, and lists what is left with the reason")
  func finishing() async throws {
    let shown = await finish()
    #expect(shown.status == .findings)
    #expect(shown.results.contains(#"+  tracker.sendLog(name: "home.shown", payload: ["page": tab])"#))
    #expect(shown.diagnostics.contains("App.swift:4"))
    #expect(shown.diagnostics.contains("1 call to write anew; --write does it, 1 left"))
    #expect(try app.text("App.swift") == Self.source)
    let written = await finish("--write", "--tracker", "Telemetry.tracker")
    #expect(written.status == .findings)
    #expect(try app.text("App.swift").contains(#"  Telemetry.tracker.sendLog(name: "home.shown", payload: ["page""#))
    let again = await finish("--write")
    #expect(again.results == "")
    #expect(again.diagnostics.contains("0 calls written anew, 1 left"))
  }

  @Test("finish ends with 0 where no call is left")
  func finished() async throws {
    try app.write("App.swift", Self.source.replacing("name: tab,", with: #"name: "home.tab","#))
    #expect(await finish("--write").status == .clean)
  }

  @Test("finish refuses a table that is none, and a tracker that is no expression")
  func refused() async throws {
    #expect(await finish("--tracker", "let x").status == .usage)
    #expect(await finish("--limit", "-1").status == .usage)
    try app.write("table.json", #"{"formatVersion": 1, "events": {"a": {"name": 7}}}"#)
    #expect(await finish().status == .couldNotRun)
    try FileManager.default.removeItem(atPath: app.path("table.json"))
    #expect(await finish().status == .couldNotRun)
    #expect(try app.text("App.swift") == Self.source)
  }

  @Test("keeps byte-order mark, line ends and a last line without one", arguments: ["\n", "\r\n"])
  func everyByte(lineEnd: String) async throws {
    let before =
      "\u{FEFF}// é\nlet a = EventLogger(1)\t\n\n\nfunc f(l: any L) { l.logEvents(name: \"home.view\", parameters: [[:]]) }"
      .replacing("\n", with: lineEnd)
    try app.write("App.swift", before)
    #expect(await wrap("--write").status == .clean)
    #expect(await finish("--write").status == .clean)
    let after = before.replacing("EventLogger(1)", with: "wrap(EventLogger(1))")
      .replacing(
        "l.logEvents(name: \"home.view\", parameters: [[:]])",
        with: "tracker.sendLog(name: \"home.shown\", payload: [:])")
    #expect(try app.read("App.swift") == Data(after.utf8))
  }

  @Test("prints differences that `patch` applies, whatever the files are called")
  func patch() async throws {
    for name in ["Two words.swift", "é.swift", "a\"b\\c.swift", "tab\tstop.swift"] {
      try app.write("Below/" + name, Self.source)
    }
    let diff = await wrap().results.replacing(app.path + "/", with: "a/")
    try app.write("change.diff", diff)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "apply", "--unsafe-paths", "-p1", "change.diff"]
    process.currentDirectoryURL = app.folder
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for name in ["Two words.swift", "é.swift", "a\"b\\c.swift", "tab\tstop.swift"] {
      #expect(try app.text("Below/" + name).contains("wrap(EventLogger"), "\(name)")
    }
  }
}
