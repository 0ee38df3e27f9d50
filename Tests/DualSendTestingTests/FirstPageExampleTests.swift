import DualSend
import DualSendTesting
import Foundation
import Testing

private let collectorURL = URL(fileURLWithPath: "/events")
private let tableJSON = Array(
  #"""
  {"formatVersion": 1, "events": {"home.like_button.tap": {"name": "home.like.tap"}}}
  """#.utf8)

// What stands between here and the end is the example of the module's first page, to the letter.
@Test func likeReachesBothSinks() async throws {
  let (oldLogger, transport, clock) = (RecordingOldLogger(), ScriptedTransport(), ManualClock())
  let tracker = Tracker(
    configuration: TrackerConfiguration(
      endpoint: TrackingEndpoint(url: collectorURL), storage: .memory, transport: transport, time: clock.timeSource))
  let logger = DualSendTracker(
    oldLogger: oldLogger, tracker: tracker, remapping: try RemappingTable(reading: tableJSON),
    rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true), unitID: { "unit-1" }
  ) { $0.time = clock.timeSource }

  logger.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
  await tracker.flush()

  #expect(oldLogger.entries.map(\.name) == ["home.like_button.tap"])
  #expect(transport.events.first?["eventName"] == "home.like.tap")
}
// The end of the example.

@Test("The first page shows the example above") func firstPage() throws {
  let source = try String(contentsOfFile: #filePath, encoding: .utf8)
  let start = try #require(source.range(of: "to the letter.\n")?.upperBound)
  let end = try #require(source.range(of: "// The end of the example")?.lowerBound)
  let page = Fixture.folder.deletingLastPathComponent()
    .appendingPathComponent("Sources/DualSendTesting/DualSendTesting.docc/DualSendTesting.md")
  #expect(try String(contentsOf: page, encoding: .utf8).contains("\n\(source[start..<end])```"))
}
