import DualSend
import DualSendCollector
import Foundation
import ShopModel
import ShopStage1
import ShopStage2
import ShopStage3
import ShopStage3b
import ShopStage4
import ShopStage4b

/// Runs one installation of the shop through every stage, and compares the arrived events with the rollout.
struct Walk {
  private let collector: CollectorServer
  private let settings: ShopSettings
  private let transport = LoopbackTransport()
  private let show: @Sendable (String) -> Void
  private var sinks: Sinks
  private(set) var nothingIsLost = true

  init(_ settings: ShopSettings, collector: CollectorServer, show: @escaping @Sendable (String) -> Void) {
    self.settings = settings
    self.collector = collector
    self.show = show
    sinks = Sinks(oldLog: settings.oldLog, collector: collector)
  }

  mutating func run() async throws {
    let stage1 = try ShopStage1.ShopApp(settings)
    Visit.make(in: stage1.screens)
    let old = try await check("Stage 1: the old logger only", old: nil, new: []).old
    // Every later visit must bring the same events to the old log, and the remapped ones to the collector.
    let new = try remapped(old)

    let stage2 = try ShopStage2.ShopApp(settings, transport: transport)
    Visit.make(in: stage2.screens)
    try await check("Stage 2: wrapped, rollout fixed at the old logger", old: old, new: [], stage2.tracker)
    await stage2.tracker.shutdown()

    try await publish("rollout-1.json")
    let stage3 = try ShopStage3.ShopApp(settings, transport: transport)
    guard let fetcher = stage3.logger.fetcher else { return }
    await stage3.logger.started()
    try await waitFor(1, in: fetcher)
    Visit.make(in: stage3.screens)
    try await check("Stage 3: revision 1, old 100 %, new 0 %", old: old, new: [], stage3.logger.tracker)

    try await publish("rollout-2.json")
    try await waitFor(2, in: fetcher)
    Visit.make(in: stage3.screens)
    try await check(
      "Stage 3: revision 2 while it runs, old 100 %, new 100 %", old: old, new: new, stage3.logger.tracker)

    await fetcher.stop()
    await stage3.logger.shutdown()

    await collector.removeDocument(at: settings.rollout.path)
    let stage3b = try ShopStage3b.ShopApp(settings, transport: transport)
    await stage3b.logger.started()
    Visit.make(in: stage3b.screens)
    try await check("Stage 3b: the document is deleted, old off, new on", old: [], new: new, stage3b.logger.tracker)

    await collector.setFaults([CollectorFault(.status(503))])
    Visit.make(in: stage3b.screens)
    try await check("Stage 3b: the collector is down", old: [], new: [], waiting: new.count, stage3b.logger.tracker)
    await stage3b.logger.fetcher?.stop()
    await stage3b.logger.tracker.shutdown(timeout: .zero)
    await collector.setFaults([])

    let stage4 = try ShopStage4.ShopApp(settings, transport: transport)
    Visit.make(in: stage4.screens)
    try await check(
      "Stage 4: the tracker and the table, with what had to wait", old: [], new: new + new, stage4.tracker)
    await stage4.tracker.shutdown()

    let stage4b = ShopStage4b.ShopApp(settings, transport: transport)
    Visit.make(in: stage4b.screens)
    try await check("Stage 4b: the tracker alone, with new names at the call sites", old: [], new: new, stage4b.tracker)
    await stage4b.tracker.shutdown()
  }

  private func remapped(_ events: [SeenEvent]) throws -> [SeenEvent] {
    let table = try RemappingTable(
      reading: try Data(contentsOf: settings.documents.appendingPathComponent("remapping.json")))
    return events.map { event in
      let remapped = table.apply(to: event.name, payload: event.payload)
      return SeenEvent(name: remapped.name, payload: remapped.payload)
    }
  }

  private func publish(_ name: String) async throws {
    let document = try Data(contentsOf: settings.documents.appendingPathComponent(name))
    await collector.setDocument(Array(document), at: settings.rollout.path)
  }

  private func waitFor(_ revision: Int64, in rollout: RemoteConfigFetcher) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while rollout.status.revision != revision {
      guard ContinuousClock.now < deadline else { throw RolloutDidNotArrive(status: rollout.status) }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Shows the events since the last check, and whether they match the rollout.
  ///
  /// - Parameter old: `nil` accepts any events, if their count is that of a visit.
  @discardableResult
  private mutating func check(
    _ title: String, old: [SeenEvent]?, new: [SeenEvent], waiting: Int = 0, _ tracker: Tracker? = nil
  ) async throws -> Sinks.Contents {
    await tracker?.flush(timeout: .seconds(2))
    let arrived = try await sinks.arrivals()
    let ledger = await tracker?.statistics.ledger
    let oldCount = old?.count ?? Visit.eventCount
    let isRight =
      arrived.old.count == oldCount && arrived.old == old ?? arrived.old && arrived.new == new
      && ledger?.isBalanced != false && ledger?.pending ?? 0 == waiting
    show(title)
    show("  old log    \(arrived.old.count) of \(oldCount) events")
    show("  collector  \(arrived.new.count) of \(new.count) events")
    if let ledger { show("  tracker    \(ledger)") }
    show(isRight ? "  nothing lost" : "  NOT WHAT THE ROLLOUT SAYS")
    nothingIsLost = nothingIsLost && isRight
    return arrived
  }
}

/// The app did not follow the rollout.
private struct RolloutDidNotArrive: Error {
  let status: RemoteConfigFetcher.Status
}
