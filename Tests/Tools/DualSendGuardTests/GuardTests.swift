import DualSendCore
import Foundation
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A guarded rollout", .timeLimit(.minutes(5)))
struct GuardTests {
  private let good = ParityReport.test(["tap": (20_000, 0, 0)])
  private let bad = ParityReport.test(["tap": (20_000, 400, 0)])

  @Test("goes from step to step as soon as each holds long enough and its bounds are shown, and says why it waits")
  func advances() async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: good)
    var outcome = try await guardian.look()
    #expect(outcome.decision.action == .begin && world.world.current.published.isEmpty)
    outcome = try await guardian.look()
    #expect(outcome.decision.action == .wait && outcome.decision.why.contains("the step holds for"))
    for (action, live) in [(GuardDecision.Action.advance, "2 25"), (.advance, "3 100"), (.done, "3 100")] {
      world.advance(hours: 25)
      outcome = try await guardian.look()
      #expect(outcome.decision.action == action && world.world.current.live == live)
    }
    #expect(outcome.isFinal && outcome.findings.isEmpty)
    #expect(world.world.current.told.map(\.action) == [.begin, .advance, .advance, .done])
    #expect(world.world.current.told.map(\.number) == [1, 2, 3, 4])
  }

  @Test("publishes the first step for a document below it, and refuses one between two steps")
  func begins() async throws {
    let world = GuardWorld(share: 0)
    let outcome = try await world.guardian(try .test(), evidence: good).look()
    #expect(outcome.decision.action == .begin && world.world.current.live == "2 5")
    let between = GuardWorld(share: 10)
    await #expect(throws: GuardRefusal.self) { try await between.guardian(try .test(), evidence: good).look() }
    #expect(between.world.current.state == nil)
  }

  @Test("does not go on without evidence, or with too little")
  func tooLittle() async throws {
    for report in [
      ParityReport.test([:]), .test(["tap": (500, 0, 0)]), .test(["tap": (20_000, 0, 0), "rare": (9, 0, 0)]),
    ] {
      let world = GuardWorld(share: 5)
      let guardian = world.guardian(try .test(), evidence: report)
      _ = try await guardian.look()
      world.advance(hours: 1_000)
      let outcome = try await guardian.look()
      #expect(outcome.decision.action == .wait && world.world.current.live == "1 5", "\(outcome.decision.why)")
    }
  }

  @Test(
    "does what the policy says of a breach, at once, and then stands until a person lets it go on",
    arguments: [("hold", "2 25"), ("back", "3 5"), ("kill", "3 0")])
  func breach(word: String, live: String) async throws {
    let world = GuardWorld(share: 5)
    let policy = try GuardPolicy.test(onBreach: word)
    _ = try await world.guardian(policy, evidence: good).look()
    world.advance(hours: 25)
    _ = try await world.guardian(policy, evidence: good).look()
    let outcome = try await world.guardian(policy, evidence: bad).look()
    #expect(outcome.decision.action.rawValue == word && world.world.current.live == live && outcome.isFinal)
    #expect(outcome.decision.why == "`tap`: 400 of 20,000 events fail, 0.1 % may")
    world.advance(hours: 1_000)
    let after = try await world.guardian(policy, evidence: bad).look()
    #expect(after.isFinal && after.findings.map(\.code.rawValue) == ["DS1404"] && world.world.current.live == live)
    let guardian = world.guardian(policy, evidence: good)
    try await guardian.resume()
    #expect(try await guardian.look().findings.isEmpty)
  }

  @Test(
    "what the old stream lacks rolls nothing back, unless a bound names it",
    arguments: ["lost", "failing", "lostFromOld"])
  func oldShipper(measure: String) async throws {
    var report = good
    report.events[0][.lostFromOld] = 10_000
    report.events[0][.judged] += 10_000
    report.events[0][.failingBeforeNoise] += 10_000
    let world = GuardWorld(share: 5)
    let policy = try GuardPolicy.test(#"[{"of": "\#(measure)", "limit": "0.1%"}]"#)
    _ = try await world.guardian(policy, evidence: report).look()
    world.advance(hours: 25)
    let outcome = try await world.guardian(policy, evidence: report).look()
    #expect(outcome.decision.action == (measure == "lostFromOld" ? .back : .advance))
  }

  @Test("an event that is rarely sent stops a rollout by a bound that need not be shown, and delays none")
  func notRequired() async throws {
    let bounds = """
      [{"of": "failing", "limit": "0.1%", "together": true}, {"of": "failing", "limit": "1%", "required": false}]
      """
    let world = GuardWorld(share: 5)
    let policy = try GuardPolicy.test(bounds)
    let rare = ParityReport.test(["tap": (20_000, 0, 0), "rare": (9, 0, 0)])
    _ = try await world.guardian(policy, evidence: rare).look()
    world.advance(hours: 25)
    #expect(try await world.guardian(policy, evidence: rare).look().decision.action == .advance)
    let wrong = ParityReport.test(["tap": (20_000, 0, 0), "rare": (9, 9, 0)])
    let outcome = try await world.guardian(policy, evidence: wrong).look()
    #expect(outcome.decision.action == .back && outcome.decision.why.hasPrefix("`rare`: 9 of 9"))
  }

  @Test("stops and says so where another has changed the document, and goes on from it with resume")
  func conflict() async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: good)
    _ = try await guardian.look()
    world.world.withLock { $0.live = "7 25" }
    world.advance(hours: 25)
    await #expect {
      try await guardian.look()
    } throws: {
      ($0 as? GuardRefusal)?.findings.map(\.code.rawValue) == ["DS1405"]
    }
    #expect(world.world.current.live == "7 25")
    await #expect(throws: GuardRefusal.self) { try await guardian.look() }
    // Nobody acts, and each look says so if a bound breaks meanwhile.
    await #expect {
      try await world.guardian(try .test(), evidence: bad).look()
    } throws: {
      let findings = ($0 as? GuardRefusal)?.findings ?? []
      return findings.map(\.code.rawValue) == ["DS1405", "DS1404"]
        && findings.last?.message == "a bound is broken, and nobody acts: `tap`: 400 of 20,000 events fail, 0.1 % may"
    }
    let (log, told) = (world.world.current.log, world.world.current.told)
    #expect(log.map(\.action) == [.begin, .conflict] && told == log, "one message for each text of another")
    world.world.withLock { $0.live = "7 30" }
    await #expect(throws: GuardRefusal.self) { try await guardian.look() }
    #expect(world.world.current.told.count == 3)
    world.world.withLock { $0.live = "7 25" }
    try await guardian.resume()
    world.advance(hours: 25)
    #expect(try await guardian.look().decision.action == .advance)
    #expect(world.world.current.live == "8 100")
  }

  @Test("says which decision was not published because another changed the document meanwhile, also after a kill")
  func conflictWhilePublishing() async throws {
    for kill in 0..<8 {
      let world = GuardWorld(share: 5)
      let guardian = world.guardian(try .test(), evidence: good)
      _ = try await guardian.look()
      world.advance(hours: 25)
      // Killed when the intent is on disk.
      world.world.withLock { ($0.killedAt, $0.isKilledAfter) = ($0.changes + 1, true) }
      await #expect(throws: Killed.self) { try await guardian.look() }
      world.world.withLock { world in
        world.live = "7 25"
        world.killedAt = kill == 0 ? nil : world.changes + kill
      }
      for _ in 0..<3 { _ = try? await guardian.look() }
      let current = world.world.current
      let last = try #require(current.log.last)
      #expect(last.why == "another has changed the document: advance to 25 % was not published")
      #expect(current.log.map(\.action) == [.begin, .conflict] && current.live == "7 25")
      #expect(Set(current.told.map(\.number)) == [1, 2] && current.state?.intent == nil)
    }
  }

  @Test("a preview decides the same and changes nothing")
  func preview() async throws {
    let world = GuardWorld(share: 5)
    let guardian = world.guardian(try .test(), evidence: bad)
    _ = try await guardian.look()
    let before = world.world.current.changes
    #expect(try await guardian.preview().action == .back)
    #expect(world.world.current.changes == before && world.world.current.live == "1 5")
  }

  @Test("waits if a stream has had no event for longer than the policy allows, and goes on with the next events")
  func silence() async throws {
    let world = GuardWorld(share: 5)
    let policy = try GuardPolicy.test(more: #", "maximumSilence": "2h""#)
    _ = try await world.guardian(policy, evidence: good).look()
    world.advance(hours: 25)
    let outcome = try await world.guardian(policy, evidence: good, silence: 7_200_001).look()
    #expect(outcome.decision.action == .wait && outcome.decision.why.hasPrefix("the evidence dried up"))
    #expect(try await world.guardian(policy, evidence: good, silence: 7_200_000).look().decision.action == .advance)
  }

  @Test("counts dead letters against their own bound, also of an event that never arrived")
  func deadLetters() async throws {
    let bounds = #"[{"of": "failing", "limit": "0.1%"}, {"of": "deadLetters", "limit": "0.1%"}]"#
    for letters in [["tap": 400], ["never.arrived": 40]] {
      let world = GuardWorld(share: 5)
      let policy = try GuardPolicy.test(bounds)
      _ = try await world.guardian(policy, evidence: good).look()
      world.advance(hours: 25)
      let outcome = try await world.guardian(policy, evidence: good, deadLetters: letters).look()
      #expect(outcome.decision.action == .back && outcome.decision.why.contains("are dead letters, 0.1 % may"))
    }
    let world = GuardWorld(share: 5)
    let policy = try GuardPolicy.test(bounds)
    _ = try await world.guardian(policy, evidence: good).look()
    world.advance(hours: 25)
    let outcome = try await world.guardian(policy, evidence: good, deadLetters: ["tap": 1]).look()
    #expect(outcome.decision.action == .advance)
  }

  @Test("knows every revision that apps may still have")
  func revisions() async throws {
    let world = GuardWorld(share: 0)
    for _ in 0..<3 {
      _ = try await world.guardian(try .test(), evidence: good).look()
      world.advance(hours: 25)
    }
    let revisions = try #require(world.world.current.state).revisions
    #expect(revisions.map(\.text) == ["1 0", "2 5", "3 25", "4 100"])
    #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0.since <= $1.since })
  }

  @Test("a false alarm is as rare over many series as over one: their levels add up to the error probability")
  func sharedProbability() throws {
    let policy = try GuardPolicy.test()
    let events = Dictionary(uniqueKeysWithValues: (0..<300).map { ("event \($0)", (pairs: 10, differing: 0, lost: 0)) })
    let judgement = GuardJudgement(GuardEvidence(.test(events), newest: 0), by: policy, at: 0, seen: [])
    let shares = judgement.series.map { 1 / exp(judgement.breachLevel(of: $0)) }
    #expect(shares.count == 300 && shares.reduce(0, +) <= policy.errorProbability)
    let later = GuardJudgement(
      GuardEvidence(.test(["event 299": (10, 0, 0), "a": (10, 0, 0)]), newest: 0), by: policy, at: 0,
      seen: judgement.order)
    #expect(later.order.prefix(300) == judgement.order[...] && later.order.last == "0 a")
  }
}
