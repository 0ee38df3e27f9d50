import CustomDump
import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Logging
import Testing

@Suite("The usual wiring", .timeLimit(.minutes(5)))
struct WiringTests {
  private static let rollout = #"""
    {"formatVersion": 1, "revision": 3, "salt": "wiring", "shouldSendLogToNewTracker": 0,
     "rules": [{"match": {"appVersion": ">=25.4", "platform": ["\#(DeviceFacts.osName)"]}, "shouldSendLogToNewTracker": 100}]}
    """#

  /// An app's bundle with this version.
  static func bundle(_ version: String) throws -> Bundle {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wiring-\(UUID()).bundle")
    let contents = folder.appendingPathComponent("Contents")
    try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["CFBundleShortVersionString": version, "CFBundleIdentifier": "test.wiring"], format: .xml,
      options: 0)
    try list.write(to: contents.appendingPathComponent("Info.plist"))
    return try #require(Bundle(url: folder))
  }

  @Test(
    "makes a version rule match by the bundle's version, as much of it as is one",
    arguments: [("25.4.10", true), ("25.4-beta", true), ("25.3.9", false), ("beta", false)])
  func versionRule(version: String, matches: Bool) async throws {
    let server = ScriptedTransport { request in
      .success(
        HTTPTransportResponse(status: 200, body: request.method == "GET" ? Array(Self.rollout.utf8) : []))
    }
    let url = try #require(URL(string: "https://ops.test/rollout.json"))
    let bundle = try Self.bundle(version)
    let old = RecordingOldLogger()
    let logger = DualSendTracker(oldLogger: old, collector: url, rollout: url) { configuration in
      configuration.tracker.storage = .memory
      configuration.transport = server
      configuration.storage = { _ in .memory() }
      configuration.context = .app(bundle)
    }
    let fetcher = try #require(logger.fetcher)
    await logger.started()
    for await snapshot in fetcher.snapshots() where snapshot.revision == 3 { break }
    #expect(logger.installation?.current != nil)
    logger.logEvents(name: "a")
    await logger.flush()
    expectNoDifference(server.events.map { $0["eventName"] }, matches ? ["a"] : [])
    #expect(old.entries.count == 1)
    await fetcher.stop()
    await logger.shutdown()
  }

  @Test("takes a function in place of an old logger: one call for each event, also for one without parameters")
  func function() async throws {
    let url = try #require(URL(string: "https://ops.test/rollout.json"))
    let calls = Locked<[String]>([])
    let logger = DualSendTracker(
      collector: url, rollout: url,
      configure: {
        $0.tracker.storage = .memory
        $0.transport = ScriptedTransport { _ in .success(HTTPTransportResponse(status: 200)) }
        $0.storage = { _ in .memory() }
      }
    ) { name, parameters in calls.withLock { $0.append("\(name) \(parameters.count)") } }
    logger.logEvents(name: "several", parameters: [["a": 1], ["a": 2, "b": 3]])
    logger.logEvents(name: "none", parameters: [])
    logger.logEvents(name: "empty")
    logger.log("typed", parameters: ["a": 1])
    expectNoDifference(calls.current, ["several 1", "several 2", "none 0", "empty 0", "typed 1"])
    await logger.fetcher?.stop()
    await logger.shutdown()
  }

  /// Compiles: what the front page shows.
  private static func shortest(collector: URL, rollout: URL, table: RemappingTable) -> DualSendTracker {
    DualSendTracker(collector: collector, rollout: rollout, remapping: table) { name, parameters in
      print(name, parameters)
    }
  }

  @Test("says in the log which part of a version counts")
  func reportedVersion() throws {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
    #expect(DecisionContext.app(try Self.bundle("25.4-beta"), logger: logger).appVersion?.description == "25.4")
    #expect(DecisionContext.app(try Self.bundle("x"), logger: logger).appVersion == nil)
    #expect(DecisionContext.app(try Self.bundle("1.2"), logger: logger).appVersion?.description == "1.2")
    expectNoDifference(
      lines.current,
      [
        "the app's version 25.4-beta is not dotted numbers: 25.4 is used",
        "the app's version x is not dotted numbers: no version rule matches",
      ])
  }

  private struct LineHandler: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.withLock { $0.append(event.message.description) }
    }
  }
}

@Suite("Typed call sites before, during and after a migration", .timeLimit(.minutes(5)))
struct ThreeLivesTests {
  private struct Like: TypedEvent {
    let itemID: Int
    var name: String { "home.tap" }
    var parameters: [String: any Sendable] { ["item_id": itemID] }
  }

  /// The event as it is declared after the migration.
  private struct NewLike: TypedEvent {
    let itemID: Int
    var name: String { "home.like" }
    var parameters: [String: any Sendable] { ["new_item_id": itemID] }
  }

  private static func callSite(_ logger: any EventLogging, _ like: any TypedEvent = Like(itemID: 1)) {
    logger.log(like)
    @Tracked("theme", with: logger) var theme = "light"
    theme = "dark"
  }

  @Test("stay as they are: only the line that makes the object changes, and in the end the event's declaration")
  func lives() async throws {
    let old = RecordingOldLogger()
    Self.callSite(SinkGroup(oldLogger: old))
    let originals: [RecordingOldLogger.Entry] = [
      .init(name: "home.tap", parameters: ["item_id": 1]),
      .init(name: "theme", parameters: ["old_value": "light", "new_value": "dark"]),
    ]
    expectNoDifference(old.entries, originals)

    let during = try Bench(old: 100, new: 100)
    Self.callSite(during.dualSend)
    await during.dualSend.flush()
    expectNoDifference(during.oldLogger.entries, originals)

    let after = try Bench(old: 100, new: 100)
    Self.callSite(after.dualSend.tracker, NewLike(itemID: 1))
    await after.dualSend.flush()
    expectNoDifference(after.transport.events.map { $0["eventName"] }, ["home.like", "theme"])
    expectNoDifference(
      after.transport.events.map { $0["payload"] }, during.transport.events.map { $0["payload"] })
  }
}
