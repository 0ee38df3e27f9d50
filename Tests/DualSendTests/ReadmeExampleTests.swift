import CustomDump
import DualSend
import DualSendTesting
import Foundation
import Testing

// README: the wiring
/// What an app makes once, at launch, and keeps.
struct EventLogging: Sendable {
  let installationID: InstallationID
  let fetcher: RemoteConfigFetcher
  let logger: DualSendTracker

  /// - Parameters:
  ///   - remapping: the table of old and new names, a JSON file of the app's bundle.
  ///   - rollout: where the rollout document is published.
  ///   - storage: keeps a few bytes under a name, for the next launch.
  init(
    old: any OldLogger, tracker: Tracker, remapping: [UInt8], rollout: URL, storage: (String) -> ByteStorage,
    transport: any HTTPTransport = URLSessionTransport()
  ) throws {
    let installationID = InstallationID(storage: storage("installation-id"))
    let fetcher = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: rollout), storage: storage("rollout"), transport: transport)
    logger = DualSendTracker(
      oldLogger: old, tracker: tracker, remapping: try RemappingTable(remapping, name: "remapping.json"),
      rollout: fetcher, unitID: { installationID.current })
    self.installationID = installationID
    self.fetcher = fetcher
  }

  /// Events that come earlier are decided by the last good rollout of the launch before.
  func start() async {
    await installationID.value()
    await fetcher.start()
  }
}

func atLaunch(
  old: any OldLogger, remapping: [UInt8], collector: URL, rollout: URL, folder: URL
) throws -> EventLogging {
  let logging = try EventLogging(
    old: old, tracker: Tracker(endpoint: collector), remapping: remapping, rollout: rollout,
    storage: { .file(folder.appendingPathComponent($0)) })
  Task { await logging.start() }
  return logging
}
// README: the end

private func callSite(logger: DualSendTracker) {
  // README: the call site
  logger.logEvents(name: "home.like_button.tap", parameters: [["item_id": 42, "liked": "1"]])
  // README: the end
}

private func trackerAlone(collector: URL) async {
  // README: the tracker alone
  let tracker = Tracker(endpoint: collector)
  tracker.sendLog(name: "home.view", payload: ["item_id": 42])
  await tracker.flush()
  // README: the end
}

@Suite("README's examples")
struct ReadmeExampleTests {
  @Test("stand in README as they are compiled here", arguments: ["the wiring", "the call site", "the tracker alone"])
  func verbatim(name: String) throws {
    try DocumentedExample(document: "README.md", name: name).check(in: #filePath)
  }

  private static let table = #"""
    {"formatVersion": 1, "events": {
      "home.like_button.tap": {"name": "home.like.tap", "parameters": {"item_id": "new_item_id"}}
    }}
    """#
  private static let rollout = #"""
    {"formatVersion": 1, "revision": 7, "salt": "readme", "shouldSendLogToNewTracker": 100}
    """#

  @Test(
    "the wiring follows the published document: the old logger alone before it is there, both sinks after",
    .timeLimit(.minutes(10)))
  func wiring() async throws {
    let server = ScriptedTransport { request in
      .success(HTTPTransportResponse(status: 200, body: request.method == "GET" ? Array(Self.rollout.utf8) : []))
    }
    let oldLogger = RecordingOldLogger()
    let url = try #require(URL(string: "https://ops.test/rollout.json"))
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: .memory, transport: server))
    let logging = try EventLogging(
      old: oldLogger, tracker: tracker, remapping: Array(Self.table.utf8), rollout: url, storage: { _ in .memory() },
      transport: server)

    callSite(logger: logging.logger)
    #expect(await tracker.statistics.ledger.accepted == 0)
    await logging.start()
    for await snapshot in logging.fetcher.snapshots where snapshot.revision == 7 { break }
    callSite(logger: logging.logger)
    await tracker.flush()

    let event = RecordingOldLogger.Entry(name: "home.like_button.tap", parameters: ["item_id": 42, "liked": "1"])
    expectNoDifference(oldLogger.entries, [event, event])
    expectNoDifference(server.events.map { $0["eventName"] }, ["home.like.tap"])
    expectNoDifference(server.events.map { $0["payload"] }, [["new_item_id": 42, "liked": "1"]])
    await tracker.shutdown()
  }
}
