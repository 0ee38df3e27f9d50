import DualSendCore
import Foundation
import Testing

@Suite("A timestamp", .timeLimit(.minutes(5)))
struct TimestampTests {
  @Test(
    "is written in UTC with milliseconds, and read back",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (951_868_800_000, "2000-03-01T00:00:00.000Z"), (1_709_164_800_123, "2024-02-29T00:00:00.123Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func known(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp.text(milliseconds: milliseconds) == text)
    #expect(Timestamp.milliseconds(text: text) == milliseconds)
  }

  @Test("agrees with Foundation's calendar and comes back from its text, over ten thousand years")
  func roundTrip() {
    var random = SplitMix64(seed: 5)
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<5000 {
      let span = 253_402_300_799_999 + 62_135_596_800_000
      let milliseconds = Int64(random.number(below: span)) - 62_135_596_800_000
      let text = Timestamp.text(milliseconds: milliseconds)
      #expect(Timestamp.milliseconds(text: text) == milliseconds)
      // Foundation's calendar is Julian before 1582.
      if milliseconds > -12_000_000_000_000 {
        let whole = milliseconds - milliseconds % 1000
        let expected = Timestamp.date(milliseconds: whole).formatted(format)
        #expect(Timestamp.text(milliseconds: whole) == expected)
      }
    }
  }

  @Test(
    "beyond the years of four digits is written with all of them",
    arguments: [
      (253_402_300_800_000, "10000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "-1-12-31T23:59:59.999Z"),
      (Int64.max, "292278994-08-17T07:12:55.807Z"), (Int64.min, "-292275055-05-16T16:47:04.192Z"),
    ] as [(Int64, String)])
  func farAway(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp.text(milliseconds: milliseconds) == text)
  }

  @Test(
    "is read from every form of RFC 3339",
    arguments: [
      ("1985-04-12T23:20:50.52Z", 482_196_050_520), ("1996-12-19T16:39:57-08:00", 851_042_397_000),
      ("1996-12-20T00:39:57z", 851_042_397_000), ("1996-12-20t00:39:57Z", 851_042_397_000),
      ("1996-12-20 00:39:57Z", 851_042_397_000), ("1990-12-31T23:59:60Z", 662_688_000_000),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130), ("1970-01-01T00:00:00.0009Z", 0),
      ("1970-01-01T00:00:00.1239999999999999999999Z", 123), ("1970-01-01T09:00:00+09:00", 0),
      ("1969-12-31T23:00:00-01:00", 0),
    ] as [(String, Int64)])
  func reads(_ text: String, _ milliseconds: Int64) {
    #expect(Timestamp.milliseconds(text: text) == milliseconds)
  }

  @Test(
    "is refused as text of any other form, and on a day that is not",
    arguments: [
      "", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00Z", "70-01-01T00:00:00Z", "1970-1-01T00:00:00Z",
      "1970-00-01T00:00:00Z", "1970-13-01T00:00:00Z", "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z",
      "1970-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "1970-04-31T00:00:00Z",
      "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-01-01T00:00:00.Z",
      "1970-01-01T00:00:00,5Z", "1970-01-01T00:00:00+9:00", "1970-01-01T00:00:00+0900", "1970-01-01T00:00:00+24:00",
      "1970-01-01T00:00:00+00:60", "1970-01-01T00:00:00Z ", " 1970-01-01T00:00:00Z", "1970-01-01T00:00:00ZZ",
      "+970-01-01T00:00:00Z", "１970-01-01T00:00:00Z", "1970-01-01T00:00:00.٣Z", "1970-01-01T00:00:00Z\u{301}",
      "1970/01/01T00:00:00Z", "10000-01-01T00:00:00Z",
    ])
  func refuses(_ text: String) {
    #expect(Timestamp.milliseconds(text: text) == nil)
  }

  @Test(
    "of a date is its nearest millisecond, within Int64",
    arguments: [
      (0.0004, 0), (0.0006, 1), (-0.0006, -1), (1e300, .max), (-1e300, .min), (.infinity, .max), (.nan, .min),
    ] as [(Double, Int64)])
  func dates(_ seconds: Double, _ milliseconds: Int64) {
    #expect(Timestamp.milliseconds(Date(timeIntervalSince1970: seconds)) == milliseconds)
  }
}
