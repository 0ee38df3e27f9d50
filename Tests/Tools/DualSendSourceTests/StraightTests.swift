import Testing

@testable import DualSendSource

@Suite("Long functions", .timeLimit(.minutes(5)))
struct StraightTests {
  /// A function without a branch, whose last statement logs what the one before it says.
  private func straight(lines: Int, _ line: String = "p=0") -> Sources {
    Sources(
      "func f(_ l: any L) {\n  var p = 0\n" + String(repeating: "  \(line)\n", count: lines)
        + "  l.logEvents(name: \"end\", parameters: [[\"k\": p]])\n}\n")
  }

  @Test("are followed to their end where they are straight, however long they are")
  func straight() {
    #expect(straight(lines: 20_000).calls.map(\.summary) == ["exact end(k)"])
  }

  @Test("are followed for more than the 5,000 expressions that the shortest is worth")
  func long() {
    #expect(straight(lines: 1_000, "p=[0,1,2,3,4,5,6,7,8,9][0]").calls.map(\.summary) == ["exact end(k)"])
  }

  @Test("whose ways split again and again, or whose loops stand in each other, are bounded, and said to be")
  func entangled() {
    let loops = String(repeating: "while flag { ", count: 12) + "p[\"a\"] = n; " + String(repeating: "} ", count: 12)
    let calls = Sources(
      """
      func f(_ l: any L, flag: Bool, n: Int) {
        l.logEvents(name: "before", parameters: [[:]])
        var p: [String: Any] = [:]
        \(loops)
        l.logEvents(name: "after", parameters: [p])
      }
      """
    ).calls
    #expect(calls.first?.summary == "exact before()")
    #expect(calls.last?.certainty != .exact)
    #expect(calls.last?.open == ["the parameters: `p` is changed by `while` in line 4"])
  }
}
