import DualSend
import DualSendTesting
import ShopCallSites
import Testing

/// Accepts every event.
private actor Receiver: EventReceiver {
  private(set) var names: [String] = []

  func receive(_ events: [TrackingData]) {
    names += events.map(\.name)
  }
}

struct CallSiteTests {
  @Test func everyStyleReachesEverySink() async throws {
    let (oldLogger, console) = (RecordingOldLogger(), RecordingOldLogger())
    let (receiver, amplitude) = (Receiver(), Receiver())
    func stored(_ id: Sink.ID, _ receiver: Receiver) -> Sink {
      .buffered(id, to: receiver, start: .onDemand) { $0.storage = .memory }
    }
    let tracker = try #require(stored("main", receiver).tracker)
    let logger = DualSendTracker.shop(
      oldLogger: oldLogger, console: console, tracker: tracker, amplitude: stored("amplitude", amplitude),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true),
      shared: ["app": "shop"])

    Self.visit(logger)
    logger.log("profile", parameters: ["email": "a@b"])
    await logger.flush()

    let names = ["basket.add", "purchase", "search", "settings.theme.changed", "profile"]
    #expect(await receiver.names == names)
    #expect(await amplitude.names == names)
    #expect(oldLogger.entries.map(\.name) == names)
    #expect(oldLogger.entries.first?.parameters == ["item_id": 7, "count": 1, "app": "shop"])
    #expect(oldLogger.entries.last?.parameters == ["app": "shop"])
    #expect(console.entries == oldLogger.entries)
    #expect(await logger.sinkStatistics["amplitude"]?.ledger == TrackingLedger(accepted: 5, delivered: 5))
  }

  private static func visit(_ logger: any EventLogging) {
    BasketScreen(logger: logger).add(7)
    Purchase(total: 3, items: [7]).send(to: logger)
    SearchScreen(logger: logger).search("tea")
    Settings(logger: logger).theme = .dark
  }

  @Test func noCallSiteChangesWhenTheMigrationBeginsOrEnds() async throws {
    let names = ["basket.add", "purchase", "search", "settings.theme.changed"]
    let (oldLogger, receiver, recorder) = (RecordingOldLogger(), Receiver(), RecordingEventLogger())
    let sink = Sink.buffered("main", to: receiver, start: .onDemand) { $0.storage = .memory }
    let tracker = try #require(sink.tracker)

    Self.visit(SinkGroup(oldLogger: oldLogger))
    #expect(oldLogger.entries.map(\.name) == names)
    Self.visit(DualSendTracker(oldLogger: oldLogger, tracker: tracker, unitID: { nil }))
    #expect(oldLogger.entries.map(\.name) == names + names)
    Self.visit(tracker)
    await tracker.flush()
    #expect(await receiver.names == names)
    Self.visit(SinkGroup([sink]))
    await tracker.flush()
    #expect(await receiver.names == names + names)
    Self.visit(recorder)
    #expect(recorder.entries.map(\.name) == names)
  }
}
