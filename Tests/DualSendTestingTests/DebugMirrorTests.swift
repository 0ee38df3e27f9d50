import DualSend
import DualSendCore
import DualSendTesting
import Foundation
import Testing

struct DebugMirrorTests {
  private let clock = ManualClock()

  private func mirror(_ transport: ScriptedTransport, capacity: Int = 1000) throws -> DebugMirror {
    let url = try #require(URL(string: "http://127.0.0.1:1/token/"))
    return DebugMirror(console: url, capacity: capacity, transport: transport, time: clock.timeSource)
  }

  private func event(_ number: UInt64) -> DebugMirror.Event {
    DebugMirror.Event(
      id: EventID(high: 0x7000, low: number), time: 7, unitID: "unit-1",
      old: DebugMirror.Side(name: "old", values: ["a": 1]), new: DebugMirror.Side(name: "new", values: ["b": 1]),
      outcome: .both, reason: "the top level")
  }

  /// Moves the clock until everything that was shown has gone one way or the other.
  private func settle(_ mirror: DebugMirror, _ count: Int) async {
    while mirror.statistics.shown + mirror.statistics.dropped < count {
      await clock.untilWaits(1)
      clock.advance(by: .milliseconds(200))
      await Task.yield()
    }
  }

  @Test func eventsOfOneTapAreOneRequestWithinASecond() async throws {
    let transport = ScriptedTransport()
    let mirror = try mirror(transport)
    mirror.show(event(1))
    mirror.show(event(2))
    await clock.untilWaits(1)
    #expect(clock.pendingWaits == [.milliseconds(200)])
    await settle(mirror, 2)

    let requests = transport.requests
    #expect(requests.map(\.url.absoluteString) == ["http://127.0.0.1:1/token/mirror"])
    let body = try JSONReader().value(try #require(requests.first?.body))
    #expect(
      body["pairs"]
        == [event(1), event(2)].map(\.id).map { id in
          [
            "id": .string(id.description), "time": 7, "unit": "unit-1", "old": ["name": "old", "parameters": ["a": 1]],
            "new": ["name": "new", "payload": ["b": 1]], "decision": ["outcome": "both", "reason": "the top level"],
          ] as EventValue
        }.asArray)
    #expect(mirror.statistics.shown == 2)
  }

  @Test func theOldestEventsGoWhereTooManyWait() async throws {
    let transport = ScriptedTransport()
    let mirror = try mirror(transport, capacity: 3)
    for number in 1...10 { mirror.show(event(UInt64(number))) }
    await settle(mirror, 10)
    #expect(mirror.statistics.dropped == 7)
    #expect(mirror.statistics.shown == 3)
  }

  @Test func aConsoleThatIsNotThereCostsTheEventsAndNothingElse() async throws {
    let mirror = try mirror(ScriptedTransport(then: .failure(.connectionFailed("nobody listens"))))
    mirror.show(event(1))
    await settle(mirror, 1)
    #expect(mirror.statistics == DebugMirror.Statistics(shown: 0, dropped: 1))
  }

  @Test func theSamplingShowsEveryPair() async throws {
    let transport = ScriptedTransport()
    let mirror = try mirror(transport)
    let old = TrackingEvent(id: EventID(high: 0x7000, low: 1), time: 1, name: "a", payload: [:])
    let new = TrackingEvent(id: old.id, time: 1, name: "b", payload: [:])
    let sampling = mirror.sampling(unitID: { "unit-9" })
    #expect(sampling.share == .all)
    sampling.observer(ParitySampling.Pair(old: old, new: new))
    await settle(mirror, 1)
    let body = try JSONReader().value(try #require(transport.requests.first?.body))
    guard case .array(let pairs)? = body["pairs"] else {
      Issue.record("there are no pairs")
      return
    }
    #expect(pairs.first?["unit"] == "unit-9")
    #expect(pairs.first?["decision"]?["outcome"] == "both")
  }
}

extension [EventValue] {
  fileprivate var asArray: EventValue { .array(self) }
}
