import DualSend
import Foundation
import Testing

private func wiring(
  oldLogger: any OldLogger, collector: URL, rollout: URL, table: RemappingTable
) -> DualSendTracker {
  // TheBreaker: the line
  let logger = DualSendTracker(
    oldLogger: oldLogger, collector: collector, rollout: rollout, remapping: table
  ) { $0.breaker = .on }
  // TheBreaker: the end
  return logger
}

private func ownParts(
  oldLogger: any OldLogger, configuration: TrackerConfiguration, rollout: some RolloutSource,
  storage: ByteStorage, archive: any EventReceiver, unitID: @escaping @Sendable () -> String?
) -> DualSendTracker {
  var configuration = configuration
  // TheBreaker: own parts
  let breaker = DualSendTracker.Breaker(rollout: rollout, storage: storage)
  breaker.hold(&configuration)
  let logger = DualSendTracker(
    oldLogger: oldLogger, tracker: Tracker(configuration: configuration), rollout: rollout, unitID: unitID
  ) {
    $0.newSinks = [.buffered("archive", to: archive) { breaker.hold(&$0) }]
    $0.breaker = breaker
  }
  // TheBreaker: the end
  return logger
}

@Suite("The examples of the article on the breaker", .timeLimit(.minutes(5)))
struct BreakerArticleTests {
  @Test("are in the article as they are compiled here", arguments: ["the line", "own parts"])
  func verbatim(name: String) throws {
    try DocumentedExample(document: "Sources/DualSend/DualSend.docc/TheBreaker.md", name: name).check(in: #filePath)
  }
}
