import Testing

@testable import DualSendRollout

@Suite struct ConditionTests {
  @Test("missing parts of a version count as 0")
  func missingParts() {
    #expect(DecisionContext.AppVersion("25.4") == DecisionContext.AppVersion("25.4.0.0"))
    #expect(DecisionContext.AppVersion("0") == DecisionContext.AppVersion("0.0"))
  }

  @Test(
    "versions order part by part, as numbers",
    arguments: [("25.9", "25.10"), ("25.4", "25.4.0.1"), ("25.4.10", "25.4.11"), ("0", "0.0.1"), ("9", "10.0")])
  func order(low: String, high: String) throws {
    let (low, high) = (try #require(DecisionContext.AppVersion(low)), try #require(DecisionContext.AppVersion(high)))
    #expect(low < high)
    #expect(!(high < low))
  }

  @Test(
    "only dotted numbers are versions", arguments: ["", ".", "1.", ".1", "1..2", "1.x", "-1", "1 ", "25.4-beta", "٣"])
  func notAVersion(text: String) {
    #expect(DecisionContext.AppVersion(text) == nil)
  }

  @Test(
    "every comparison of a condition must hold",
    arguments: [
      (">=25.4.10 <26", "25.4.10", true), (">=25.4.10 <26", "26", false), (">=25.4.10 <26", "25.4.9", false),
      ("==25.4", "25.4.0", true), ("==25.4", "25.4.1", false), (">25", "25", false), ("<=25", "25", true),
      (" >= 1   < 2 ", "1.5", true),
    ])
  func condition(text: String, version: String, holds: Bool) throws {
    let condition = try #require(VersionCondition(text))
    #expect(condition.holds(for: try #require(DecisionContext.AppVersion(version))) == holds)
  }

  @Test(
    "a condition without operator or version is refused",
    arguments: ["", " ", "25", ">=", ">= <26", "=25", "~>1", ">=1,<2"])
  func notACondition(text: String) {
    #expect(VersionCondition(text) == nil)
  }

  @Test("a pattern is a name or a prefix")
  func patterns() {
    #expect(EventPattern("home.tap") == .exact("home.tap"))
    #expect(EventPattern("home.*") == .prefix("home."))
    #expect(EventPattern("*") == .prefix(""))
  }

  @Test("a star stands at the end or nowhere", arguments: ["", "home.*.tap", "*.tap", "**", "home*x"])
  func notAPattern(text: String) {
    #expect(EventPattern(text) == nil)
  }
}
