import DualSendCore
import Testing

@Suite("An HTTP date", .timeLimit(.minutes(5)))
struct HTTPDateTests {
  @Test(
    "is read in each of its three forms",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000),
      ("Sun Nov  6 08:49:37 1994", 784_111_777_000), ("Thu Nov 16 08:49:37 1995", 816_511_777_000),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400_000),
      ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800_000), ("Wednesday, 31-Dec-69 23:59:59 GMT", 3_155_759_999_000),
      ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777_000),
    ] as [(String, Int64)])
  func forms(_ text: String, _ milliseconds: Int64) {
    #expect(HTTPDate.milliseconds(text) == milliseconds)
  }

  @Test(
    "is refused in any other form, in another zone, and on a day that is not",
    arguments: [
      "", "Sun", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
      "Sun, 06 Nov 1994 08:49:37 +0900", "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, xx Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
      "Sun Nov  6 08:49:37", "Sun Nov  6 08:49:37 1994 GMT", "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
    ])
  func refusals(_ text: String) {
    #expect(HTTPDate.milliseconds(text) == nil)
  }
}
