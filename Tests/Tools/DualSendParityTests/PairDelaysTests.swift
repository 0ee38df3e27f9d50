import DualSendCore
import Testing

@testable import DualSendParity

@Suite("The delays of pairs", .timeLimit(.minutes(5)))
struct PairDelaysTests {
  @Test(
    "have the lower middle one as their median, cut to three digits",
    arguments: [
      ([], nil), ([7], 7), ([1, 9], 1), ([9, 1, 5], 5), ([-3, -1, -2], -2), ([999, 1000, 1005], 1000),
      ([12_345], 12_300), ([-12_345], -12_300), ([1_000_000_007_123], 1_000_000_000_000),
    ] as [([Int64], Int64?)])
  func median(delays: [Int64], median: Int64?) {
    var counted = PairDelays()
    for delay in delays { counted.add(delay) }
    #expect(counted.median == median)
  }

  @Test("of parts are put together, and a median that was read is not")
  func sum() {
    var left = PairDelays()
    left.add(1)
    var right = PairDelays()
    for delay in [5, 7] as [Int64] { right.add(delay) }
    left.add(right)
    #expect(left.median == 5)
    #expect(left.late == 7)
    var read = PairDelays()
    read.read = PairDelays.Read(median: 5, late: 7)
    #expect(read == left)
    left.add(read)
    #expect(left.median == nil && left.late == nil)
  }

  @Test("tell how late a line may be for a bound of 0.1 %: later than 999 of 1,000")
  func late() {
    var delays = PairDelays()
    for _ in 0..<998 { delays.add(10) }
    delays.add(60_000)
    delays.add(90_000)
    #expect((delays.median, delays.late) == (10, 60_000))
    delays.add(95_000)
    #expect(delays.late == 90_000)
  }

  @Test("are measured from whole milliseconds, and not where a line has none", arguments: [1, 4])
  func streams(count: Int) throws {
    func line(_ id: Int, _ time: String) -> String { #"{"eventId":"id\#(id)","name":"tap"\#(time)}"# }
    let times = [#","time":1000"#, #","time":2000"#, #","time":"1970-01-01T00:00:02Z""#, ""]
    let report = try compare(
      old: times.indices.map { line($0, times[$0]) },
      new: times.indices.map { #"{"eventId":"id\#($0)","eventName":"tap","eventTime":2500,"payload":{}}"# },
      threads: count)
    #expect(report.event("tap")?[.medianDelay] == 500)
    #expect(report.total[.medianDelay] == 500)
    #expect(try ParityReport(report.json().canonicalJSON).event("tap")?[.medianDelay] == 500)
    #expect(
      report.text().contains("500 ms") && report.markdown().contains("500 ms") && report.html().contains("500 ms"))
  }
}
