import Testing

@testable import DualSendGuard

@Suite("A policy at a given traffic")
struct GuardForecastTests {
  private func forecast(_ eventsPerDay: Double, fault: Double = 0, together: Bool = true) throws -> GuardForecast {
    let policy = try GuardPolicy.test(#"[{"of": "failing", "limit": "0.1%", "together": \#(together)}]"#)
    return GuardForecast(
      of: policy,
      GuardForecast.Traffic(eventsPerDay: eventsPerDay, rarestPerDay: eventsPerDay / 100, units: 10_000, fault: fault),
      runs: 100, seed: 1)
  }

  @Test("takes the holds of its steps where there is much traffic, and longer where there is little")
  func duration() throws {
    let busy = try forecast(1_000_000)
    #expect(busy.runs.allSatisfy { $0.isDone && $0.hours == 72 && $0.unitsMet == 0 })
    let quiet = try forecast(20_000)
    // 3,855 pairs at 5 % of 20,000 a day.
    #expect(quiet.runs.allSatisfy { $0.isDone && (130...150).contains($0.hours) })
    #expect(try forecast(200).runs.allSatisfy { !$0.isDone && !$0.isCaught })
    #expect(try forecast(20_000, together: false).runs.allSatisfy { !$0.isDone })
  }

  @Test("catches a fault at the first step, sooner the larger it is, before more units than that step has met it")
  func fault() throws {
    let large = try forecast(100_000, fault: 0.1)
    let small = try forecast(100_000, fault: 0.005)
    #expect(large.runs.allSatisfy(\.isCaught) && large.runs.allSatisfy { $0.step == 0 })
    #expect(small.runs.count(where: \.isCaught) >= 95)
    let (soon, late) = (try #require(large.quantile(0.5)), try #require(small.quantile(0.5)))
    #expect(soon.hours < late.hours)
    #expect(large.runs.allSatisfy { $0.unitsMet > 0 && $0.unitsMet < 0.05 })
  }

  @Test("is the same for the same numbers")
  func same() throws {
    #expect(try forecast(50_000, fault: 0.003).runs == forecast(50_000, fault: 0.003).runs)
  }
}
