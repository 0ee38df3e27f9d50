import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// A receiver that answers as it is told, then takes everything.
private final class ScriptedReceiver: EventReceiver {
  private struct State {
    var script: [EventReceiverFailure]
    var batches: [[TrackingData]] = []
  }

  private let state: Locked<State>

  init(_ script: [EventReceiverFailure] = []) {
    state = Locked(State(script: script))
  }

  var names: [[String]] { state.current.batches.map { $0.map(\.name) } }

  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    let failure = state.withLock { state -> EventReceiverFailure? in
      state.batches.append(events)
      return state.script.isEmpty ? nil : state.script.removeFirst()
    }
    if let failure { throw failure }
  }
}

/// A receiver that never returns.
private struct HangingReceiver: EventReceiver {
  func receive(_ events: [TrackingData]) async {
    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  }
}

/// A receiver that takes no batch with an event whose `n` is negative, and does not say which that is.
private final class PickyReceiver: EventReceiver {
  let taken = Locked<[String: EventValue]>([:])

  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    for event in events {
      if case .int(..<0)? = event.payload["n"] { throw .invalid("negative\u{7}") }
    }
    taken.withLock { taken in for event in events { taken[event.name] = event.payload["n"] } }
  }
}

@Suite("A receiver in a collector's place", .timeLimit(.minutes(5)))
struct ReceiverTests {
  private let clock = ManualClock()

  private func tracker(
    _ receiver: any EventReceiver, storage: TrackerConfiguration.StoreLocation = .memory,
    timeout: Duration = .seconds(30)
  ) -> Tracker {
    Tracker(
      configuration: TrackerConfiguration(
        destination: .receiver(receiver, timeout: timeout), storage: storage, time: clock.timeSource
      ) {
        $0.digest = TrackerConfiguration.Digest(start: .onDemand, batchEvents: 2)
        $0.intake.commitDelay = .zero
        $0.retry.randomFraction = { 1 }
      })
  }

  @Test("gets events in order, in batches, in their wire form")
  func order() async throws {
    let receiver = ScriptedReceiver()
    let tracker = tracker(receiver)
    for name in ["a", "b", "c"] { tracker.sendLog(name: name, payload: ["n": 1]) }
    #expect(await tracker.flush().sent == 3)
    expectNoDifference(receiver.names, [["a", "b"], ["c"]])
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 3, delivered: 3))
  }

  @Test("that is not available gets the same events again, after the back-off and the wait it asked for")
  func unavailable() async throws {
    let receiver = ScriptedReceiver([.unavailable("busy"), .unavailable("busy", retryAfter: .seconds(90))])
    let tracker = tracker(receiver)
    let outcomes = tracker.outcomes()
    tracker.sendLog(name: "a", payload: [:])
    let flush = Task { await tracker.flush(timeout: .seconds(3600)) }
    var waits: [Duration?] = []
    for await case .retry(let reason, let wait) in outcomes {
      #expect(reason == .reported("busy"))
      waits.append(wait)
      if waits.count == 2 { break }
      await clock.untilWaits(2)
      clock.advance(by: wait ?? .zero)
    }
    expectNoDifference(waits, [.seconds(2), .seconds(90)])
    await clock.untilWaits(2)
    clock.advance(by: .seconds(90))
    #expect(await flush.value.sent == 1)
    expectNoDifference(receiver.names, [["a"], ["a"], ["a"]])
  }

  @Test(
    "is waited for as it asks, within an hour and not less than the back-off, and its words are fit for a terminal",
    arguments: [(-5, 2), (90, 90), (7200, 3600)])
  func retryAfter(asked: Int, kept: Int) async throws {
    let tracker = tracker(ScriptedReceiver([.unavailable("busy\u{1B}[2J", retryAfter: .seconds(asked))]))
    let outcomes = tracker.outcomes()
    tracker.sendLog(name: "a", payload: [:])
    let flush = Task { await tracker.flush(timeout: .seconds(7200)) }
    for await case .retry(let reason, let wait) in outcomes {
      #expect(reason == .reported(#"busy\u001b[2J"#))
      #expect(wait == .seconds(kept))
      break
    }
    flush.cancel()
  }

  @Test("that rejects some makes dead letters of them and has the others")
  func rejected() async throws {
    let id = EventID(high: 1, low: 2)
    let receiver = ScriptedReceiver([.rejected([id: "bad\u{1B}[2J"])])
    let tracker = tracker(receiver)
    tracker.capture(CapturedEvent(time: 1, name: "bad", payload: .values([:]), id: id))
    tracker.sendLog(name: "good", payload: [:])
    await tracker.flush()
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 2, delivered: 1, deadLettered: 1))
    let reasons = try await tracker.deadLetters().map(\.reason)
    expectNoDifference(reasons, ["bad\\u001b[2J"])
  }

  @Test("that cannot name the event at fault gets ever smaller parts, and has all others")
  func invalid() async throws {
    let receiver = PickyReceiver()
    let tracker = tracker(receiver)
    for (name, n) in [("a", 1), ("b", -1), ("c", 2), ("d", -2), ("e", 3)] {
      tracker.sendLog(name: name, payload: ["n": n])
    }
    await tracker.flush()
    expectNoDifference(receiver.taken.current, ["a": 1, "c": 2, "e": 3])
    #expect(await tracker.statistics.ledger == TrackingLedger(accepted: 5, delivered: 3, deadLettered: 2))
    let reasons = try await tracker.deadLetters().map(\.reason)
    expectNoDifference(reasons, Array(repeating: #"rejected by the receiver (negative\u0007)"#, count: 2))
  }

  @Test("that refuses pauses delivery and keeps everything")
  func refused() async throws {
    let receiver = ScriptedReceiver([.refused("signed\nout")])
    let tracker = tracker(receiver)
    tracker.sendLog(name: "a", payload: [:])
    #expect(await tracker.flush().obstacle == .paused(.reported(#"signed\nout"#)))
    #expect(await tracker.statistics.ledger.pending == 1)
    await tracker.resume()
    #expect(await tracker.flush().sent == 1)
  }

  @Test("that hangs loses its turn when its time is up, and nothing else")
  func hanging() async throws {
    let tracker = tracker(HangingReceiver(), timeout: .seconds(7))
    let outcomes = tracker.outcomes()
    tracker.sendLog(name: "a", payload: [:])
    let flush = Task { await tracker.flush(timeout: .seconds(3600)) }
    await clock.untilWaits(2)
    clock.advance(by: .seconds(7))
    let reason = await outcomes.first { if case .retry(let reason, _) = $0 { reason } else { nil } }
    #expect(reason == .transport(.timedOut))
    #expect(await tracker.statistics.ledger.pending == 1)
    flush.cancel()
  }

  @Test("that hangs is what a flush says stood in its way")
  func hangingFlush() async throws {
    let tracker = tracker(HangingReceiver(), timeout: .seconds(7))
    tracker.sendLog(name: "a", payload: [:])
    let flush = Task { await tracker.flush(timeout: .seconds(5)) }
    await clock.untilWaits(2)
    clock.advance(by: .seconds(5))
    #expect(await flush.value.obstacle == .failing(.transport(.timedOut)))
  }

  @Test("gets after a restart what an earlier launch left")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let first = tracker(HangingReceiver(), storage: .file(folder.file("sink.sqlite")))
    first.sendLog(name: "left", payload: [:])
    await first.persist()
    await first.pause()
    await first.shutdown(timeout: .zero)
    let receiver = ScriptedReceiver()
    let second = tracker(receiver, storage: .file(folder.file("sink.sqlite")))
    #expect(await second.flush().sent == 1)
    expectNoDifference(receiver.names, [["left"]])
  }
}
