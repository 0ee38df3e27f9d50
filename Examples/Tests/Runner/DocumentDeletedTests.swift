import DualSend
import DualSendCollector
import Foundation
import ShopModel
import ShopStage3
import ShopStage3b
import Testing

@testable import ShopRunner

/// The last release before the rollout document is deleted, with a server that answers 404.
struct DocumentDeletedTests {
  @Test func aFreshInstallationSendsToTheNewTrackerAlone() async throws {
    try await withShop { shop in
      let app = try ShopStage3b.ShopApp(shop.settings, transport: shop.transport)
      let fetcher = try #require(app.logger.fetcher)
      await app.logger.started()
      try await shop.wait { fetcher.status.lastResult == .failed(.status(404)) }
      #expect(fetcher.status.source == .inAppDefault)
      Visit.make(in: app.screens)
      await app.logger.flush()
      let arrived = try await shop.arrivals()
      #expect(arrived.old.isEmpty)
      #expect(arrived.new.count == Visit.eventCount)
      await fetcher.stop()
      await app.logger.shutdown()
    }
  }

  @Test func anInstallationThatHasStoredAnOlderDocumentDoesNotFollowItAnyMore() async throws {
    try await withShop { shop in
      try await shop.publish("rollout-1.json")
      let before = try ShopStage3.ShopApp(shop.settings, transport: shop.transport)
      let earlier = try #require(before.logger.fetcher)
      await before.logger.started()
      try await shop.wait { earlier.status.revision == 1 }
      await earlier.stop()
      await before.logger.shutdown()
      await shop.collector.removeDocument(at: shop.settings.rollout.path)

      let app = try ShopStage3b.ShopApp(shop.settings, transport: shop.transport)
      let fetcher = try #require(app.logger.fetcher)
      await app.logger.started()
      #expect(fetcher.snapshot.revision == nil)
      Visit.make(in: app.screens)
      await app.logger.flush()
      let arrived = try await shop.arrivals()
      #expect(arrived.old.isEmpty)
      #expect(arrived.new.count == Visit.eventCount)
      await fetcher.stop()
      await app.logger.shutdown()
    }
  }

  @Test func aDocumentThatIsPublishedAgainGoesBackToBothSinks() async throws {
    try await withShop { shop in
      let app = try ShopStage3b.ShopApp(shop.settings, transport: shop.transport)
      let fetcher = try #require(app.logger.fetcher)
      await app.logger.started()
      try await shop.wait { fetcher.status.lastResult == .failed(.status(404)) }
      try await shop.publish("rollout-2.json")
      try await shop.wait { fetcher.status.revision == 2 }
      Visit.make(in: app.screens)
      await app.logger.flush()
      let arrived = try await shop.arrivals()
      #expect(arrived.old.count == Visit.eventCount)
      #expect(arrived.new.count == Visit.eventCount)
      await fetcher.stop()
      await app.logger.shutdown()
    }
  }

  /// A folder and a collector without a document, for the duration of a test.
  private func withShop(_ test: (Shop) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let collector = CollectorServer()
    _ = try await collector.start()
    let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documents")
    let settings = ShopSettings(
      folder: folder, documents: documents, collector: try #require(await collector.url()),
      rollout: try #require(await collector.url("/rollout.json")), rolloutInterval: .milliseconds(50))
    try await test(Shop(settings: settings, collector: collector))
    await collector.stop()
  }
}

private struct Shop {
  let settings: ShopSettings
  let collector: CollectorServer
  let transport = LoopbackTransport()

  func publish(_ name: String) async throws {
    let document = try Data(contentsOf: settings.documents.appendingPathComponent(name))
    await collector.setDocument(Array(document), at: settings.rollout.path)
  }

  /// The events in both sinks, in order.
  func arrivals() async throws -> Sinks.Contents {
    var sinks = Sinks(oldLog: settings.oldLog, collector: collector)
    return try await sinks.arrivals()
  }

  func wait(until isReached: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !isReached() {
      try #require(ContinuousClock.now < deadline)
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
