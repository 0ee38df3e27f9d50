import Foundation
import Testing

@testable import ShopRunner

struct WalkTests {
  @Test func everyStageSendsEveryEventWhereTheRolloutSays() async throws {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    #expect(try await ShopRunner.run(documents: examples.appendingPathComponent("Documents")) { _ in })
  }
}
