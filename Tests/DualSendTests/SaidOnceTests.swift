import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendTracking
import Logging
import Testing

@testable import DualSend

/// What an adapter says of a setup that works and is probably not meant.
@Suite("What is said once", .timeLimit(.minutes(5)))
struct SaidOnceTests {
  private let messages = Locked<[String]>([])

  private var logger: Logger { Logger(label: "test") { [messages] _ in MessageHandler(messages: messages) } }

  @Test(
    "the first hundred events without a unit, where a share decides",
    arguments: [(5, 99, 0), (5, 100, 1), (5, 1000, 1), (100, 1000, 0)])
  func noUnit(share: Int, events: Int, expected: Int) throws {
    let router = EventRouter(
      try Bench.rollout(old: 100, new: share), context: DecisionContext(), unitID: { nil }, logger: logger)
    for _ in 0..<events { _ = router.route(for: "a") }
    #expect(messages.current.count == expected, "\(messages.current)")
  }

  @Test("nothing where there was a unit once")
  func unitOnce() throws {
    let unit = Locked<String?>(nil)
    let router = EventRouter(
      try Bench.rollout(old: 100, new: 5), context: DecisionContext(), unitID: { unit.current }, logger: logger)
    for index in 0..<1000 {
      unit.withLock { $0 = index == 50 ? "unit" : nil }
      _ = router.route(for: "a")
    }
    #expect(messages.current.isEmpty)
  }

  @Test("a name that the table does not know, beside one that it knows")
  func nearName() throws {
    let table = try RemappingTable(
      reading: Array(
        #"{"formatVersion": 1, "events": {"*": {}, "home.like_button.tap": {"name": "home.like.tap"}}}"#.utf8))
    let processor = RemappingProcessor(table, logger: logger)
    for name in ["home.like_buton.tap", "home.like_buton.tap", "home.like_button.tap", "other", "*"] {
      let event = TrackingEvent(id: EventID(high: 1, low: 1), time: 1, name: name, payload: [:])
      _ = processor.transformed(event, source: nil, captured: nil)
    }
    #expect(messages.current == ["the table has no entry for home.like_buton.tap, but one for home.like_button.tap"])
  }
}
