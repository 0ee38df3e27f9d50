import DualSendCore
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A guard that is killed", .timeLimit(.minutes(5)))
struct GuardKillTests {
  /// Runs a journey of three advances, or an advance and a breach, in which each run that is killed is followed by another.
  private func journey(killedAt kill: Int?, after: Bool, onBreach: String?) async throws -> GuardWorld.State {
    let world = GuardWorld(share: 0)
    world.world.withLock { ($0.killedAt, $0.isKilledAfter) = (kill, after) }
    let policy = try GuardPolicy.test(onBreach: onBreach ?? "back")
    let good = ParityReport.test(["tap": (20_000, 0, 0)])
    let bad = ParityReport.test(["tap": (20_000, 400, 0)])
    var looks = 0
    while looks < 12 {
      let isLate = world.world.current.live.hasSuffix(" 25") || world.world.current.state?.broken != nil
      let guardian = world.guardian(policy, evidence: onBreach != nil && isLate ? bad : good)
      do {
        let outcome = try await guardian.look()
        world.advance(hours: 25)
        if outcome.isFinal { break }
      } catch is Killed {}
      looks += 1
    }
    // What was not told when a run was killed is told by the next.
    _ = try? await world.guardian(policy, evidence: onBreach == nil ? good : bad).look()
    return world.world.current
  }

  @Test(
    "at any change that it makes, before or after it, goes on as if it had not been: nothing is published twice, no breach is lost",
    arguments: [nil, "hold", "back", "kill"] as [String?])
  func everywhere(onBreach: String?) async throws {
    let whole = try await journey(killedAt: nil, after: false, onBreach: onBreach)
    #expect(whole.changes > 15)
    #expect(whole.published == (whole.state?.stopped == nil ? ["2 5", "3 25", "4 100"] : published(onBreach)))
    for kill in 1...whole.changes {
      for after in [false, true] {
        let run = try await journey(killedAt: kill, after: after, onBreach: onBreach)
        #expect(run.published == whole.published, "killed at \(kill), after: \(after)")
        #expect(run.live == whole.live)
        #expect(run.state?.stopped == whole.state?.stopped && run.state?.intent == nil)
        let actions = whole.log.filter { $0.action != .wait }.map(\.action)
        #expect(run.log.filter { $0.action != .wait }.map(\.action) == actions, "killed at \(kill), after: \(after)")
        // A decision may be told twice, by the same number, but is always told.
        #expect(Set(run.told.map(\.number)) == Set(whole.told.map(\.number)), "killed at \(kill), after: \(after)")
      }
    }
  }

  private func published(_ onBreach: String?) -> [String] {
    switch onBreach {
    case "back": ["2 5", "3 25", "4 5"]
    case "kill": ["2 5", "3 25", "4 0"]
    default: ["2 5", "3 25"]
    }
  }
}
