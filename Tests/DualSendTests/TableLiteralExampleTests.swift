import DualSendCore
import DualSendTesting
import Foundation
import Logging
import Testing

@testable import DualSend
@testable import DualSendRemapping

private func literal() -> RemappingTable {
  // WrappingTheOldLogger: a table
  let table: RemappingTable = [
    "*": .init(parameters: ["uid": "user_id"]),
    "app.open": .init(name: "app.launch"),
    "home.like_button.tap": .init(
      name: "home.like.tap",
      parameters: ["item_id": "new_item_id", "pos": .init(to: "position", type: .int), "debug": nil],
      add: ["schema": 2]),
  ]
  // WrappingTheOldLogger: the end
  return table
}

@Suite("A table in Swift, as an adapter gets it", .timeLimit(.minutes(5)))
struct TableLiteralExampleTests {
  @Test("is the one that the article shows, and needs no name of its type where the adapter is made")
  func article() async throws {
    try DocumentedExample(
      document: "Sources/DualSend/DualSend.docc/WrappingTheOldLogger.md", name: "a table"
    ).check()
    #expect(literal().apply(to: "home.like_button.tap", payload: ["pos": "3", "debug": 1]).payload["position"] == 3)

    let (transport, clock) = (ScriptedTransport(), ManualClock())
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: try #require(URL(string: "https://collector.example/events"))),
        storage: .memory, transport: transport, time: clock.timeSource))
    let logger = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: tracker, remapping: ["app.open": .init(name: "app.launch")],
      rollout: RolloutSnapshot.newTrackerOnly, unitID: { nil }
    ) { $0.time = clock.timeSource }
    logger.logEvents(name: "app.open", parameters: [[:]])
    await tracker.flush()
    #expect(transport.events.map { $0["eventName"] } == ["app.launch"])
  }

  @Test("logs what was left out of it")
  func problems() {
    let messages = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in MessageHandler(messages: messages) }
    let entries: [(String, RemappingTable.Entry)] = [("app.open", .init(parameters: ["a": "x", "b": "x"]))]
    _ = RemappingProcessor(RemappingTable(literal: entries, file: nil), logger: logger)
    #expect(messages.current.count == 1)
    #expect(messages.current.first?.contains("error[DS0103]: two rows write `x`") == true)
    _ = RemappingProcessor(literal(), logger: logger)
    #expect(messages.current.count == 1)
  }
}

/// Keeps what is logged from `notice` on.
struct MessageHandler: LogHandler {
  let messages: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.notice

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    messages.withLock { $0.append(event.message.description) }
  }
}
