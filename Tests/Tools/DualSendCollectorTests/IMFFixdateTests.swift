import Testing

@testable import DualSendCollector

@Suite("The date of an answer", .timeLimit(.minutes(5)))
struct IMFFixdateTests {
  @Test(
    "is written as RFC 9110 shows it",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (1_709_164_800_999, "Thu, 29 Feb 2024 00:00:00 GMT"),
    ] as [(Int64, String)])
  func text(_ milliseconds: Int64, _ text: String) {
    #expect(IMFFixdate.text(milliseconds: milliseconds) == text)
  }
}
