import DualSendCore
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A breach that is hard to carry out or to tell (GuardTests)", .timeLimit(.minutes(5)))
struct GuardBreachTests {
  private let good = ParityReport.test(["tap": (20_000, 0, 0)])
  private let bad = ParityReport.test(["tap": (20_000, 400, 0)])

  @Test("is recorded as a hold if the edit is refused", arguments: ["back", "kill"])
  func refusedEdit(word: String) async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(onBreach: word), evidence: bad)
    _ = try await guardian.look()
    world.world.withLock { $0.isRefusing = true }
    let outcome = try await guardian.look()
    #expect(outcome.decision.action == .hold && outcome.decision.why.hasSuffix("; cannot publish: refused"))
    let now = world.world.current
    #expect(now.state?.stopped != nil && now.live == "1 5")
    #expect(now.log.map(\.action) == [.begin, .hold] && now.told.map(\.number) == [1, 2])
  }

  @Test("is recorded if another changes the document before it is published")
  func changedMeanwhile() async throws {
    let world = GuardWorld(share: 5)
    let guardian = try await pendingBreach(in: world)
    world.world.withLock { $0.live = "7 25" }
    #expect(try await guardian.look().decision.why.hasSuffix("; cannot publish: the document was changed"))
    let now = world.world.current
    #expect(now.live == "7 25" && now.state?.stopped != nil && now.state?.number == 2)
    #expect(now.log.map(\.number) == [1, 2] && now.told.map(\.number) == [1, 2])
  }

  @Test("is recorded if the guard is resumed before it is published, and its number is not used again")
  func resumed() async throws {
    let world = GuardWorld(share: 5)
    let guardian = try await pendingBreach(in: world)
    try await guardian.resume()
    #expect(try await guardian.look().decision.number == 3)
    let now = world.world.current
    #expect(now.log.map(\.number) == [1, 2, 3] && now.told.map(\.number) == [1, 2, 3])
    #expect(now.state?.course.count == 3)
  }

  /// A guard that was killed after it kept the intent of a breach, and before it published.
  private func pendingBreach(in world: GuardWorld) async throws -> Guard {
    let guardian = world.guardian(try .test(), evidence: bad)
    _ = try await guardian.look()
    world.world.withLock { $0.killedAt = $0.changes + 2 }
    await #expect(throws: Killed.self) { _ = try await guardian.look() }
    world.world.withLock { $0.killedAt = nil }
    #expect(world.world.current.state?.intent?.decision.number == 2)
    return guardian
  }

  @Test("is not final before it is told; a channel that fails stops no other", arguments: ["webhook", "command"])
  func untold(failing: String) async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: bad, channels: ["webhook", "command"])
    _ = try await guardian.look()
    world.world.withLock { $0.failing = [failing] }
    for _ in 0..<3 {
      let outcome = try await guardian.look()
      #expect(!outcome.isFinal && Set(outcome.findings.map(\.code.rawValue)) == ["DS1404", "DS1407"])
      #expect(world.world.current.told.map(\.number) == [1, 1, 2])
      #expect(world.world.current.state?.queues[failing]?.failure != nil)
    }
    world.world.withLock { $0.failing = [] }
    #expect(try await guardian.look().isFinal)
    #expect(world.world.current.told.map(\.number) == [1, 1, 2, 2])
  }

  @Test("a read that returns the text before the last publication is tried again, but not for ever")
  func staleRead() async throws {
    let world = GuardWorld(share: 0)
    let guardian = world.guardian(try .test(), evidence: good)
    _ = try await guardian.look()
    world.world.withLock { $0.live = "1 0" }
    await #expect(throws: GuardStaleRead.self) { _ = try await guardian.look() }
    world.advance(hours: 1)
    await #expect(throws: GuardRefusal.self) { _ = try await guardian.look() }
  }
}
