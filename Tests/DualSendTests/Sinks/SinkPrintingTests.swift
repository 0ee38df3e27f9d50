import CustomDump
import DualSend
import DualSendCore
import DualSendTesting
import Logging
import Testing

/// Keeps what is logged, by message and metadata.
private struct RecordingHandler: LogHandler {
  let entries: Locked<[(String, Logger.Metadata)]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    entries.withLock { $0.append((event.message.description, event.metadata ?? [:])) }
  }
}

@Suite("Sinks for people who watch", .timeLimit(.minutes(5)))
struct SinkPrintingTests {
  private static let hostile = "a\n::error::\u{1B}[2J\u{202E}"

  private func log(_ sink: Sink, _ name: String, _ parameters: [String: any Sendable]) throws {
    let main = Sink.buffered("main", to: ReceivedEvents(), start: .onDemand) { $0.storage = .memory }
    let logger = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: try #require(main.tracker),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: false, shouldSendLogToNewTracker: true), unitID: { nil }
    ) {
      $0.newSinks = [sink]
      $0.time = ManualClock().timeSource
    }
    logger.log(name, parameters: parameters)
  }

  @Test("print an event over several lines, and nothing that a terminal obeys")
  func debugPrinter() throws {
    let printed = Locked<[String]>([])
    let sink = Sink.debugPrinter { text in printed.withLock { $0.append(text) } }
    try log(sink, "home.like.tap", ["position": 3, "is_liked": true])
    try log(sink, Self.hostile, [Self.hostile: Self.hostile])
    expectNoDifference(
      printed.current[0], "2026-01-01T00:00:00.000Z home.like.tap\n  is_liked  true\n  position  3")
    expectNoDifference(
      printed.current[1],
      #"2026-01-01T00:00:00.000Z a\n::error::\u001b[2J\u202e"# + "\n"
        + #"  a\n::error::\u001b[2J\u202e  a\n::error::\u001b[2J\u202e"#)
  }

  @Test("log an event's name with its values as metadata, from the logger's level on")
  func swiftLog() throws {
    let entries = Locked<[(String, Logger.Metadata)]>([])
    let logger = Logger(label: "test") { _ in RecordingHandler(entries: entries) }
    try log(.log(to: logger, level: .debug), "quiet", [:])
    try log(.log(to: logger), "home.tap", ["n": 1, Self.hostile: Self.hostile])
    expectNoDifference(entries.current.map(\.0), ["home.tap"])
    expectNoDifference(
      entries.current.first?.1, ["n": "1", #"a\n::error::\u001b[2J\u202e"#: #"a\n::error::\u001b[2J\u202e"#])
  }
}
