import CustomDump
import DualSend
import DualSendTesting
import Foundation
import Testing

/// An old logger as vendors have them.
private final class Vendor: Sendable {
  static let shared = Vendor()
  let recorded = RecordingOldLogger()

  func send(_ name: String, _ parameters: [String: Any]) {
    recorded.logEvents(name: name, parameters: parameters)
  }
}

// README: the wiring
/// The app's own facade: its call sites stay as they are, during the migration and after.
final class Analytics: Sendable {
  private let logger: any OldLogger

  init(unitID: @escaping @Sendable () -> String?) {
    logger = DualSendTracker(
      oldLogger: VendorBridge(), collector: URL(string: "https://collector.example/events")!,
      rollout: URL(string: "https://config.example/rollout.json")!,
      remapping: ["home.like_button.tap": .init(name: "home.like.tap", parameters: ["item_id": "new_item_id"])]
    ) {
      $0.oldLoggerEventIDKey = "dual_id"
      $0.unitID = unitID
    }
  }

  func track(_ name: String, _ parameters: [String: Any] = [:]) {
    logger.logEvents(name: name, parameters: parameters)
  }
}

/// How the adapter reaches the old logger.
struct VendorBridge: OldLogger {
  func logEvents(name: String, parameters: [[String: Any]]) {
    for event in parameters { Vendor.shared.send(name, event) }
  }
}
// README: the end

/// The adapter, with a table from a file and parts that a test can replace.
private func makeLogger(
  oldLogger: any OldLogger, remapping: Data, configure: (inout DualSendTracker.Configuration) -> Void
) throws -> DualSendTracker {
  DualSendTracker(
    oldLogger: oldLogger, collector: URL(string: "https://collector.example/events")!,
    rollout: URL(string: "https://config.example/rollout.json")!,
    remapping: try RemappingTable(reading: remapping, name: "remapping.json"), configure: configure)
}

private func callSite(logger: DualSendTracker) {
  logger.logEvents(name: "home.like_button.tap", parameters: [["item_id": 42, "liked": "1"]])
}

@Suite("README's example", .timeLimit(.minutes(5)))
struct ReadmeExampleTests {
  @Test("stands in README as it is compiled here")
  func verbatim() throws {
    try DocumentedExample(document: "README.md", name: "the wiring").check(in: #filePath)
  }

  @Test("the bridge gives the old logger each event of a call")
  func bridge() {
    VendorBridge().logEvents(name: "tap", parameters: [["id": 1], ["id": 2]])
    let expected = [
      RecordingOldLogger.Entry(name: "tap", parameters: ["id": 1]),
      RecordingOldLogger.Entry(name: "tap", parameters: ["id": 2]),
    ]
    expectNoDifference(Vendor.shared.recorded.entries, expected)
  }

  private static let table = #"""
    {"formatVersion": 1, "events": {
      "home.like_button.tap": {"name": "home.like.tap", "parameters": {"item_id": "new_item_id"}}
    }}
    """#
  private static let rollout = #"""
    {"formatVersion": 1, "revision": 7, "salt": "readme", "shouldSendLogToNewTracker": 0,
     "rules": [{"match": {"appVersion": ">=25.4"}, "shouldSendLogToNewTracker": 100}]}
    """#

  @Test(
    "the wiring follows the published document: the old logger alone before it is there, both sinks after, by app version",
    .timeLimit(.minutes(10)))
  func wiring() async throws {
    let server = ScriptedTransport { request in
      .success(HTTPTransportResponse(status: 200, body: request.method == "GET" ? Array(Self.rollout.utf8) : []))
    }
    let gate = Gate(behind: server)
    let oldLogger = RecordingOldLogger()
    let bundle = try WiringTests.bundle("25.4.10")
    let logger = try makeLogger(oldLogger: oldLogger, remapping: Data(Self.table.utf8)) { configuration in
      configuration.tracker.storage = .memory
      configuration.transport = gate
      configuration.storage = { _ in .memory() }
      configuration.context = .app(bundle)
    }
    let fetcher = try #require(logger.fetcher)

    callSite(logger: logger)
    #expect(await logger.tracker.statistics.ledger.accepted == 0)
    gate.open()
    await logger.started()
    for await snapshot in fetcher.snapshots() where snapshot.revision == 7 { break }
    callSite(logger: logger)
    await logger.flush()

    let event = RecordingOldLogger.Entry(name: "home.like_button.tap", parameters: ["item_id": 42, "liked": "1"])
    expectNoDifference(oldLogger.entries, [event, event])
    expectNoDifference(server.events.map { $0["eventName"] }, ["home.like.tap"])
    expectNoDifference(server.events.map { $0["payload"] }, [["new_item_id": 42, "liked": "1"]])
    await fetcher.stop()
    await logger.shutdown()
  }
}

/// Lets no document through before it is opened.
private struct Gate: HTTPTransport {
  private let transport: any HTTPTransport
  private let closed: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation

  init(behind transport: any HTTPTransport) {
    self.transport = transport
    (closed, end) = AsyncStream.makeStream(of: Never.self)
  }

  func open() { end.finish() }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    if request.method == "GET" { for await _ in closed {} }
    return try await transport.send(request)
  }
}
