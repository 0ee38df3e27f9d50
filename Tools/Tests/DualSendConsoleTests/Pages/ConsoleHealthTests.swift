import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTracking
import Foundation
import Testing

@testable import DualSendCommands

@Suite("The console's health page")
struct ConsoleHealthTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
    let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
    let events = ["a", "b", "c"].map { name in
      TrackingData(
        TrackingEvent(
          id: EventID(high: 0x7000, low: UInt64(name.utf8.first ?? 0)), time: 5, name: name,
          payload: ["secret": "value"]))
    }
    _ = try store.append(events, dropped: [:], inFlight: nil)
    let batch = try store.batch(maximumEvents: 2, maximumBytes: .max)
    try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "schema") })
  }

  @Test("shows the ledger and the dead letters without their payloads, and puts those back that are chosen")
  func retry() async throws {
    let status = try await ConsolePage.with(["--database", folder.path("db.sqlite")]) { page async throws in
      let json = try await page.get("api/health").json
      #expect(json.at("ledger.deadLettered") == 2)
      #expect(json.at("waiting") == 1)
      #expect(json.at("deadLetters")?.list.map { $0.at("name") } == ["a", "b"])
      #expect(json.at("databases.0.deadLetters") == 2)
      #expect(!json.canonicalText.contains("value"))
      let id = try #require(json.at("deadLetters.0.id"))
      #expect(try await page.post("api/deadletters/retry", ["ids": [id]]).json == ["retried": 1])
      #expect(try await page.get("api/health").json.at("ledger.pending") == 2)
    }
    #expect(status == .clean)
  }

  @Test("exports them with their payloads where values are shown")
  func export() async throws {
    let arguments = ["--database", folder.path("db.sqlite"), "--show-values"]
    _ = try await ConsolePage.with(arguments) { page async throws in
      let lines = try await page.get("api/deadletters/export").json.text?.split(separator: "\n") ?? []
      #expect(try lines.map { try JSONReader().value($0.utf8).at("eventName") } == ["a", "b"])
    }
  }
}
