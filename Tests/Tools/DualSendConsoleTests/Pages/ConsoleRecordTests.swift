import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@Suite("The console's record of publications", .timeLimit(.minutes(5)))
struct ConsoleRecordTests {
  @Test("records who and why, shows it, and goes back to an entry")
  func record() async throws {
    let folder = try TemporaryFiles()
    let document = try folder.rollout(#""shouldSendLogToNewTracker": 5"#, revision: 1)
    let text = try folder.read((document as NSString).lastPathComponent)
    let raised = text.replacing(": 5", with: ": 25")
    let status = try await ConsolePage.with([document, "--user", "ada"]) { page async throws in
      let publish: [String: EventValue] = ["text": .string(raised), "message": "more <users>"]
      let published = try await page.post("api/rollout/publish", publish).json
      #expect(published.at("warnings") == [])
      let bad: [String: EventValue] = ["text": .string(text), "message": "a\u{1b}b"]
      #expect(try await page.post("api/rollout/publish", bad).status != 200)
      let entry = try #require(try await page.get("api/rollout").json.at("record.entries.0"))
      #expect(entry.at("user") == "ada" && entry.at("message") == "more <users>" && entry.at("by") == "console")
      #expect(entry.at("before.revision") == 1 && entry.at("after.revision") == 2 && entry.at("text") == nil)
      let id = try #require(entry.at("id"))
      let whole = try await page.get("api/rollout/record/\(id.text ?? "")").json
      #expect(whole.at("isLive") == true && whole.at("plan")?.text?.contains("old only → both") == true)
      let next = try #require(published.at("text")?.text).replacing(": 25", with: ": 50")
      let again: [String: EventValue] = ["text": .string(next), "revision": 2]
      #expect(try await page.post("api/rollout/publish", again).json.at("revision") == 3)
      let back: [String: EventValue] = ["entry": id, "message": "slow", "allow": ["evictions"]]
      #expect(try await page.post("api/rollout/rollback", back).json.at("revision") == 4)
      let last = try await page.get("api/rollout").json.at("record.entries.0")
      let changes = try await page.get("api/rollout/changes").json
      #expect(changes.at("record.\(last?.at("id")?.text ?? "")") == "top level, new tracker: 50 % → 25 %")
      #expect(changes.at("record.\(id.text ?? "")") == "top level, new tracker: 5 % → 25 %")
      #expect(last?.at("backTo") == id && last?.at("by") == "rollback" && last?.at("message") == "slow")
      #expect(try await page.get("api/rollout/record/ffffff").status == 404)
    }
    #expect(status == .clean)
  }
}
