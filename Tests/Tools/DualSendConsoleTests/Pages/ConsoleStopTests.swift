import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRollout
import Foundation
import Testing

@Suite("Stopping the new side in the console", .timeLimit(.minutes(5)))
struct ConsoleStopTests {
  private let folder: TemporaryFiles
  private let document: String

  init() throws {
    folder = try TemporaryFiles()
    document = try folder.file(
      "rollout.json",
      #"""
      {"formatVersion": 1, "revision": 12, "salt": "test", "shouldSendLogToNewTracker": 25, "rules": [
        {"name": "home first", "match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 100},
        {"name": "testers", "match": {"unitIDs": ["qa-1"]}, "shouldSendLogToNewTracker": true}]}
      """#)
    _ = try folder.file("remapping.json", #"{"formatVersion": 1, "events": {"home.button": {"name": "home.like"}}}"#)
  }

  private func receives(_ event: String, unit: String = "unit-1") throws -> Bool {
    let document = try RolloutDocument(reading: Array(folder.read("rollout.json").utf8))
    return RolloutSnapshot(document).decision(for: event, context: DecisionContext(unitID: unit))
      .shouldSendLogToNewTracker
  }

  @Test("shows the plan and publishes nothing, then publishes, and takes it back")
  func event() async throws {
    let before = try folder.read("rollout.json")
    let status = try await ConsolePage.with([document]) { page async throws in
      let plan = try await page.post("api/rollout/stop", ["event": "home.tap"]).json
      #expect(plan.at("revision") == 13)
      #expect(plan.at("plan.evicted") == true)
      #expect(try folder.read("rollout.json") == before)
      let tag = try #require(plan.at("tag"))
      let done = try await page.post("api/rollout/stop", ["event": "home.tap", "tag": tag, "publish": true])
      #expect(done.status == 200 && done.json.at("revision") == 13)
      #expect(try !receives("home.tap") && !receives("home.tap", unit: "qa-1") && receives("home.view"))
      let state = try await page.get("api/state").json
      #expect(state.at("document.stopped") == true && state.at("alarm.stops.0.events.0") == "home.tap")
      #expect(try await page.post("api/rollout/stop", ["event": "home.tap"]).status == 409, "it gets nothing")
      let undo = try await page.post("api/rollout/stop", ["undo": true]).json
      let undone = try await page.post(
        "api/rollout/stop", ["undo": true, "tag": try #require(undo.at("tag")), "publish": true])
      #expect(undone.status == 200)
      #expect(try folder.read("rollout.json") == before.replacing("\"revision\": 12", with: "\"revision\": 14"))
      let after = try await page.get("api/state").json
      #expect(after.at("document.stopped") == false && after.at("alarm.stops") == [])
    }
    #expect(status == .clean)
  }

  @Test("stops every event with one plan; what `dualsend kill` published is undone here too, and the other way round")
  func all() async throws {
    _ = try await ConsolePage.with([document]) { page async throws in
      let tag = try #require(try await page.post("api/rollout/stop", [:]).json.at("tag"))
      #expect(try await page.post("api/rollout/stop", ["tag": tag, "publish": true]).status == 200)
      #expect(try !receives("home.view") && !receives("cart.add", unit: "qa-1"))
      let command = RecordingTerminal()
      #expect(await ConsoleCommand.run(["kill", document, "--undo", "--yes"], on: command.terminal) == .clean)
      #expect(try receives("home.view"))
      #expect(await ConsoleCommand.run(["kill", document, "--yes"], on: command.terminal) == .clean)
      let undo = try await page.post("api/rollout/stop", ["undo": true]).json
      #expect(undo.at("plan.changesAnything") == true)
    }
  }

  @Test("takes the collector's name by the table, and without a table refuses a name that needs it")
  func names() async throws {
    _ = try await ConsolePage.with([document]) { page async throws in
      #expect(try await page.post("api/rollout/stop", ["event": "home.like"]).json.at("events")?.list.count == 2)
      try FileManager.default.removeItem(atPath: folder.path("remapping.json"))
      for name in ["home.like", "cart.add"] {
        let refused = try await page.post("api/rollout/stop", ["event": .string(name)])
        #expect(refused.status == 409 && refused.json.at("error.help")?.text?.contains("--remap") == true, "\(refused)")
      }
    }
  }

  @Test("a plan of another text is not published")
  func changed() async throws {
    _ = try await ConsolePage.with([document]) { page async throws in
      let tag = try #require(try await page.post("api/rollout/stop", [:]).json.at("tag"))
      let text = try folder.read("rollout.json").replacing(": 25", with: ": 30")
      try folder.write("rollout.json", text)
      #expect(try await page.post("api/rollout/stop", ["tag": tag, "publish": true]).status == 409)
      #expect(try folder.read("rollout.json") == text)
    }
  }

  @Test("a signed document without a key is refused before the plan, and nothing is recorded")
  func unsigned() async throws {
    try folder.write("rollout.json.sig", "c2lnbmF0dXJl")
    _ = try await ConsolePage.with([document]) { page async throws in
      let answer = try await page.post("api/rollout/stop", [:])
      #expect(answer.status == 409)
      #expect(answer.json.at("error.message")?.text?.contains("is signed, and the console has no key") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.path("rollout.json.history.jsonl")))
    }
  }

  @Test("an event whose name ends with a star would be a prefix in the document, and is refused")
  func star() async throws {
    _ = try await ConsolePage.with([document]) { page async throws in
      #expect(try await page.post("api/rollout/stop", ["event": "home.*", "publish": true]).status == 400)
      #expect(try receives("home.view"))
    }
  }
}
