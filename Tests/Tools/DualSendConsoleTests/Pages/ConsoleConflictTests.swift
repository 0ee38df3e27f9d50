import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@Suite("Two hands at one file of the console", .timeLimit(.minutes(5)))
struct ConsoleConflictTests {
  private let folder: TemporaryFiles
  private let document: String
  private let table: String
  private static let tableText =
    #"{"formatVersion": 1, "events": {"launch": {"name": "open", "parameters": {"uid": "user"}}}}"#

  init() throws {
    folder = try TemporaryFiles()
    document = try folder.file("rollout.json", Self.text(5))
    table = try folder.file("table.json", Self.tableText)
  }

  private static func text(_ percent: Int, revision: Int = 4) -> String {
    #"{"formatVersion": 1, "revision": \#(revision), "salt": "s", "shouldSendLogToNewTracker": \#(percent)}"#
  }

  private func with(body: (ConsolePage) async throws -> Void) async throws {
    let arguments = [document, "--remap", table]
    #expect(try await ConsolePage.with(arguments, body) == .clean)
  }

  @Test("a document that was edited on disk under its old revision is not replaced unseen")
  func document() async throws {
    try await with { page async throws in
      let tag = try #require(try await page.get("api/rollout").json.at("tag"))
      try folder.write("rollout.json", Self.text(7))
      let mine: [String: EventValue] = ["text": .string(Self.text(40)), "tag": tag]
      let refused = try await page.post("api/rollout/publish", mine)
      #expect(refused.status == 409)
      #expect(refused.json.at("needs") == [])
      #expect(refused.json.at("current.text") == .string(Self.text(7)))
      #expect(refused.json.at("current.difference")?.list.map { $0.at("kind") } == ["removed", "added"])
      #expect(try folder.read("rollout.json") == Self.text(7))
      let seen = try #require(refused.json.at("current.tag"))
      let again = try await page.post("api/rollout/publish", ["text": .string(Self.text(40)), "tag": seen])
      #expect(again.json.at("revision") == 5)
      #expect(try await page.get("api/rollout").json.at("tag") == again.json.at("tag"))
    }
  }

  @Test("what cannot be read is said with its reason, and is not taken for nothing")
  func unreadable() async throws {
    try await with { page async throws in
      try folder.write("rollout.json.guard-state", "{}")
      #expect(try await page.get("api/rollout").json.at("problem")?.text?.contains("not the state of a guard") == true)
      #expect(try await page.get("api/rollout/changes").status == 200)
      try FileManager.default.createDirectory(atPath: document + ".history.jsonl", withIntermediateDirectories: false)
      #expect(try await page.get("api/rollout/changes").status == 500)
      for (file, place) in [(document, "document"), (table, "table")] {
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let problem = try await page.get("api/state").json.at("\(place).problem")?.text
        #expect(problem?.contains("it is a folder") == true, "\(problem ?? "")")
      }
      #expect(try await page.get("rollout.json").status == 500)
    }
  }

  @Test("a link and its permissions stay")
  func link() async throws {
    let manager = FileManager.default
    try manager.moveItem(atPath: document, toPath: folder.path("real.json"))
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("real.json"))
    try manager.createSymbolicLink(atPath: document, withDestinationPath: folder.path("real.json"))
    try await with { page async throws in
      #expect(try await page.post("api/rollout/publish", ["text": .string(Self.text(40))]).status == 200)
      #expect(try manager.destinationOfSymbolicLink(atPath: document) == folder.path("real.json"))
      #expect(try folder.read("real.json") == Self.text(40, revision: 5))
      let mode = try manager.attributesOfItem(atPath: folder.path("real.json"))[.posixPermissions] as? NSNumber
      #expect(mode == 0o640)
    }
  }

  @Test(
    "a document that is broken on disk: what apps have is in force, and the page can mend it", arguments: [true, false])
  func broken(isThere: Bool) async throws {
    try await with { page async throws in
      if isThere {
        try folder.write("rollout.json", "{ broken")
      } else {
        try FileManager.default.removeItem(atPath: document)
      }
      let state = try await page.get("api/state").json
      #expect(state.at("document.revision") == 4)
      #expect(state.at("document.problem")?.text?.contains("rollout.json") == true)
      let found = try await page.get("api/rollout").json
      #expect(found.at("text") == .string(isThere ? "{ broken" : Self.text(5)))
      #expect(found.at("revision") == 4)
      let tag = try #require(found.at("tag"))
      let check = try await page.post("api/rollout/check", ["text": .string(Self.text(40))]).json
      #expect(check.at("plan.moves.0.share") == 35)
      let mended = try await page.post("api/rollout/publish", ["text": .string(Self.text(40)), "tag": tag])
      #expect(mended.json.at("revision") == 5)
      #expect(try await page.get("api/state").json.at("document.problem") == .null)
    }
  }

  private func pair(_ number: Int) -> EventValue {
    [
      "id": .string("018bcfe5-6800-7000-8000-00000000000\(number)"), "time": 1, "unit": "unit-1",
      "old": ["name": "launch", "parameters": ["uid": "anna"]], "new": ["name": "open", "payload": ["user": "anna"]],
      "decision": ["outcome": "both"],
    ]
  }

  @Test("a table that was edited on disk is compared by; a broken one is not")
  func table() async throws {
    try await with { page async throws in
      _ = try await page.post("mirror", ["pairs": [pair(1)]])
      #expect(try await page.get("api/state").json.at("totals.matched") == 1)
      let other = Self.tableText.replacing("\"user\"", with: "\"person\"")
      try folder.write("table.json", other)
      #expect(try await page.get("api/state").json.at("totals.differs") == 1)

      try folder.write("table.json", "{ broken")
      let state = try await page.get("api/state").json
      #expect(state.at("totals.differs") == 1)
      #expect(state.at("table.problem")?.text?.contains("table.json is not a valid table: line 1: ") == true)
      let coverage = try await page.get("api/coverage").json
      #expect(coverage.at("text") == .string(other), "the table in force")
      #expect(coverage.at("problem") == state.at("table.problem"))
      #expect(coverage.at("rows")?.list.map { $0.at("fired") } == [1])
      // The text that was in force comes back: what was counted by it stays.
      try FileManager.default.removeItem(atPath: table)
      _ = try await page.get("api/state")
      try folder.write("table.json", other)
      let back = try await page.get("api/state").json
      #expect(back.at("totals.differs") == 1 && back.at("table.problem") == .null)
      try folder.write("table.json", Self.tableText)
      let mended = try await page.get("api/state").json
      #expect(mended.at("totals.matched") == 1)
      #expect(mended.at("table.problem") == .null)
    }
  }
}
