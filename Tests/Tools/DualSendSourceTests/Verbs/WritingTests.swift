import DualSendCommandLine
import Foundation
import Testing

/// `--write` changes all files or says which; what it cannot change stays as it was, and nothing is left beside it.
@Suite("What --write leaves", .timeLimit(.minutes(5)))
struct WritingTests {
  private let app: TemporaryApp
  private static let before = "func f(l: any L) { l.logEvents(name: \"open\") }\n"
  private static let after = "func f(l: any L) { tracker.sendLog(name: \"opened\") }\n"
  private static let table = "table.json"
  private static let names = ["Sources", "Sources/A.swift", "Sources/B.swift", "Sources/C.swift", table]

  init() throws {
    app = try TemporaryApp()
    for name in ["A.swift", "B.swift", "C.swift"] { try app.write("Sources/" + name, Self.before) }
    try app.write(Self.table, #"{"formatVersion": 1, "events": {"open": {"name": "opened"}}}"#)
  }

  private var finish: [String] { ["rewrite", "finish", "--remap", app.path(Self.table), "--write"] }

  @Test("keeps a file's mode, and leaves nothing beside it", arguments: [0o644, 0o600, 0o755])
  func mode(mode: Int) async throws {
    try app.setMode("Sources/A.swift", mode)
    #expect(await VerbRun.of(finish + [app.path]).status == .clean)
    #expect(try app.mode("Sources/A.swift") == mode)
    #expect(try app.names() == Self.names)
    #expect(try app.text("Sources/A.swift") == Self.after)
  }

  @Test("changes what a link leads to that was named itself, and leaves the link one")
  func namedLink() async throws {
    try app.link("Link.swift", to: "Sources/A.swift")
    #expect(await VerbRun.of(finish + [app.path("Link.swift")]).status == .clean)
    #expect(try app.text("Sources/A.swift") == Self.after)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: app.path("Link.swift")) == "Sources/A.swift")
  }

  @Test("follows no link out of a folder")
  func linkOut() async throws {
    let outside = try TemporaryApp()
    try outside.write("Outside.swift", Self.before)
    try app.link("Sources/Out.swift", to: outside.path("Outside.swift"))
    #expect(await VerbRun.of(finish + [app.path]).status == .findings)
    #expect(try outside.text("Outside.swift") == Self.before)
    #expect(try app.text("Sources/A.swift") == Self.after)
  }

  @Test("changes nothing if one of the files may not be written", .enabled(if: AnotherUser.isPossible))
  func readOnly() throws {
    for name in ["", "Sources"] { try app.setMode(name, 0o777) }
    try app.setMode(Self.table, 0o644)
    for name in ["A", "B", "C"] { try app.setMode("Sources/\(name).swift", 0o666) }
    try app.setMode("Sources/B.swift", 0o444)
    let file = try AnotherUser.run(finish + [app.path], in: app)
    #expect(file.status == 2)
    #expect(file.diagnostics.contains("B.swift: Permission denied; no file was changed"))
    try app.setMode("Sources/B.swift", 0o666)
    try app.setMode("Sources", 0o755)
    let folder = try AnotherUser.run(finish + [app.path], in: app)
    #expect(folder.status == 2)
    #expect(folder.diagnostics.contains("no file was changed"))
    for name in ["A", "B", "C"] { #expect(try app.text("Sources/\(name).swift") == Self.before) }
    #expect(try app.names() == Self.names)
  }

  @Test("does not overwrite what somebody saves meanwhile, and says what was changed before")
  func changedMeanwhile() async throws {
    let recording = RecordingTerminal { [app] in _ = try? app.write("Sources/B.swift", "let mine = 1\n") }
    #expect(await SourceCommand.run(finish + [app.path], on: recording.terminal) == .couldNotRun)
    let a = app.path("Sources/A.swift")
    #expect(recording.diagnostics.contains("B.swift changed while it was read; 1 of 3 files changed before"))
    #expect(recording.diagnostics.contains("in order of their names: \(a)\n"))
    #expect(try app.text("Sources/A.swift") == Self.after)
    #expect(try app.text("Sources/B.swift") == "let mine = 1\n")
    #expect(try app.text("Sources/C.swift") == Self.before)
    #expect(try app.names() == Self.names)
  }

  @Test("does not follow a link that takes a file's place meanwhile")
  func linkedMeanwhile() async throws {
    let outside = try TemporaryApp()
    try outside.write("Outside.swift", Self.before)
    let recording = RecordingTerminal { [app] in
      try? FileManager.default.removeItem(atPath: app.path("Sources/A.swift"))
      try? app.link("Sources/A.swift", to: outside.path("Outside.swift"))
    }
    #expect(await SourceCommand.run(finish + [app.path], on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.contains("A.swift changed while it was read; no file was changed"))
    #expect(try outside.text("Outside.swift") == Self.before)
  }

  #if os(Linux)
    @Test("changes nothing if the disk is full", .enabled(if: SmallDisk.isMountable))
    func fullDisk() async throws {
      let disk = try SmallDisk()
      for name in ["A.swift", "B.swift"] {
        try disk.app.write("disk/" + name, Self.before + String(repeating: "//\n", count: 100_000))
      }
      try disk.fill(leaving: 350_000)
      let run = await VerbRun.of(finish + [disk.app.path("disk")])
      #expect(run.status == .couldNotRun)
      #expect(run.diagnostics.contains("B.swift: ") && run.diagnostics.contains("; no file was changed"))
      #expect(try disk.app.text("disk/A.swift").hasPrefix(Self.before))
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.app.path("disk")).count == 3)
    }
  #endif
}
