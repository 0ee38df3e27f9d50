import CustomDump
import DualSend
import DualSendCore
import DualSendParity
import DualSendRemapping
import Testing

@Suite("Pairs that an app observed", .timeLimit(.minutes(5)))
struct ObservationTests {
  private let table = #"{"formatVersion": 1, "events": {"tap": {"name": "like", "parameters": {"a": "b"}}}}"#

  private func observation(
    _ old: [String: EventValue], _ new: [String: EventValue], name: String = "like"
  ) throws -> ParitySampling.Pair {
    let id = try #require(EventID("0190b6f2-7c3a-7f00-8000-000000000001"))
    return ParitySampling.Pair(
      old: TrackingEvent(id: id, time: 1, name: "tap", payload: old),
      new: TrackingEvent(id: id, time: 1, name: name, payload: new))
  }

  private func report(
    _ observations: [ParitySampling.Pair], normalisation: Normalisation = .none
  ) throws -> ParityReport {
    ParityComparer(table: try RemappingTable(reading: table.utf8), normalisation: normalisation).compare(observations)
  }

  @Test("are compared field by field, as lines of files are")
  func comparison() throws {
    let same = try observation(["a": 1, "c": 2], ["b": 1, "c": 2])
    let other = try observation(["a": 1, "c": 2], ["b": 2])
    let report = try report([same, other])
    let event = try #require(report.event("tap"))
    expectNoDifference([event.pairs, event.differing, report.old.lines, report.new.lines], [2, 1, 2, 2])
    let field = try #require(event.field("b"))
    expectNoDifference([field.counts[.equal], field.counts[.valueChanged]], [1, 1])
    expectNoDifference(field.examples, ["0190b6f2-7c3a-7f00-8000-000000000001"])
    expectNoDifference(event.field("c")?.counts[.missing], 1)
  }

  @Test("under another name than the table's differ")
  func name() throws {
    let event = try report([observation(["a": 1], ["b": 1], name: "liked")]).event("tap")
    expectNoDifference([event?.renamed, event?.differing], [1, 1])
  }

  @Test("are normalised on both sides")
  func normalised() throws {
    let pair = try observation(["a": true], ["b": 1])
    #expect(try report([pair]).event("tap")?.differing == 1)
    #expect(try report([pair], normalisation: .firebase).event("tap")?.differing == 0)
  }
}
