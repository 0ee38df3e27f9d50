import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendCodeGeneration

@Suite("The new form of random events by random tables")
struct NewFormPropertyTests {
  private func converted(_ parameters: [String: any Sendable]) -> [String: EventValue] {
    var converter = EventValueConverter()
    return converter.convert(parameters)
  }

  @Test("is what the table makes of the old form, and is known without values for most of them, in every way there is")
  func sameAsTable() throws {
    let seeds = UInt64(0)..<1500
    var whole = 0
    var ways: [String: Int] = [:]
    for seed in seeds {
      var random = RandomEvents(seed: seed)
      let (event, table) = (random.event(), random.table())
      let plan = NewFormPlan(event, by: table)
      guard case .members(let members, _) = plan.shape else {
        whole += 1
        continue
      }
      for member in members { ways[Self.way(member.conversion), default: 0] += 1 }
      for _ in 0..<10 {
        let parameters = random.parameters(of: event)
        let new = try #require(PlanInterpreter(event: event, plan: plan).newParameters(of: parameters))
        let expected = table.apply(to: "e", payload: converted(parameters))
        let isSame = EventValue.object(converted(new)) == .object(expected.payload)
        try #require(isSame && plan.name.isExactly(expected.name), "\(seed) \(plan.shape) \(parameters)")
      }
    }
    #expect(whole * 2 < seeds.count)
    for way in ["unchanged", "native", "mixed cases", "typed cases", "rule"] {
      #expect(ways[way, default: 0] >= 5, "\(way)")
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
