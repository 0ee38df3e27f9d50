import CustomDump
import DualSend
import DualSendCore
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

/// Random calls against random rollouts, scopes and failing sinks, beside a model in plain code that knows nothing of
/// stores, batches and retries: which sink must end up with which events, in which order.
@Suite("Scopes, sinks, rollouts and failures, against a model", .timeLimit(.minutes(5)))
struct SinkModelTests {
  /// A receiver that fails at random while it is unwell, and rejects for good what is named for that.
  private final class Moody: EventReceiver {
    private struct State {
      var random: SplitMix64
      var isUnwell = true
      var taken: [EventID] = []
    }

    let id: String
    private let state: Locked<State>

    init(_ id: String, seed: UInt64) {
      self.id = id
      state = Locked(State(random: SplitMix64(seed: seed)))
    }

    var taken: [EventID] { state.current.taken }

    func heal() {
      state.withLock { $0.isUnwell = false }
    }

    func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
      let failure = state.withLock { state -> EventReceiverFailure? in
        if state.isUnwell {
          switch Int.random(in: 0..<4, using: &state.random) {
          case 0: return .unavailable("unwell")
          case 1: return .refused("unwell")
          default: break
          }
        }
        let rejected = events.filter { $0.name.hasSuffix("bad for \(id)") }
        let ids = Set(rejected.map(\.id))
        state.taken += events.map(\.id).filter { !ids.contains($0) }
        return rejected.isEmpty ? nil : .rejected(Dictionary(uniqueKeysWithValues: ids.map { ($0, "bad") }))
      }
      if let failure { throw failure }
    }
  }

  private static let stored: [(id: String, side: RolloutSide)] = [
    ("newTracker", .new), ("amplitude", .new), ("warehouse", .new), ("archive", .old),
  ]

  private static func rollout(_ shares: (old: Int, new: Int), _ narrowed: [String: Int]) throws -> RolloutSnapshot {
    func members(_ side: RolloutSide) -> EventValue {
      let named = stored.filter { $0.side == side }.compactMap { sink in
        narrowed[sink.id].map { (sink.id, EventValue.int(Int64($0))) }
      }
      return .object(Dictionary(uniqueKeysWithValues: named))
    }
    let document: EventValue = [
      "formatVersion": 2, "revision": 1, "salt": "test", "shouldSendLogToOldLogger": .int(Int64(shares.old)),
      "shouldSendLogToNewTracker": .int(Int64(shares.new)), "sinks": ["new": members(.new), "old": members(.old)],
    ]
    return RolloutSnapshot(try RolloutDocument(reading: document.canonicalText.utf8))
  }

  @Test("every sink gets its events once and in order, and every ledger balances", arguments: 0..<40)
  func model(round: Int) async throws {
    var random = SplitMix64(seed: UInt64(round))
    let receivers = Self.stored.enumerated().map { Moody($1.id, seed: UInt64(round * 10 + $0)) }
    let direct = Locked<[EventID]>([])
    let oldLogger = RecordingOldLogger()
    let rollout = MutableRollout(try Bench.rollout(old: 100, new: 0))
    let sinks = zip(Self.stored, receivers).map { entry, receiver in
      Sink.buffered(Sink.ID(rawValue: entry.id), to: receiver, start: .onDemand) { configuration in
        configuration.storage = .memory
        configuration.digest.batchEvents = 3
        configuration.retry.backoff = .ladder(retryLimit: 0)
      }
    }
    let tracker = try #require(sinks[0].tracker)
    let dualSend = DualSendTracker(oldLogger: oldLogger, tracker: tracker, rollout: rollout, unitID: { nil }) {
      $0.oldSinks = [sinks[3]]
      $0.newSinks = [sinks[1], sinks[2], .closure("direct") { event in direct.withLock { $0.append(event.id) } }]
      $0.oldLoggerEventIDKey = "id"
    }
    let all = Self.stored.map(\.id) + ["direct", "oldLogger"]

    var expected: [String: [EventID]] = [:]
    var bad: [String: Set<EventID>] = [:]
    var shares = (old: 100, new: 0)
    var narrowed: [String: Int] = [:]
    for number in 0..<60 {
      if Int.random(in: 0..<8, using: &random) == 0 {
        let new = Int.random(in: 0...100, using: &random)
        shares = (Int.random(in: (100 - new)...100, using: &random), new)
        for (sink, _) in Self.stored.dropFirst() {
          narrowed[sink] = Bool.random(using: &random) ? nil : Int.random(in: 0...100, using: &random)
        }
        rollout.set(try Self.rollout(shares, narrowed))
      }
      let unit = "u\(Int.random(in: 0..<50, using: &random))"
      let victim = all.randomElement(using: &random) ?? ""
      let name = Bool.random(using: &random) ? "e\(number)" : "e\(number) bad for \(victim)"
      let named = Set(all.filter { _ in Bool.random(using: &random) })
      let ids = Set(named.map { Sink.ID(rawValue: $0) })
      let scopes: [(Sink.Scope, Set<String>)] = [
        (.all, Set(all)), (.only(ids), named), (.except(ids), Set(all).subtracting(named)),
      ]
      let (scope, inScope) = scopes.randomElement(using: &random) ?? scopes[0]
      let id = EventID(high: UInt64(round), low: UInt64(number))
      if name.hasSuffix("bad for \(victim)") { bad[victim, default: []].insert(id) }
      dualSend.logEvent(
        LegacyEvent(name: name, unitID: unit, time: Int64(number), id: id), to: scope,
        delivery: Bool.random(using: &random) ? .buffered : .immediately)

      // The formulas of the rollout document's definition; buckets have reference values of their own elsewhere.
      let bucket = RolloutBucketing(salt: "test").bucket(of: unit).index
      let (isNew, isOld) = (bucket < shares.new * 1000, bucket >= 100_000 - shares.old * 1000)
      for (sink, side) in Self.stored + [("direct", .new), ("oldLogger", .old)]
      where inScope.contains(sink) && (side == .new ? isNew : isOld) {
        if let share = narrowed[sink], side == .new ? bucket >= share * 1000 : bucket < 100_000 - share * 1000 {
          continue
        }
        expected[sink, default: []].append(id)
      }
      if Int.random(in: 0..<10, using: &random) == 0 { await dualSend.flush(timeout: .seconds(5)) }
    }

    for receiver in receivers { receiver.heal() }
    // A failure from before may still be on its way, and pauses its sink after the first of these.
    for _ in 0..<2 {
      for sink in sinks { await sink.tracker?.resume() }
      await dualSend.flush()
    }
    expectNoDifference(direct.current, expected["direct"] ?? [])
    expectNoDifference(
      oldLogger.entries.map { $0.parameters["id"] }, (expected["oldLogger"] ?? []).map { .string($0.description) })
    for (sink, receiver) in zip(sinks, receivers) {
      let ledger = await sink.statistics?.ledger
      let dead = Set(try await sink.tracker?.deadLetters().map(\.event.id) ?? [])
      // An event that was refused waits if no other was taken after it.
      let waiting = Set(try await sink.tracker?.waitingIDs() ?? [])
      let gone = dead.union(waiting)
      expectNoDifference(receiver.taken, (expected[receiver.id] ?? []).filter { !gone.contains($0) }, "\(receiver.id)")
      #expect(waiting.isSubset(of: bad[receiver.id] ?? []))
      #expect(ledger?.isBalanced == true)
      #expect(ledger?.pending == waiting.count)
      #expect(ledger?.delivered == receiver.taken.count)
      #expect(ledger?.deadLettered == dead.count)
    }
  }
}
