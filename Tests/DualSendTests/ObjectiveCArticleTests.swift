import CustomDump
import DualSend
import DualSendCore
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

// ObjectiveC: the class
/// What call sites in Objective-C log to.
final class AppEvents: NSObject {
  private let logger: any OldLogger

  /// Creates it for the logger that Swift code uses too.
  init(_ logger: any OldLogger) {
    self.logger = logger
  }

  /// Logs events with one name, as ``OldLogger/logEvents(name:parameters:)`` does.
  func logEvents(name: String, parameters: [[String: Any]]) {
    logger.logEvents(name: name, parameters: parameters)
  }
}
// ObjectiveC: the end

@Suite("The class for call sites in Objective-C", .timeLimit(.minutes(5)))
struct ObjectiveCArticleTests {
  @Test("is the article's, but for the attributes that Linux does not have")
  func verbatim() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/DualSend/DualSend.docc/WrappingTheOldLogger.md"),
      encoding: .utf8)
    let code = try String(contentsOfFile: #filePath, encoding: .utf8)
    let shown = try #require(code.range(of: "// ObjectiveC: the class\n"))
    let end = try #require(code.range(of: "\n// ObjectiveC: the end"))
    let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " }.hasPrefix("@objc(") }
    #expect(lines.joined(separator: "\n").contains(code[shown.upperBound..<end.lowerBound]))
  }

  @Test("gives the new side what Foundation's objects stand for, and the old logger the objects")
  func values() async throws {
    let received = Locked<[TrackingData]>([])
    let sink = Sink.buffered("a", start: .onDemand, configure: { $0.storage = .memory }) { events in
      received.withLock { $0 += events }
    }
    let old = RecordingOldLogger()
    let logger = DualSendTracker(
      oldLogger: old, tracker: try #require(sink.tracker),
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true), unitID: { "u" })
    AppEvents(logger).logEvents(
      name: "e",
      parameters: [
        [
          "int": NSNumber(value: 42), "flag": NSNumber(value: true), "one": NSNumber(value: 1), "null": NSNull(),
          "text": NSString(string: "x"), "price": NSDecimalNumber(string: "19.99"), "lost": NSObject(),
        ]
      ])
    await logger.flush()
    expectNoDifference(
      received.current.first?.payload,
      ["int": 42, "flag": true, "one": 1, "null": .null, "text": "x", "price": .double(19.99)])
    #expect(old.entries.count == 1)
  }
}
