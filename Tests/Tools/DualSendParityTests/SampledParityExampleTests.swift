import DualSend
import DualSendParity
import DualSendRemapping
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

private let installationID = "unit-1"

// What stands between here and the end is the example of the article `ParityForQA`, to the letter.
func observedLogger(
  old: any OldLogger, tracker: Tracker, table: RemappingTable, rollout: some RolloutSource, share: RolloutPercentage
) -> (logger: DualSendTracker, pairs: AsyncStream<ParitySampling.Pair>) {
  let (pairs, shown) = AsyncStream.makeStream(of: ParitySampling.Pair.self, bufferingPolicy: .bufferingOldest(1_000))
  let logger = DualSendTracker(
    oldLogger: old, tracker: tracker, remapping: table, rollout: rollout, unitID: { installationID }
  ) { $0.sampling = ParitySampling(share: share) { shown.yield($0) } }
  return (logger, pairs)
}
// The end of the example.

/// Holds the next pairs against the table as it was reviewed.
func parity(of count: Int, _ pairs: AsyncStream<ParitySampling.Pair>, reviewed: RemappingTable) async -> ParityReport {
  let observations = await pairs.prefix(count).reduce(into: []) { $0.append($1) }
  return ParityComparer(table: reviewed).compare(observations)
}

@Suite("The article's example of sampled parity", .timeLimit(.minutes(5)))
struct SampledParityExampleTests {
  @Test("finds what an app renames otherwise than the reviewed table")
  func example() async throws {
    let table = #"{"formatVersion": 1, "events": {"tap": {"parameters": {"item": "item_id"}}}}"#
    let share = try #require(RolloutPercentage(thousandths: 100_000))
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory,
        transport: ScriptedTransport()))
    let (logger, pairs) = observedLogger(
      old: RecordingOldLogger(), tracker: tracker, table: try RemappingTable(reading: table.utf8),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true), share: share)
    for item in 1...4 { logger.logEvents(name: "tap", parameters: ["item": item]) }

    let same = await parity(of: 2, pairs, reviewed: try RemappingTable(reading: table.utf8))
    #expect(same.event("tap")?.pairs == 2 && same.event("tap")?.differing == 0)
    let reviewed = try RemappingTable(reading: table.replacing("item_id", with: "itemid").utf8)
    let other = await parity(of: 2, pairs, reviewed: reviewed)
    #expect(other.event("tap")?.differing == 2)
    await tracker.shutdown()
  }

  @Test("stands in the article as it is compiled here")
  func verbatim() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let start = try #require(source.range(of: "to the letter.\n")?.upperBound)
    let end = try #require(source.range(of: "// The end of the example")?.lowerBound)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/DualSend/DualSend.docc/ParityForQA.md"), encoding: .utf8)
    #expect(article.contains("```swift\n\(source[start..<end])```"))
  }
}
