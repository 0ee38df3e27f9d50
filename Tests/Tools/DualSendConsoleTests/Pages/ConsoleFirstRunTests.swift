import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@Suite("The first run of the console", .timeLimit(.minutes(5)))
struct ConsoleFirstRunTests {
  private func source(_ page: ConsolePage, _ kind: String) async throws -> [String: EventValue] {
    guard case .object(let state) = try await page.get("api/state").json, case .array(let sources)? = state["sources"]
    else { return [:] }
    for case .object(let source) in sources where source["kind"] == .string(kind) { return source }
    return [:]
  }

  /// Asks until the source has a malformed line.
  private func hasMalformed(_ page: ConsolePage, _ kind: String) async throws {
    for _ in 0..<10_000 {
      if try await source(page, kind)["malformed"] == 1 { return }
    }
    Issue.record("no malformed line of \(kind)")
  }

  @Test("says in five lines what to give it, if it has nothing")
  func nothing() async throws {
    let recording = RecordingTerminal()
    _ = try await ConsolePage.with([], on: recording) { _ in }
    let lines = recording.diagnostics.split(separator: "\n")
    #expect(lines.count == 5 && lines[0].hasPrefix("note: nothing is compared yet") && lines[3].contains("--old-log"))
  }

  @Test(
    "says that a file does not exist yet, or that what it has is not read, and names the first line of another shape")
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("first-run-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (old, new) = (folder.appendingPathComponent("old.jsonl"), folder.appendingPathComponent("new.jsonl"))
    try Data("{\"name\":\"a\",\"parameters\":{}}\n".utf8).write(to: old)
    let recording = RecordingTerminal()
    _ = try await ConsolePage.with(["--old-log", old.path, "--new-log", new.path], on: recording) { page in
      #expect(
        try await source(page, "oldLog")["note"]
          == .string("\(old.path) is read from its end; --from-start reads what it has too"))
      #expect(
        try await source(page, "collector")["note"]
          == .string("\(new.path) does not exist yet: it is read when it does"))
      try Data("{\"event\":\"a\"}\n".utf8).write(to: new)
      try await hasMalformed(page, "collector")
    }
    let said = recording.diagnostics
    #expect(said.contains("note: \(old.path) is read from its end"))
    #expect(
      said.contains("note: \(new.path), line 1 is not an event with `eventId`, `eventName`, `eventTime` and `payload`"))
    let whole = RecordingTerminal()
    _ = try await ConsolePage.with(["--old-log", old.path, "--new-log", new.path, "--from-start"], on: whole) { page in
      try await hasMalformed(page, "oldLog")
    }
    #expect(whole.diagnostics.contains("has no event id in `eventId`; --id-key names the parameter that has it"))
  }
}
