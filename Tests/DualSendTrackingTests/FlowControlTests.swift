import DualSendCore
import DualSendTesting
import Testing

@testable import DualSendTracking

@Suite("Flow control", .timeLimit(.minutes(5)))
struct FlowControlTests {
  /// Events, bytes, and seconds from the oldest event to the moment at which sending starts; `nil`: not by itself.
  struct Example: Sendable, CustomTestStringConvertible {
    let rule: TrackerConfiguration.FlowControl
    let events: Int
    let bytes: Int
    let after: Int?

    var testDescription: String { "\(rule): \(events) events, \(bytes) bytes" }
  }

  private static let countAndInterval = TrackerConfiguration.FlowControl.count(20).and(.interval(.seconds(60)))
  private static let examples = [
    Example(rule: .immediately, events: 1, bytes: 1, after: 0),
    Example(rule: .onDemand, events: 1_000_000, bytes: 1 << 30, after: nil),
    Example(rule: .count(3), events: 2, bytes: 0, after: nil),
    Example(rule: .count(3), events: 3, bytes: 0, after: 0),
    Example(rule: .count(-1), events: 1, bytes: 0, after: 0),
    Example(rule: .interval(.seconds(5)), events: 1, bytes: 0, after: 5),
    Example(rule: .size(bytes: 100), events: 9, bytes: 99, after: nil),
    Example(rule: .size(bytes: 100), events: 1, bytes: 100, after: 0),
    Example(rule: .count(50).or(.interval(.seconds(5))), events: 1, bytes: 0, after: 5),
    Example(rule: .count(50).or(.interval(.seconds(5))), events: 50, bytes: 0, after: 0),
    Example(rule: countAndInterval, events: 19, bytes: 0, after: nil),
    Example(rule: countAndInterval, events: 20, bytes: 0, after: 60),
    Example(rule: countAndInterval.or(.size(bytes: 10)), events: 1, bytes: 10, after: 0),
    Example(rule: countAndInterval.or(.onDemand), events: 20, bytes: 0, after: 60),
    Example(rule: countAndInterval.and(.onDemand), events: 20, bytes: 0, after: nil),
    Example(rule: .size(bytes: 10).and(.count(2)), events: 1, bytes: 10, after: nil),
    Example(rule: .size(bytes: 10).and(.count(2)), events: 2, bytes: 9, after: nil),
    Example(rule: .size(bytes: 10).and(.count(2)), events: 2, bytes: 10, after: 0),
    Example(rule: .immediately.and(.interval(.seconds(2))), events: 1, bytes: 0, after: 2),
  ]

  @Test("says when sending starts", arguments: examples)
  func moments(example: Example) {
    let moment = example.rule.moment(events: example.events, bytes: example.bytes, waitingSince: .seconds(100))
    #expect(moment == example.after.map { .seconds(100 + $0) })
  }

  @Test("is one value however it is put together")
  func equality() {
    let (a, b, c) = (
      TrackerConfiguration.FlowControl.count(3), TrackerConfiguration.FlowControl.interval(.seconds(1)),
      TrackerConfiguration.FlowControl.size(bytes: 9)
    )
    #expect(a.or(b) == b.or(a))
    #expect(a.or(b).or(c) == a.or(b.or(c)))
    #expect(a.and(b.or(c)) == a.and(b).or(a.and(c)))
    #expect(a.or(a.and(b)) == a)
    #expect(a.or(.onDemand) == a)
    #expect(a.and(.immediately) == a)
    #expect(a.or(.immediately) == .immediately)
  }

  @Test("sends when enough bytes wait, and not before")
  func bytes() async throws {
    let bench = try Bench(change: { $0.digest.start = .size(bytes: 250) })
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: ["text": .string(String(repeating: "x", count: 50))])
    await bench.tracker.persist()
    #expect(bench.transport.requests.isEmpty)
    #expect(bench.clock.pendingWaits.isEmpty)
    bench.tracker.sendLog(name: "b", payload: ["text": .string(String(repeating: "x", count: 50))])
    let delivered = await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } }
    #expect(delivered == 2)
  }

  @Test("on demand sends nothing until somebody asks, and leaves no timer")
  func onDemand() async throws {
    let bench = try Bench(change: { $0.digest.start = .onDemand })
    for index in 0..<200 { bench.tracker.sendLog(name: "e\(index)", payload: [:]) }
    await bench.tracker.persist()
    #expect(bench.transport.requests.isEmpty)
    #expect(bench.clock.pendingWaits.isEmpty)
    #expect(await bench.tracker.flush().sent == 200)
  }

  @Test("waits to the very moment by the clock that is injected")
  func exactDelay() async throws {
    let bench = try Bench(change: { $0.digest.start = .interval(.milliseconds(1234)) })
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.clock.untilWaits(1)
    #expect(bench.clock.pendingWaits == [.milliseconds(1234)])
    bench.clock.advance(by: .milliseconds(1233))
    #expect(bench.clock.pendingWaits == [.milliseconds(1)])
    bench.clock.advance(by: .milliseconds(1))
    #expect(await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } } == 1)
  }

  @Test("takes what an earlier launch left to have waited long enough")
  func earlierLaunch() async throws {
    let folder = try TemporaryFolder()
    let storage = TrackerConfiguration.StoreLocation.file(folder.file("events.sqlite"))
    let first = try Bench(storage: storage, change: { $0.digest.start = .onDemand })
    first.tracker.sendLog(name: "left", payload: [:])
    await first.tracker.persist()
    await first.tracker.pause()
    await first.tracker.shutdown(timeout: .zero)
    let second = try Bench(storage: storage, change: { $0.digest.start = .count(2).and(.interval(.seconds(60))) })
    let outcomes = second.tracker.outcomes()
    second.tracker.sendLog(name: "new", payload: [:])
    #expect(await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } } == 2)
  }

  @Test("an urgent event takes everything that waits with it")
  func urgent() async throws {
    let bench = try Bench(change: { $0.digest.start = .onDemand })
    let outcomes = bench.tracker.outcomes()
    bench.tracker.sendLog(name: "waits", payload: [:])
    await bench.tracker.persist()
    #expect(bench.transport.requests.isEmpty)
    bench.tracker.capture(CapturedEvent(time: 1, name: "urgent", payload: .values([:]), isUrgent: true))
    #expect(await outcomes.first { if case .delivered(let events) = $0 { events.count } else { nil } } == 2)
    bench.tracker.sendLog(name: "waits again", payload: [:])
    await bench.tracker.persist()
    #expect(bench.transport.requests.count == 1)
  }
}
