import DualSend
import DualSendTesting
import Foundation
import Testing

/// An old logger as apps have them: a singleton that takes one event a call.
private final class EventLog: Sendable {
  static let shared = EventLog()
  let recorded = RecordingOldLogger()

  func log(event: String, params: [String: Any]) {
    recorded.logEvents(name: event, parameters: params)
  }
}

// WrappingTheOldLogger: the old logger
struct HouseLogger: OldLogger {
  func logEvents(name: String, parameters: [[String: Any]]) {
    for payload in parameters { EventLog.shared.log(event: name, params: payload) }
  }
}
// WrappingTheOldLogger: the end

// WrappingTheOldLogger: another method
struct HouseLog {
  let adapter: DualSendTracker

  func log(_ name: String, _ data: [String: Any]) { adapter.logEvents(name: name, parameters: data) }
}
// WrappingTheOldLogger: the end

private func wrapped(
  tracker: Tracker, table: RemappingTable, rollout: RolloutSnapshot, installationID: StoredID
) -> DualSendTracker {
  // WrappingTheOldLogger: the adapter
  let logger = DualSendTracker(
    oldLogger: HouseLogger(), tracker: tracker, remapping: table, rollout: rollout, unitID: { installationID.current }
  ) {
    $0.context = DecisionContext(appVersion: DecisionContext.AppVersion("25.4.10"), platform: "iOS")
  }
  // WrappingTheOldLogger: the end
  return logger
}

private func byHand(
  logger: DualSendTracker, oldLogger: any OldLogger, old: [String: Any], new: [String: any Sendable]
) {
  // WrappingTheOldLogger: by hand
  let decision = logger.decision(for: "home.view")
  if decision.shouldSendLogToOldLogger { oldLogger.logEvents(name: "home.view", parameters: old) }
  if decision.shouldSendLogToNewTracker { logger.tracker.sendLog(name: "home.view", payload: new) }
  // WrappingTheOldLogger: the end
}

private func consent(collectorURL: URL) async {
  // ConsentAndPrivacy: consent
  let tracker = Tracker(
    configuration: TrackerConfiguration(endpoint: TrackingEndpoint(url: collectorURL)) {
      $0.consent = .pending
    })

  await tracker.setConsent(.granted)
  // ConsentAndPrivacy: the end
}

private func consents(receiver: any EventReceiver, logger: DualSendTracker) async -> Sink {
  // ConsentAndPrivacy: several sinks
  let amplitude = Sink.buffered("amplitude", to: receiver) { $0.consent = .pending }

  await logger.setConsent(.granted)
  // ConsentAndPrivacy: the end
  return amplitude
}

private func redaction(endpoint: TrackingEndpoint) -> TrackerConfiguration {
  // ConsentAndPrivacy: redaction
  TrackerConfiguration(endpoint: endpoint) {
    $0.mutations = [
      .redaction(of: ["*email*"]),
      Mutation("no debug") { event in if event.name.hasPrefix("debug.") { event.drop() } },
    ]
  }
  // ConsentAndPrivacy: the end
}

private func firstExample(
  rolloutURL: URL, collectorURL: URL, oldLogger: any OldLogger, remappingJSON: [UInt8]
) throws {
  // DualSend: the wiring
  let logger = DualSendTracker(
    oldLogger: oldLogger, collector: collectorURL, rollout: rolloutURL,
    remapping: try RemappingTable(reading: remappingJSON, name: "remapping.json"))
  logger.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
  // DualSend: the end
}

@Suite("The articles' examples", .timeLimit(.minutes(5)))
struct ArticleExampleTests {
  private static let examples = [
    ("DualSend", "the wiring"), ("WrappingTheOldLogger", "the old logger"), ("WrappingTheOldLogger", "the adapter"),
    ("WrappingTheOldLogger", "by hand"), ("ConsentAndPrivacy", "consent"), ("ConsentAndPrivacy", "several sinks"),
    ("ConsentAndPrivacy", "redaction"),
  ].map { DocumentedExample(document: "Sources/DualSend/DualSend.docc/\($0.0).md", name: $0.1) }

  @Test("stand in the articles as they are compiled here", arguments: examples)
  func verbatim(example: DocumentedExample) throws {
    try example.check(in: #filePath)
  }

  @Test("the wrapped singleton gets what call sites send, by the adapter and by hand")
  func wrapping() async {
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory,
        transport: ScriptedTransport()))
    let logger = wrapped(
      tracker: tracker, table: RemappingTable(), rollout: .oldLoggerOnly,
      installationID: .installation(.memory()))
    logger.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
    byHand(logger: logger, oldLogger: HouseLogger(), old: ["item_id": 42], new: ["new_item_id": 42])
    let expected = [
      RecordingOldLogger.Entry(name: "home.like_button.tap", parameters: ["item_id": 42]),
      RecordingOldLogger.Entry(name: "home.view", parameters: ["item_id": 42]),
    ]
    #expect(EventLog.shared.recorded.entries == expected)
    #expect(await tracker.statistics.ledger.accepted == 0)
    await tracker.shutdown()
  }
}
