import DualSendCore
import Testing

@Suite("Retry-After", .timeLimit(.minutes(5)))
struct RetryAfterTests {
  /// 1994-11-06T08:49:37Z
  private static let now: Int64 = 784_111_777_000

  private func delay(_ headers: [String: String], now: Int64 = now) -> Duration? {
    RetryAfter.delay(in: HTTPTransportResponse(status: 503, headers: headers), wallMilliseconds: now)
  }

  @Test(
    "in seconds is that long, at most an hour",
    arguments: [
      ("0", 0), ("120", 120), (" 120 ", 120), ("007", 7), ("3600", 3600), ("3601", 3600),
      ("99999999999999999999999999", 3600),
    ])
  func seconds(_ text: String, _ seconds: Int) {
    #expect(delay(["Retry-After": text]) == .seconds(seconds))
  }

  @Test(
    "as a date counts from now, never back and at most an hour",
    arguments: [
      ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sunday, 06-Nov-94 08:51:37 GMT", 120),
      ("Sun Nov  6 08:51:37 1994", 120),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Mon, 01 Jan 1900 00:00:00 GMT", 0),
      ("Sun, 06 Nov 1994 10:00:00 GMT", 3600), ("Fri, 31 Dec 9999 23:59:59 GMT", 3600),
    ])
  func date(_ text: String, _ seconds: Int) {
    #expect(delay(["Retry-After": text]) == .seconds(seconds))
  }

  @Test("as a date counts from the answer's own date where it has one, however wrong the device's clock is")
  func serverClock() {
    let headers = ["retry-after": "Sun, 06 Nov 1994 08:51:37 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"]
    for now in [0, Self.now + 315_360_000_000, .min, .max] {
      #expect(delay(headers, now: now) == .seconds(120))
    }
    #expect(delay(headers.merging(["date": "yesterday"]) { $1 }) == .seconds(120))
  }

  @Test("as a date under a clock at the end of time is a wait within the bounds", arguments: [Int64.min, .max])
  func clockAtItsEnd(_ now: Int64) {
    #expect(delay(["Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT"], now: now) == (now > 0 ? .zero : .seconds(3600)))
  }

  @Test("is not there or cannot be read", arguments: ["", " ", "-5", "+5", "1.5", "soon", "1e3", "٣", "12:00"])
  func illegible(_ text: String) {
    #expect(delay([:]) == nil)
    #expect(delay(["Retry-After": text]) == nil)
  }
}
