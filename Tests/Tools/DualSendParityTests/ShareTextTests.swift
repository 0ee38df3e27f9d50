import DualSendParity
import Testing

@Suite("A share as a percentage", .timeLimit(.minutes(5)))
struct ShareTextTests {
  @Test(
    "is rounded, not cut",
    arguments: [
      (288, 324, "88.8889%"), (1, 3, "33.3333%"), (2, 3, "66.6667%"), (1, 8, "12.5000%"), (5_999, 6_000, "99.9833%"),
      (1, 16_000_000, "<0.0001%"), (0, 3, "0.0000%"), (3, 3, "100.0000%"), (0, 0, "–"),
    ])
  func rounded(part: Int, whole: Int, text: String) {
    #expect(ShareText(part, of: whole, decimals: 4).description == text)
  }

  @Test("goes up at exactly half a digit, and is right where a double would not be")
  func half() {
    #expect(ShareText(5, of: 100_000, decimals: 2, unit: " %").description == "0.01 %")
    #expect(ShareText(1_005, of: 100_000, decimals: 2, unit: " %").description == "1.01 %")
    #expect(ShareText(.max / 2, of: .max, decimals: 4).description == "50.0000%")
  }

  @Test("is neither nothing nor all where it is not")
  func notQuite() {
    #expect(ShareText(1, of: 1_000_000_000, decimals: 4).description == "<0.0001%")
    #expect(ShareText(999_999_999, of: 1_000_000_000, decimals: 4).description == ">99.9999%")
  }
}
