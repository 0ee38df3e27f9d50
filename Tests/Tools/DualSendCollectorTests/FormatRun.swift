import DualSendCollector
import DualSendCore
import DualSendHTTPClient
import DualSendTracking
import DualSendWireFormats
import Foundation
import Logging

/// What became of events that a real tracker, with a real database, sent to a real collector in one format.
struct FormatRun {
  let ledger: TrackingLedger
  let totals: CollectorTotals
  /// What the collector stored.
  let events: [TrackingEvent]
  /// The ids under which the tracker stored the events, in their order.
  let sentIDs: [EventID]
  let deadLetters: [DeadLetter]
  let outcomes: [TrackingOutcome]

  /// - Parameter flushes: whether delivery is waited for until nothing is pending; else one attempt is.
  static func of(
    _ format: CollectorFormat, _ sent: [(name: String, payload: [String: EventValue])], faults: String...,
    flushes: Bool = true
  ) async throws -> FormatRun {
    let server = CollectorServer(
      CollectorConfiguration(format: format, faults: try faults.map { try CollectorFault($0) }))
    try await server.start()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("format-run-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let url = await server.url() else { throw CancellationError() }
    let outcomes = Locked<[TrackingOutcome]>([])
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(
          url: url, format: format.wireFormat(key: "key", identity: IdentityParameters(fallbackUnit: "unit-0"))),
        storage: .file(folder.appendingPathComponent("events.sqlite")), transport: SystemTransport.make()
      ) {
        $0.digest = TrackerConfiguration.Digest(start: .immediately)
        $0.retry.backoff = RetryBackoff(shape: .fullJitter, base: .milliseconds(1), cap: .milliseconds(20))
        $0.retry.pauseAfterRefusal = .milliseconds(1)
        $0.observer = { outcome in outcomes.withLock { $0.append(outcome) } }
        $0.logger = Logger(label: "format-run") { _ in SwiftLogNoOpLogHandler() }
      })
    await tracker.pause()
    for event in sent { tracker.sendLog(name: event.name, payload: event.payload) }
    await tracker.persist()
    await tracker.resume()
    while await tracker.flush().pending > 0, flushes {}
    let run = FormatRun(
      ledger: await tracker.statistics.ledger, totals: await server.totals, events: await server.events,
      sentIDs: outcomes.current.flatMap { outcome -> [EventID] in
        if case .stored(let events) = outcome { events.map(\.id) } else { [] }
      },
      deadLetters: try await tracker.deadLetters(), outcomes: outcomes.current)
    await tracker.shutdown()
    await server.stop()
    return run
  }
}
