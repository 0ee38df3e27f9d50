import DualSendCommandLine
import DualSendRemapping
import Testing

@testable import DualSendParity

@Suite("The sample of units of a comparison")
struct UnitSampleTests {
  private static let old = (0..<600).map { index in
    let unit = index % 3 == 0 ? #","unitID":"u\#(index / 3 % 50)""# : ""
    let parameters = #"{"uid":"u\#(index / 3 % 50)","n":\#(index)}"#
    return #"{"eventId":"id\#(index)","name":"tap","time":\#(600 - index),"parameters":\#(parameters)\#(unit)}"#
  }
  /// Every pair is equal but that of index 450, in the midst of its unit; 0 to 9 are lost, and one has no unit.
  private static let new = (10..<600).map { index in
    let payload = #"{"uid":"u\#(index / 3 % 50)","n":\#(index == 450 ? 0 : index)}"#
    return #"{"eventId":"id\#(index)","eventName":"tap","eventTime":\#(600 - index),"payload":\#(payload)}"#
  }

  private func sample(threads: Int, reversed: Bool) throws -> UnitSample {
    let files = try StreamFiles(
      old: (reversed ? Self.old.reversed() : Self.old) + [#"{"eventId":"x","name":"tap","time":1,"parameters":{}}"#],
      new: reversed ? Self.new.reversed() : Self.new)
    var comparer = ParityComparer(table: try RemappingTable(reading: #"{"formatVersion": 1, "events": {}}"#.utf8))
    (comparer.samplesUnits, comparer.threads, comparer.partitionBytes) = (true, threads, 4096)
    comparer.unitKey = try KeyPathPattern("uid")
    let report = try comparer.compare(old: [files.old], new: [files.new])
    #expect(report.event("tap")?.judged == 601 && report.event("tap")?.lostFromNew == 11)
    return try #require(report.event("tap")?.units)
  }

  @Test("has each unit with the outcomes of all its events, in any order of lines and on any number of threads")
  func outcomes() throws {
    let sample = try sample(threads: 1, reversed: false)
    #expect(sample.trials.count == 50 && sample.withoutUnit == 1)
    let failing = sample.trials.filter { $0.value.outcome.contains(.failing) }
    #expect(Set(failing.keys) == Set(["u0", "u1", "u2", "u3"].map { TextHash($0).low }))
    #expect(failing[TextHash("u0").low]?.outcome == [.pair, .differing, .lostFromNew, .failing, .tellsOfNew])
    #expect(sample.trials[TextHash("u49").low] == UnitSample.Trial(since: 1, outcome: [.pair, .tellsOfNew]))
    for threads in [1, 4] {
      #expect(try self.sample(threads: threads, reversed: true) == sample)
    }
  }
}
