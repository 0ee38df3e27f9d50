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

  private func finish(_ arguments: String...) async -> VerbRun {
    await VerbRun.of(["rewrite", "finish", "--remap", app.path("table.json"), app.path] + arguments)
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
    let run = await finish("--write")
    #expect(run.status == .clean)
    #expect(
      run.diagnostics.contains("2 calls written anew, none left; without use now: \(app.path("table.json")), and"))
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
    #expect(await finish("--write").status == .clean)
    let after = before.replacing(
      "l.logEvents(name: \"home.view\", parameters: [[:]])",
      with: "tracker.sendLog(name: \"home.shown\", payload: [:])")
    #expect(try app.read("App.swift") == Data(after.utf8))
  }

  @Test("names a file that it could not read, and says of nothing that it is without use")
  func passedOver() async throws {
    try app.write("App.swift", Self.source.replacing("name: tab,", with: #"name: "home.tab","#))
    try app.write("Broken.swift", "let other = EventLogger(\n")
    let run = await finish()
    #expect(run.status == .findings)
    #expect(run.diagnostics.contains("DS1301") && run.diagnostics.contains("Broken.swift:"))
    #expect(run.diagnostics.contains("none left") && !run.diagnostics.contains("without use"))
  }

  @Test("prints differences that `patch` applies, whatever the files are called")
  func patch() async throws {
    for name in ["Two words.swift", "é.swift", "a\"b\\c.swift", "tab\tstop.swift"] {
      try app.write("Below/" + name, Self.source)
    }
    let diff = await finish().results.replacing(app.path + "/", with: "a/")
    try app.write("change.diff", diff)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "apply", "--unsafe-paths", "-p1", "change.diff"]
    process.currentDirectoryURL = app.folder
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for name in ["Two words.swift", "é.swift", "a\"b\\c.swift", "tab\tstop.swift"] {
      #expect(try app.text("Below/" + name).contains("home.shown"), "\(name)")
    }
  }
}
