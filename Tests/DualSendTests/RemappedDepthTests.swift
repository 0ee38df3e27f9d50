import CustomDump
import DualSend
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@Suite("A table that moves values deeper", .timeLimit(.minutes(5)))
struct RemappedDepthTests {
  @Test("moves none deeper than an event may be, and the rest is sent")
  func limited() async throws {
    let received = Locked<[TrackingData]>([])
    let sink = Sink.buffered("a", start: .onDemand, configure: { $0.storage = .memory }) { events in
      received.withLock { $0 += events }
    }
    let target = (1...EventValueConverter.maximumDepth).map { "k\($0)" }.joined(separator: ".")
    let table = try RemappingTable(
      reading: Array(
        #"{"formatVersion": 1, "events": {"*": {"parameters": {"a": "\#(target)", "b": "\#(target)x.y"}}}}"#.utf8))
    let logger = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: try #require(sink.tracker), remapping: table,
      rollout: RolloutSnapshot.newTrackerOnly, unitID: { "u" })
    let outcomes = try #require(sink.tracker).outcomes()
    logger.logEvents(name: "e", parameters: ["a": 1, "b": 2, "c": 3])
    await logger.flush()
    let payload = try #require(received.current.first).payload
    expectNoDifference(payload["c"], 3)
    #expect(!payload.values.contains { $0.isDeeper(than: EventValueConverter.maximumDepth - 1) })
    for await outcome in outcomes {
      guard case .valueLeftOut(_, let issue) = outcome else { continue }
      expectNoDifference(issue.reason, .tooDeep)
      break
    }
  }
}
