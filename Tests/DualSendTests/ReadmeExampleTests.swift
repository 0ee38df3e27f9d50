import CustomDump
import DualSend
import DualSendTesting
import Foundation
import Testing

private func fourLines(oldLogger: any OldLogger) -> DualSendTracker {
  // README: the wiring
  let logger = DualSendTracker(
    oldLogger: oldLogger, collector: URL(string: "https://collector.example/events")!,
    rollout: URL(string: "https://config.example/rollout.json")!,
    remapping: ["home.like_button.tap": .init(name: "home.like.tap")]
  ) { $0.oldLoggerEventIDKey = "dual_id" }
  // README: the end
  return logger
}

/// The same, with a table from a file and parts that a test can replace.
private func makeLogger(
  oldLogger: any OldLogger, remapping: Data, configure: (inout DualSendTracker.Configuration) -> Void
) throws -> DualSendTracker {
  DualSendTracker(
    oldLogger: oldLogger, collector: URL(string: "https://collector.example/events")!,
    rollout: URL(string: "https://config.example/rollout.json")!,
    remapping: try RemappingTable(reading: remapping, name: "remapping.json"), configure: configure)
}

private func callSite(logger: DualSendTracker) {
  // README: the call site
  logger.logEvents(name: "home.like_button.tap", parameters: [["item_id": 42, "liked": "1"]])
  // README: the end
}

private func withoutOldLogger(collector: URL, receiver: any EventReceiver) {
  // README: without an old logger
  let tracker = Tracker(endpoint: collector)
  let logger = SinkGroup([.tracker("collector", tracker), .buffered("archive", to: receiver)], mutations: [.session()])
  logger.log(ScreenView("Today"))
  // README: the end
}

@Suite("README's examples", .timeLimit(.minutes(5)))
struct ReadmeExampleTests {
  @Test(
    "stand in README as they are compiled here", arguments: ["the wiring", "the call site", "without an old logger"])
  func verbatim(name: String) throws {
    try DocumentedExample(document: "README.md", name: name).check(in: #filePath)
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
