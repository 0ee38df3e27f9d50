import Testing

@testable import DualSendRollout

@Suite struct RolloutPercentageTests {
  @Test(
    "a JSON number is read exactly",
    arguments: [
      ("0", 0), ("-0", 0), ("0.000", 0), ("5", 5000), ("0.1", 100), ("0.001", 1), ("33.333", 33333), ("100", 100_000),
      ("100.000", 100_000), ("12.5000", 12500), ("1e2", 100_000), ("1E-3", 1), ("2.5e+1", 25000), ("0.00001e5", 1000),
    ])
  func exact(text: String, thousandths: Int) throws {
    #expect(try RolloutPercentage(jsonNumber: text).thousandths == thousandths)
  }

  @Test(
    "what is below 0 or above 100 is out of range",
    arguments: ["-1", "-0.001", "100.001", "101", "1e3", "1e99999999999999999999", "99999999999999999999999"])
  func outOfRange(text: String) {
    #expect(throws: RolloutPercentage.Fault.outOfRange) { try RolloutPercentage(jsonNumber: text) }
  }

  @Test(
    "a fourth decimal is refused",
    arguments: ["0.0001", "5.1234", "1e-4", "1e-99999999999999999999", "33.3333333333333333333333333"])
  func tooManyDecimals(text: String) {
    #expect(throws: RolloutPercentage.Fault.tooManyDecimals) { try RolloutPercentage(jsonNumber: text) }
  }

  @Test(
    "the description is the shortest decimal",
    arguments: [(0, "0 %"), (5000, "5 %"), (12500, "12.5 %"), (1, "0.001 %"), (100_000, "100 %"), (10, "0.01 %")])
  func description(thousandths: Int, text: String) throws {
    #expect(try #require(RolloutPercentage(thousandths: thousandths)).description == text)
  }
}
