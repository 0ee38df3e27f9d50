import DualSendCore
import DualSendRollout

@testable import DualSendGuard
@testable import DualSendParity

/// Where a run of a guard is ended in a test, as a kill would.
struct Killed: Error {}

/// The world of a guard: a document, a disk and a clock, which outlast the guard. Each change counts; the one of a chosen
/// number is not made, or is made and ends the run, as a kill before or after it would.
final class GuardWorld: GuardMemory, GuardedDocument {
  struct State {
    var live: String
    var state: GuardState?
    var log: [GuardDecision] = []
    var told: [GuardDecision] = []
    var published: [String] = []
    /// A kill of a person.
    var kill: String?
    var now: Int64 = 1_767_225_600_000
    /// The machine's; `nil` if the clock is right.
    var uptime: Int64?
    /// Of the machine.
    var boot = "a"
    var changes = 0
    /// Whether each edit is refused.
    var isRefusing = false
    /// The channels that fail.
    var failing: Set<String> = []
    var killedAt: Int?
    var isKilledAfter = false
  }

  let world: Locked<State>

  init(share: Int) { world = Locked(State(live: "1 \(share)")) }

  private func change(_ body: (inout State) -> Void) throws {
    let isKilled = world.withLock { world in
      world.changes += 1
      let isKilled = world.changes == world.killedAt
      if !isKilled || world.isKilledAfter { body(&world) }
      return isKilled
    }
    if isKilled { throw Killed() }
  }

  func state() -> GuardState? { world.current.state }
  func lastLogged() -> GuardDecision? { world.current.log.last }
  /// Through the text that a file would hold.
  func keep(_ state: GuardState) throws { try change { $0.state = GuardState(Self.read(state.json)) } }
  func log(_ decision: GuardDecision) throws {
    try change { world in
      if let last = world.log.last, decision.action != .wait, last.number == decision.number,
        last.action == decision.action
      {
        return
      }
      world.log.append(decision)
    }
  }
  func tell(_ decision: GuardDecision, by channel: String) throws {
    if world.current.failing.contains(channel) { throw GuardRefusal(.guardUntold, channel, help: "") }
    try change { $0.told.append(decision) }
  }

  func live() -> [UInt8] { Array(world.current.live.utf8) }
  func share(in text: [UInt8]) throws -> RolloutPercentage {
    let parts = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    guard parts.count == 2, let share = RolloutPercentage(percent: Double(parts[1])) else { throw Killed() }
    return share
  }
  func edited(
    _ text: [UInt8], to share: RolloutPercentage, lowering events: [EventPattern], evidence: ParityReport?
  ) throws -> [UInt8]? {
    if world.current.isRefusing {
      throw GuardRefusal(.guardStep, "refused", help: "")
    }
    let revision = String(decoding: text, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) } ?? 0
    return Array("\(revision + 1) \(share.thousandths / 1000)".utf8)
  }
  func publish(_ text: [UInt8], over before: [UInt8], for decision: GuardDecision) throws -> [UInt8] {
    try change { world in
      world.live = String(decoding: text, as: UTF8.self)
      world.published.append(world.live)
    }
    return text
  }
  func killInForce() -> String? { world.current.kill }

  private static func read(_ value: EventValue) -> EventValue {
    (try? JSONReader().value(value.canonicalText.utf8)) ?? .null
  }

  func advance(hours: Int64) { world.withLock { $0.now += hours * 3_600_000 } }

  func guardian(
    _ policy: GuardPolicy, evidence: ParityReport, deadLetters: [String: Int] = [:], silence: Int64 = 0,
    channels: [String] = ["webhook"]
  ) -> Guard {
    Guard(
      policy: policy, document: self, memory: self,
      evidence: { period, _ in
        GuardEvidence(
          evidence, deadLetters: deadLetters.mapValues { Set((0..<UInt64($0))) }, newest: period.upperBound - silence)
      }, channels: channels.map { name in Guard.Channel(name) { try self.tell($0, by: name) } },
      clock: {
        let world = self.world.current
        return GuardMoment(time: world.now, uptime: world.uptime ?? world.now, boot: world.boot)
      })
  }
}

extension GuardPolicy {
  static func test(
    _ bounds: String = #"[{"of": "failing", "limit": "0.1%"}]"#, onBreach: String = "back", more: String = ""
  ) throws -> GuardPolicy {
    try GuardPolicy(
      #"{"formatVersion": 1, "steps": [5, 25, 100], "hold": "24h", "units": "events", "bounds": \#(bounds), "onBreach": "\#(onBreach)"\#(more)}"#
        .utf8)
  }
}

extension ParityReport {
  /// A report of events by name: how many pairs, how many of them differ, and how many more are lost.
  static func test(_ events: [String: (pairs: Int, differing: Int, lost: Int)]) -> ParityReport {
    var report = ParityReport(join: .eventID(parameter: nil))
    report.events = events.sorted { $0.key < $1.key }.map { name, counts in
      var event = EventParity(name: name, newName: name)
      (event[.pairs], event[.differingBeforeNoise], event[.lostFromNew]) = (counts.pairs, counts.differing, counts.lost)
      (event[.judged], event[.failingBeforeNoise]) = (counts.pairs + counts.lost, counts.differing + counts.lost)
      return event
    }
    return report
  }
}
