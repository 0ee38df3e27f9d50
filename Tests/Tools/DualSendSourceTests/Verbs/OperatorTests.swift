import DualSendCommandLine
import DualSendSource
import Foundation
import Testing

@Suite("What an operator names by mistake", .timeLimit(.minutes(5)))
struct OperatorTests {
  private let app: TemporaryApp
  private static let call = "func f(l: any L) { l.logEvents(name: \"a\", parameters: [[:]]) }\n"

  init() throws {
    app = try TemporaryApp()
    try app.write("Good.swift", Self.call)
  }

  private func inventory(_ paths: String...) async -> VerbRun { await VerbRun.of(["inventory"] + paths) }

  /// What passed-over files are said to be.
  private func reason(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async -> String {
    let run = await inventory(path)
    #expect(run.status == .findings, sourceLocation: sourceLocation)
    #expect(run.results.contains("; 1 file passed over"), sourceLocation: sourceLocation)
    return run.diagnostics
  }

  @Test("a path that leads nowhere, and a folder without Swift, end the command with 2 and the way out")
  func nothing() async throws {
    let missing = await inventory(app.path("none"), app.path)
    #expect(missing.status == .couldNotRun)
    #expect(missing.results == "")
    #expect(missing.diagnostics.contains("there is no such file") && missing.diagnostics.contains("= help:"))
    try app.write("Empty/notes.txt", "nothing")
    let empty = await inventory(app.path("Empty"))
    #expect(empty.status == .couldNotRun)
    #expect(empty.diagnostics.contains("no Swift file in"))
  }

  @Test("devices, pipes and sockets are not read, whoever names them")
  func devices() async throws {
    #expect(await reason("/dev/zero").contains("it is no file"))
    #expect(await reason("/dev/null").contains("it is no file"))
    #expect(mkfifo(app.path("Pipe.swift"), 0o600) == 0)
    #expect(await reason(app.path("Pipe.swift")).contains("it is no file: a pipe"))
    let whole = await inventory(app.path)
    #expect(whole.status == .findings)
    #expect(whole.results.contains("1 place that logs in 1 file"))
  }

  @Test("a folder that is called like a file is a folder")
  func folderLikeAFile() async throws {
    try app.write("Odd.swift/Inner.swift", Self.call)
    let run = await inventory(app.path)
    #expect(run.status == .clean)
    #expect(run.results.contains("2 places that log in 2 files"))
  }

  @Test("binary, other encodings and what is too long are passed over")
  func notText() async throws {
    try app.write("Binary.swift", Data([0xCF, 0xFA, 0xED, 0xFE, 0, 0, 1, 0xFF]))
    #expect(await reason(app.path("Binary.swift")).contains("it is not UTF-8"))
    try app.write(
      "Wide.swift", Data([0xFF, 0xFE]) + Data(Self.call.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }))
    #expect(await reason(app.path("Wide.swift")).contains("it is not UTF-8"))
    try app.write("Long.swift", "")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: app.path("Long.swift")))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    #expect(await reason(app.path("Long.swift")).contains("it is longer than 64 MiB"))
  }

  @Test("a byte-order mark and Windows' line ends change nothing")
  func marks() async throws {
    try app.write("Good.swift", "\u{FEFF}//\r\n\r\n" + Self.call.replacing("\n", with: "\r\n"))
    let run = await VerbRun.of(["inventory", app.path, "--format", "json"])
    #expect(try Inventory(run.results.utf8).callSites.map { [$0.line, $0.column] } == [[3, 20]])
  }

  @Test("links are not followed below a folder, and one that leads out of it is named")
  func links() async throws {
    let outside = try TemporaryApp()
    try outside.write("Outside.swift", Self.call)
    try app.link("loop", to: ".")
    try app.link("self", to: "self")
    try app.link("Again.swift", to: "Good.swift")
    try app.link("Dangling.txt", to: "none")
    let loop = await inventory(app.path)
    #expect(loop.status == .clean)
    #expect(loop.results.contains("1 place that logs in 1 file"))
    try app.link("Out.swift", to: outside.path("Outside.swift"))
    try app.link("out", to: outside.path)
    let out = await inventory(app.path)
    #expect(out.status == .findings)
    #expect(out.results.contains("in 1 file of 1 line") && out.results.contains("; 2 files passed over"))
    #expect(out.diagnostics.contains("it is a link that leads out of what is read"))
    #expect(await inventory(app.path, outside.path).status == .clean)
    #expect(await inventory(app.path("Out.swift")).results.contains("1 place that logs in 1 file"))
  }

  @Test("the same file twice is read once")
  func twice() async {
    let run = await inventory(app.path("Good.swift"), app.path("Good.swift"))
    #expect(run.results.contains("1 place that logs in 1 file"))
  }

  @Test("what another user may not read is named, files and folders", .enabled(if: AnotherUser.isPossible))
  func unreadable() throws {
    try app.write("Shut/Inner.swift", Self.call)
    try app.write("Shut.swift", Self.call)
    try app.setMode("Shut", 0)
    try app.setMode("Shut.swift", 0)
    defer { try? app.setMode("Shut", 0o755) }
    try app.setMode("", 0o755)
    let run = try AnotherUser.run(["inventory", app.path], in: app)
    #expect(run.status == 1)
    #expect(
      run.results.contains("1 place that logs in 1 file of 1 line") && run.results.contains("2 files passed over"))
    #expect(run.diagnostics.contains("it is a folder that cannot be looked into") || run.diagnostics.contains("Shut"))
    #expect(run.diagnostics.contains("it cannot be read: Permission denied"))
  }
}
