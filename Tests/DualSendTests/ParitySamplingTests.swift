import CustomDump
import DualSendCore
import DualSendRollout
import DualSendTracking
import Foundation
import Testing

@testable import DualSend
@testable import DualSendTesting

@Suite("Sampling pairs in the app", .timeLimit(.minutes(5)))
struct ParitySamplingTests {
  private let observations = Locked<[ParitySampling.Pair]>([])

  private func sampling(_ thousandths: Int, salt: String = "parity-sample") throws -> ParitySampling {
    let share = try #require(RolloutPercentage(thousandths: thousandths))
    return ParitySampling(share: share, salt: salt) { [observations] pair in observations.withLock { $0.append(pair) } }
  }

  @Test("gives a pair as the lines that a comparison of two streams reads")
  func lines() throws {
    var bits = SplitMix64(seed: 1)
    let id = EventID(milliseconds: 5, using: &bits)
    let pair = ParitySampling.Pair(
      old: TrackingEvent(id: id, time: 5, name: "a", payload: ["n": 1]),
      new: TrackingEvent(id: id, time: 5, name: "b", payload: ["m": 1]))
    #expect(try LegacyEvent(reading: pair.oldLine) == LegacyEvent(name: "a", parameters: ["n": 1], time: 5))
    let old = #"{"eventId":"\#(id)","name":"a","parameters":{"n":1},"time":5}"#
    let new = #"{"eventId":"\#(id)","eventName":"b","eventTime":5,"payload":{"m":1}}"#
    #expect(String(decoding: pair.oldLine, as: UTF8.self) == old)
    #expect(String(decoding: pair.newLine, as: UTF8.self) == new)
  }

  @Test("takes exactly the share of all buckets", arguments: [0, 1, 125, 12_345, 50_000, 99_999, 100_000])
  func exactShare(_ thousandths: Int) throws {
    let sampling = try sampling(thousandths)
    let count = (0..<RolloutBucket.count).compactMap { RolloutBucket($0) }.count { sampling.includes($0) }
    #expect(count == thousandths)
  }

  @Test("draws units by the bucketing of rollouts, under a salt of its own")
  func salt() throws {
    let units = (0..<500).map { "unit-\($0)" }
    for salt in ["parity-sample", "other"] {
      let sampling = try sampling(20_000, salt: salt)
      let expected = units.filter { RolloutBucketing(salt: salt).bucket(of: $0).index < 20_000 }
      expectNoDifference(units.filter { sampling.includes(unitID: $0) }, expected)
    }
  }

  @Test("shows all events of a unit in the sample and none of any other, whichever unit came before")
  func units() async throws {
    let sampling = try sampling(30_000)
    let bench = try Bench(old: 100, new: 100, sampling: sampling)
    let units = (0..<50).map { "unit-\($0 % 25)" }
    for unit in units {
      bench.dualSend.logEvent(LegacyEvent(name: "a", parameters: ["unit": .string(unit)], unitID: unit))
    }
    _ = await bench.received()
    let shown = observations.current.map { $0.old.payload["unit"] }
    expectNoDifference(shown, units.filter { sampling.includes(unitID: $0) }.map { .string($0) })
    #expect(!shown.isEmpty && shown.count < units.count)
  }

  @Test("shows what the old logger was told, and what the collector received")
  func pair() async throws {
    let bench = try Bench(
      old: 100, new: 100, oldLoggerEventIDKey: "event_id",
      sampling: try sampling(100_000))
    bench.dualSend.logEvents(name: "home.tap", parameters: ["item_id": 42, "debug": true, "at": Date.distantPast])
    await bench.dualSend.tracker.flush()

    let pair = try #require(observations.current.first)
    var expected = try #require(bench.oldLogger.entries.first)
    var old = expected.parameters
    expectNoDifference(old.removeValue(forKey: "event_id"), .string(pair.old.id.description))
    expectNoDifference(old.removeValue(forKey: "dual_send"), "1:both")
    expected = RecordingOldLogger.Entry(name: expected.name, parameters: old)
    expectNoDifference(RecordingOldLogger.Entry(name: pair.old.name, parameters: pair.old.payload), expected)

    let event = try #require(bench.transport.events.first)
    expectNoDifference(event["eventId"], .string(pair.new.id.description))
    expectNoDifference(event["eventName"], .string(pair.new.name))
    expectNoDifference(event["eventTime"], .int(pair.new.time))
    expectNoDifference(event["payload"]?.canonicalText, EventValue.object(pair.new.payload).canonicalText)
    #expect(pair.new.id == pair.old.id && pair.new.time == pair.old.time)
  }

  @Test("shows each pair once, however many new sinks there are, and none is missing")
  func severalSinks() async throws {
    let sampling = try sampling(100_000)
    let sinks = (1...3).map { number in
      Sink.buffered(Sink.ID(rawValue: "s\(number)"), start: .onDemand, configure: { $0.storage = .memory }) { _ in }
    }
    let main = Sink.buffered("main", start: .onDemand, configure: { $0.storage = .memory }) { _ in }
    let logger = DualSendTracker(
      oldLogger: RecordingOldLogger(), tracker: try #require(main.tracker),
      rollout: try Bench.rollout(old: 100, new: 100), unitID: { "u" }
    ) {
      $0.newSinks = sinks
      $0.sampling = sampling
    }
    for number in 0..<50 { logger.logEvents(name: "\(number)", parameters: [:]) }
    await logger.flush()
    expectNoDifference(observations.current.map(\.old.name), (0..<50).map(String.init))
  }

  @Test("shows only events that go to both sinks", arguments: [(100, 0), (0, 100)])
  func oneSink(old: Int, new: Int) async throws {
    let bench = try Bench(old: old, new: new, sampling: try sampling(100_000))
    bench.dualSend.logEvents(name: "home.tap", parameters: [:])
    _ = await bench.received()
    #expect(observations.current.isEmpty)
    bench.rollout.set(try Bench.rollout(old: 100, new: 100))
    bench.dualSend.logEvents(name: "home.tap", parameters: [:])
    _ = await bench.received()
    #expect(observations.current.count == 1)
  }

  @Test("shows nothing at 0 %, and nothing of an event without a unit")
  func nothing() async throws {
    for (share, unitID) in [(0, "unit-1"), (100_000, nil)] {
      let rollout = try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true)
      let bench = try Bench(old: 100, new: 100, unitID: unitID, sampling: try sampling(share))
      bench.rollout.set(rollout)
      bench.dualSend.logEvents(name: "home.tap", parameters: [:])
      #expect(await bench.received().count == 1)
    }
    #expect(observations.current.isEmpty)
  }

  @Test("shows events that are sent by their own `send()` too")
  func typedEvent() async throws {
    struct Tapped: OldTypedEvent {
      let dualSendTracker: DualSendTracker
      let name = "home.tap"
      var parameters: [String: Any] { ["item_id": 42] }
      func send() {}
    }
    let bench = try Bench(old: 100, new: 100, sampling: try sampling(100_000))
    Tapped(dualSendTracker: bench.dualSend).sendToNewTracker().send()
    _ = await bench.received()
    expectNoDifference(observations.current.map(\.new.payload), [["new_item_id": 42]])
  }

  @Test(
    "shows pairs while consent is pending, and none once it is denied", arguments: [Tracker.Consent.pending, .denied])
  func consent(_ consent: Tracker.Consent) async throws {
    let bench = try Bench(old: 100, new: 100, sampling: try sampling(100_000))
    await bench.dualSend.tracker.setConsent(consent)
    bench.dualSend.logEvents(name: "home.tap", parameters: [:])
    await bench.dualSend.tracker.persist()
    #expect(observations.current.count == (consent == .pending ? 1 : 0))
    #expect(bench.transport.events.isEmpty)
  }

  @Test("never runs on the caller's thread")
  func thread() async throws {
    let isCaller = DispatchSpecificKey<Bool>()
    let caller = DispatchQueue(label: "caller")
    caller.setSpecific(key: isCaller, value: true)
    let onCaller = Locked<[Bool]>([])
    let sampling = ParitySampling(share: .all) { _ in
      let isOnCaller = DispatchQueue.getSpecific(key: isCaller) != nil
      onCaller.withLock { $0.append(isOnCaller) }
    }
    let bench = try Bench(old: 100, new: 100, sampling: sampling)
    caller.sync {
      for _ in 0..<100 { bench.dualSend.logEvents(name: "home.tap", parameters: [:]) }
    }
    _ = await bench.received()
    expectNoDifference(onCaller.current, Array(repeating: false, count: 100))
  }
}
