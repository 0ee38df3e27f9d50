import DualSendCore
import Testing

@Suite("A number as canonical JSON", .timeLimit(.minutes(5)))
struct CanonicalNumberTests {
  @Test("has the text that RFC 8785 lists for it")
  func appendixB() throws {
    let rows = try Fixture.rows("json/rfc8785-numbers.csv")
    #expect(rows.count == 24)
    for row in rows {
      let number = Double(bitPattern: try #require(UInt64(row[0], radix: 16)))
      #expect(EventValue.double(number).canonicalText == row[1], "\(row[0])")
    }
  }

  @Test(
    "has no point where it is whole, on both sides of every border of the layout",
    arguments: [
      (1e14, "100000000000000"), (1e15, "1000000000000000"), (-1e15, "-1000000000000000"),
      (1_000_000_000_000_001, "1000000000000001"), (9_007_199_254_740_991, "9007199254740991"),
      (1e16, "10000000000000000"),
      (0x1p67, "147573952589676410000"), (1e20, "100000000000000000000"), (1.5e300, "1.5e+300"),
    ])
  func whole(_ number: Double, _ text: String) {
    #expect(EventValue.double(number).canonicalText == text)
  }

  @Test(
    "has an exponent only below a millionth",
    arguments: [
      (0.1, "0.1"), (0.00001, "0.00001"), (0.0000012, "0.0000012"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (-0.5, "-0.5"),
      (100.25, "100.25"),
    ])
  func small(_ number: Double, _ text: String) {
    #expect(EventValue.double(number).canonicalText == text)
  }

  @Test("is null where JSON has none", arguments: [Double.nan, .infinity, -.infinity])
  func nonFinite(_ number: Double) {
    #expect(EventValue.double(number).canonicalText == "null")
  }

  @Test(
    "keeps every digit of an integer, also beyond 2⁵³",
    arguments: [
      (0, "0"), (-1, "-1"), (9_007_199_254_740_993, "9007199254740993"), (Int64.max, "9223372036854775807"),
      (Int64.min, "-9223372036854775808"),
    ])
  func integers(_ number: Int64, _ text: String) throws {
    #expect(EventValue.int(number).canonicalText == text)
    #expect(try JSONReader().value(Array(text.utf8)) == .int(number))
  }

  @Test("reads back as the same double, whatever its bits")
  func roundTrip() throws {
    var random = RandomValues(seed: 8785)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.bits())
      guard number.isFinite else { continue }
      let text = EventValue.double(number).canonicalText
      #expect(Double(text)?.bitPattern == number.bitPattern, "\(text)")
      #expect(!text.contains(".0e") && !text.hasSuffix(".0"), "\(text)")
    }
  }
}
