import DualSendCollector
import Foundation
import ShopModel
import ShopStage3
import Testing

struct VersionRuleTests {
  private static let rollout = """
    {"formatVersion": 1, "revision": 1, "salt": "shop", "shouldSendLogToNewTracker": 0,
     "rules": [{"match": {"appVersion": ">=25.4"}, "shouldSendLogToNewTracker": 100}]}
    """

  @Test(arguments: [("25.4.10", true), ("25.4-beta", true), ("25.3", false)])
  func stage3FollowsARuleOnTheAppsVersion(version: String, matches: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-version-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let contents = folder.appendingPathComponent("Shop.bundle/Contents")
    try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
    let info = ["CFBundleShortVersionString": version]
    try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
      .write(to: contents.appendingPathComponent("Info.plist"))
    let collector = CollectorServer()
    _ = try await collector.start()
    await collector.setDocument(Array(Self.rollout.utf8), at: "/rollout.json")
    let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documents")
    let shop = try ShopApp(
      ShopSettings(
        folder: folder, documents: documents, collector: try #require(await collector.url()),
        rollout: try #require(await collector.url("/rollout.json")), rolloutInterval: .milliseconds(50),
        bundle: try #require(Bundle(url: folder.appendingPathComponent("Shop.bundle")))),
      transport: LoopbackTransport())
    let fetcher = try #require(shop.logger.fetcher)
    await shop.logger.started()
    for await snapshot in fetcher.snapshots() where snapshot.revision == 1 { break }
    shop.screens.showHome()
    await shop.logger.flush()
    #expect(await collector.events.count == (matches ? 1 : 0))
    await fetcher.stop()
    await shop.logger.shutdown()
    await collector.stop()
  }
}
