import DualSend
import DualSendRemapping
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

@Suite("The golden files of the fixtures", .timeLimit(.minutes(5)))
struct FixtureGoldenTests {
  private let folder = GoldenFolder(Fixture.folder.appendingPathComponent("golden"))

  @Test("hold what becomes of one event of each name")
  func everyName() async throws {
    // Revision 3 sends everything to both sinks, so that both payloads of every event stand in the files.
    let adapter = GoldenAdapter(
      remapping: try RemappingTable(reading: Fixture.data("legacy/remapping.json")),
      rollout: RolloutSnapshot(try RolloutDocument(reading: Fixture.data("legacy/rollout-3.json"))))
    for event in try Fixture.goldenEvents() {
      do { try await assertGolden(event, through: adapter, in: folder) } catch { Issue.record(error) }
    }
  }

  @Test("belong to an event each")
  func noOrphans() throws {
    let names = try Fixture.goldenEvents().map(\.name)
    #expect(names.count >= 30)
    try assertNoOrphanedGoldenFiles(in: folder, besides: names)
  }
}
