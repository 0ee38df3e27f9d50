import Testing

@testable import DualSendSource

@Suite("Long functions", .timeLimit(.minutes(5)))
struct StraightTests {
  /// A function without a branch, whose last statement logs what the one before it says.
  private func straight(lines: Int) -> Sources {
    Sources(
      "func f(_ l: any L) {\n  var p = 0\n" + String(repeating: "  p=0\n", count: lines)
        + "  l.logEvents(name: \"end\", parameters: [[\"k\": p]])\n}\n")
  }

  @Test("are followed to their end where they are straight, however long they are")
  func straight() {
    #expect(straight(lines: 20_000).calls.map(\.summary) == ["exact end(k)"])
  }

  @Test("with thousands of branches are partial, and say from which line on", arguments: [8_000, 20_000])
  func branches(count: Int) {
    let branches = (0..<count).map { "  if flag { p[\"k\($0)\"] = 1 }\n" }.joined()
    let source = "func f(_ l: any L, flag: Bool) {\n  var p: [String: Any] = [:]\n\(branches)"
    let calls = Sources(source + "  l.logEvents(name: \"end\", parameters: [p])\n}\n").calls
    #expect(calls.map(\.certainty) == [.partial] && calls.first?.events.map(\.name) == ["end"])
    #expect(calls.first?.open.contains { $0.contains("more work than a place is worth, from `if` in line") } == true)
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
