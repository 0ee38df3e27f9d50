@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping
import Testing

@testable import DualSendCodeGeneration

@Suite("The new form of random events by random tables")
struct NewFormPropertyTests {
  private func converted(_ parameters: [String: any Sendable]) -> [String: EventValue] {
    var converter = EventValueConverter()
    return converter.convert(parameters)
  }

  private static let seeds = UInt64(0)..<3000

  @Test("is what the table makes of the old form")
  func sameAsTable() throws {
    for seed in Self.seeds {
      var random = RandomEvents(seed: seed)
      let (event, table) = (random.event(), random.table())
      let plan = NewFormPlan(event, by: table)
      for _ in 0..<10 {
        let parameters = random.parameters(of: event)
        guard let new = PlanInterpreter(event: event, plan: plan).newParameters(of: parameters) else { break }
        let expected = table.apply(to: "e", payload: converted(parameters))
        try #require(
          EventValue.object(converted(new)) == .object(expected.payload), "\(seed) \(plan.shape) \(parameters)")
        try #require(plan.name.isExactly(expected.name))
      }
    }
  }

  @Test("is known without values for most of them, in every way there is")
  func coverage() {
    var ways: [String: Int] = [:]
    for seed in Self.seeds {
      var random = RandomEvents(seed: seed)
      let (event, table) = (random.event(), random.table())
      guard case .members(let members, _) = NewFormPlan(event, by: table).shape else {
        ways["whole", default: 0] += 1
        continue
      }
      for member in members { ways[Self.way(member.conversion), default: 0] += 1 }
    }
    #expect(ways["whole", default: 0] * 2 < Self.seeds.count)
    for way in ["unchanged", "native", "mixed cases", "typed cases", "rule"] {
      #expect(ways[way, default: 0] >= 10, "\(way)")
    }
  }

  private static func way(_ conversion: ParameterConversion) -> String {
    switch conversion {
    case .unchanged: "unchanged"
    case .native: "native"
    case .cases(_, let type, _): type == nil ? "mixed cases" : "typed cases"
    case .rule: "rule"
    }
  }
}
