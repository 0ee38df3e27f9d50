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

@Suite("The example of the article on the breaker")
struct BreakerArticleTests {
  @Test("stands in the article as it is compiled here")
  func verbatim() throws {
    try DocumentedExample(document: "Sources/DualSend/DualSend.docc/TheBreaker.md", name: "the line")
      .check(in: #filePath)
  }
}
