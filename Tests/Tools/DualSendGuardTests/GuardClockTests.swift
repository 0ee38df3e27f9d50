import DualSendCore
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A guard whose clock, state or lines are not what they were")
struct GuardClockTests {
  private let good = ParityReport.test(["tap": (20_000, 0, 0)])

  @Test(
    "decides nothing while the clock and the machine disagree, and afterwards as if nothing had been",
    arguments: [100, -100] as [Int64])
  func jump(days: Int64) async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: good)
    _ = try await guardian.look()
    let start = world.world.current.now
    func set(_ hours: Int64, wrongBy days: Int64 = 0) {
      world.world.withLock {
        ($0.now, $0.uptime) = (start + (hours + days * 24) * 3_600_000, start + hours * 3_600_000)
      }
    }
    set(10)
    _ = try await guardian.look()
    set(11, wrongBy: days)
    let doubted = try await guardian.look()
    #expect(doubted.decision.action == .wait && doubted.findings.map(\.code.rawValue) == ["DS1408"])
    set(12)
    #expect(try await guardian.look().findings.map(\.code.rawValue) == ["DS1408"])
    #expect(world.world.current.published.isEmpty && world.world.current.state?.since == start)
    set(23)
    #expect(try await guardian.look().decision.why.contains("holds for"))
    set(25)
    #expect(try await guardian.look().decision.action == .advance)
  }

  @Test("begins a step again that began in the future, and follows a clock that was set for good")
  func future() async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: good)
    let right = world.world.current.now
    world.world.withLock { ($0.now, $0.uptime) = (right + 2_400 * 3_600_000, 0) }
    _ = try await guardian.look()
    world.world.withLock { ($0.now, $0.uptime) = (right, 3_600_000) }
    #expect(try await guardian.look().findings.map(\.code.rawValue) == ["DS1408"])
    world.world.withLock { ($0.now, $0.uptime) = (right + 60_000, 3_660_000) }
    #expect(try await guardian.look().decision.why.contains("begins again"))
    #expect(world.world.current.state?.since == right + 60_000)
    world.world.withLock { ($0.now, $0.uptime) = (right + 25 * 3_600_000, 29 * 3_600_000) }
    _ = try await guardian.look()
    world.world.withLock { ($0.now, $0.uptime) = (right + 26 * 3_600_000, 30 * 3_600_000) }
    #expect(try await guardian.look().decision.action == .advance)
  }

  @Test("does not begin anew without its state after a rollback, until a person says so")
  func lostState() async throws {
    let world = GuardWorld(share: 25)
    let policy = try GuardPolicy.test()
    _ = try await world.guardian(policy, evidence: good).look()
    _ = try await world.guardian(policy, evidence: ParityReport.test(["tap": (20_000, 400, 0)])).look()
    #expect(world.world.current.live == "2 5")
    world.world.withLock { $0.state = nil }
    world.advance(hours: 100)
    let guardian = world.guardian(policy, evidence: good)
    await #expect {
      try await guardian.look()
    } throws: {
      let finding = ($0 as? GuardRefusal)?.findings.first
      return finding?.code.rawValue == "DS1409" && finding?.message.contains("back  25 % → 5 %") == true
    }
    #expect(world.world.current.live == "2 5" && world.world.current.state == nil)
    try await guardian.resume()
    #expect(try await guardian.look().decision.why.contains("holds for"))
    world.advance(hours: 25)
    #expect(try await guardian.look().decision.number == 3)
  }

  @Test("withdraws a breach whose lost lines come late, but not one whose files are gone")
  func late() async throws {
    let world = GuardWorld(share: 25)
    let policy = try GuardPolicy.test(#"[{"of": "lost", "limit": "0.1%"}]"#)
    _ = try await world.guardian(policy, evidence: good).look()
    let back = try await world.guardian(policy, evidence: ParityReport.test(["tap": (19_600, 0, 400)])).look()
    #expect(back.decision.action == .back && back.isFinal)
    world.advance(hours: 2)
    #expect(
      try await world.guardian(policy, evidence: ParityReport.test([:])).look().findings.first?.code == .guardBreach)
    // While the lines are missing, neither other events nor a policy that allows more withdraw it.
    let lenient = try GuardPolicy.test(#"[{"of": "lost", "limit": "5%"}]"#)
    let lost = ParityReport.test(["tap": (19_600, 0, 400), "a": (9, 0, 0), "b": (9, 0, 0)])
    for policy in [policy, lenient] {
      #expect(try await world.guardian(policy, evidence: lost).look().findings.first?.code == .guardBreach)
    }
    let withdrawn = try await world.guardian(policy, evidence: good).look()
    #expect(withdrawn.decision.action == .withdraw && withdrawn.findings.isEmpty && !withdrawn.isFinal)
    #expect(world.world.current.live == "2 5" && world.world.current.told.last?.action == .withdraw)
    #expect(try await world.guardian(policy, evidence: good).look().decision.why.contains("holds for"))
  }

  @Test("a step that is withdrawn twice waits for a person, and names `settle`")
  func oscillation() async throws {
    let world = GuardWorld(share: 5)
    let policy = try GuardPolicy.test(#"[{"of": "lost", "limit": "0.1%"}]"#)
    func look(_ report: ParityReport) async throws -> Guard.Outcome {
      world.advance(hours: 25)
      return try await world.guardian(policy, evidence: report).look()
    }
    let lost = ParityReport.test(["tap": (19_600, 0, 400)])
    _ = try await look(good)
    for time in [1, 2] {
      #expect(try await look(lost).decision.action == .back)
      let withdrawn = try await look(good)
      #expect(withdrawn.decision.action == .withdraw && withdrawn.isFinal == (time == 2))
      #expect(withdrawn.decision.why.contains("second time at 5 %: set `settle`") == (time == 2))
      if time == 1 { #expect(try await look(good).decision.why == "the first step") }
    }
    for _ in 0..<3 { #expect(try await look(good).findings.map(\.code) == [.guardBreach]) }
    #expect(world.world.current.live == "4 0")
    try await world.guardian(policy, evidence: good).resume()
    #expect(try await look(good).findings.isEmpty)
  }

  @Test("runs on machines in turn, whose clocks agree and whose uptimes do not")
  func machines() async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: good)
    for hours in 0..<25 as Range<Int64> {
      world.world.withLock { ($0.boot, $0.uptime) = ("\(hours % 3)", (1 + hours % 3 * 50 + hours) * 3_600_000) }
      #expect(try await guardian.look().isUndecided == false)
      world.advance(hours: 1)
    }
    #expect(world.world.current.log.last?.action == .advance)
  }

  @Test("is not stalled by one broken line, and says what it did not judge")
  func brokenLine() async throws {
    let world = GuardWorld(share: 5)
    var report = good
    (report.old.lines, report.new.lines, report.new.malformed) = (20_000, 20_000, 1)
    _ = try await world.guardian(.test(), evidence: report).look()
    world.advance(hours: 25)
    var many = report
    many.new.malformed = 41
    let waiting = try await world.guardian(.test(), evidence: many).look().decision
    #expect(waiting.action == .wait && waiting.why.contains("of 40,000 lines, 41 unreadable: at most 0.1 % may be"))
    // A pair whose repeat says something else is judged by neither.
    var repeated = report
    repeated.events[0][.conflicting] = 1
    let why = try await world.guardian(.test(), evidence: repeated).look().decision.why
    #expect(why == "1 repeated line with another name or payload")
    let advance = try await world.guardian(.test(), evidence: report).look().decision
    #expect(advance.action == .advance && advance.why.hasSuffix("not judged: of 40,000 lines, 1 unreadable"))
  }
}
