import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendParity

@Suite("What a comparison looked at, and whom it affects")
struct WhatWasLookedAtTests {
  /// The new lines of ids 1 to 3: equal, cut in the middle of its payload, and none.
  private static let cut = [new("1", "tap"), String(new("2", "tap", #"{"n":"text"}"#).dropLast(6))]
  private static let threeOld = ["1", "2", "3"].map { old($0, "tap") }

  @Test("tells a lost event whose other line is broken from one that has no other line", arguments: [1, 2])
  func besideBroken(threads: Int) throws {
    let report = try compare(old: Self.threeOld, new: Self.cut, threads: threads)
    let tap = try #require(report.event("tap"))
    #expect(tap.pairs == 1 && tap.lostFromNew == 2 && tap.lostBesideBroken == 1)
    #expect(report.new.malformed == 1 && report.new.malformedLines == [2] && report.new.lines == 2)
    #expect(report.text().contains("  tap  2 lost from the new stream, 1 of these whose other line is there"))
  }

  @Test("is no event where its name or id would take quadratic time to compare, whatever its values are")
  func slowNames() throws {
    let marks = "a" + String(repeating: "\u{301}\u{323}", count: 20_000)
    let report = try compare(
      old: [old("1", marks), old(marks, "tap"), old("3", "tap", "{\"x\":\"\(marks)\"}")],
      new: [new("3", "tap", "{\"x\":\"\(marks)\"}")])
    #expect(report.old.malformed == 1 && report.event("tap")?.pairs == 1)
  }

  @Test("takes the whole line where a broken one has its id too, whichever comes first")
  func brokenRepeat() throws {
    for lines in [Self.cut + [new("2", "tap")], [new("2", "tap")] + Self.cut] {
      let report = try compare(old: Self.threeOld, new: lines)
      #expect(report.event("tap")?.pairs == 2 && report.event("tap")?.lostFromNew == 1)
      #expect(report.new.malformed == 1 && report.total.conflicting == 0)
    }
  }

  @Test("does not depend on the order of an id's lines that say different things", arguments: [1 << 20, 200])
  func orderOfRepeats(partitionBytes: Int) throws {
    let contents = ["1", "2", "1", "3"]
    var reports: Set<ParityReport> = []
    for (first, second) in [(contents, contents), (contents.reversed(), contents), (contents, contents.reversed())] {
      reports.insert(
        try compare(
          old: first.map { old("a", "tap", #"{"n":\#($0)}"#) } + [old("b", "tap")],
          new: second.map { new("a", "tap", #"{"n":\#($0)}"#) } + [new("b", "tap")], partitionBytes: partitionBytes))
    }
    #expect(reports.count == 1)
    let tap = try #require(reports.first?.event("tap"))
    #expect(tap.pairs == 1 && tap.uncompared == 1 && tap.oldDuplicates == 3 && tap.newDuplicates == 3)
    let judgement = try ParityGate().judgement(on: #require(reports.first))
    #expect(judgement.failures.map(\.summary) == ["1 pair not compared"])
  }

  @Test("names the line of an equal pair without an id, whether it is recognised or compared in full")
  func equalPairsWithoutID() throws {
    let lines = (1...5).map { #"{"name":"tap","parameters":{"n":1},"time":\#($0),"decision":"1:old"}"# }
    let others = (1...5).map { #"{"eventName":"tap","eventTime":\#($0),"payload":{"n":1},"decision":"1:old"}"# }
    let report = try compare(old: lines, new: others, join: .order(unit: nil, window: nil))
    #expect(report.event("tap")?.unexpectedExamples == (1...5).map { "old line \($0)" })
  }

  @Test("counts the revisions that apps had, a pair once, and an app without a document")
  func revisions() throws {
    func decided(_ line: String, _ decision: String) -> String { line.dropLast() + #","decision":"\#(decision)"}"# }
    let decisions = ["10:both", "10:both", "9:both", "-:both"]
    let report = try compare(
      old: decisions.enumerated().map { decided(old("\($0)", "tap"), $1) },
      new: decisions.enumerated().map { decided(new("\($0)", "tap"), $1) })
    #expect(report.revisions.counts == [10: 2, 9: 1, nil: 1])
    #expect(report.text().contains("\nrevisions that apps had: 10: 50.00%, 9: 25.00%, no document: 25.00%\n"))
    #expect(try ParityReport(report.json().canonicalJSON).revisions == report.revisions)
  }

  @Test("tells which revisions the fleet has, by the last five minutes of the collector's log")
  func fleet() throws {
    let now: Int64 = 1_790_000_000_000
    func line(_ decision: String, minutesAgo: Int64) -> String {
      let member = decision.isEmpty ? "" : #""decision":"\#(decision)","#
      return #"{\#(member)"eventId":"x","eventName":"tap","eventTime":\#(now - minutesAgo * 60_000),"payload":{}}"#
    }
    let files = try StreamFiles(
      old: [],
      new: [
        line("2:both", minutesAgo: 60), line("3:both", minutesAgo: 1), line("3:both", minutesAgo: 2),
        line("2:old", minutesAgo: 4), line("", minutesAgo: 1), line("9:both", minutesAgo: -60), "{",
      ])
    let fleet = try FleetRevisions(files.new.path, now: now)
    #expect(
      "\(fleet)" == "revision 3: 66.67%, 2: 33.33%, of 3 events of the last 5 minutes; 1 more without a decision")
    #expect(throws: ParityError.self) { try FleetRevisions(files.new.path + ".none", now: now) }
  }

  @Test("counts a parameter for the decision that is none")
  func unreadableParameter() throws {
    let lines = ["12:both", "both", "null"].enumerated().map { index, decision in
      let text = decision == "null" ? "null" : #""\#(decision)""#
      return #"{"name":"tap","parameters":{"_id":"\#(index)","dual_send":\#(text)}}"#
    }
    let report = try compare(
      old: lines, new: (0..<3).map { new("\($0)", "tap") }, join: .eventID(parameter: "_id"))
    #expect(report.old.unreadableDecisions == 1 && report.old.firstUnreadableDecision == 2)
  }

  @Test("lists who was affected: unit, event, failure, how often, first and last", arguments: [1, 3])
  func affected(threads: Int) throws {
    let day: Int64 = 1_790_000_000_000
    func line(_ index: Int, _ unit: String) -> String {
      old("\(index)", "tap").dropLast() + #","unitID":"\#(unit)","time":\#(day + Int64(index) * 1000)}"#
    }
    let files = try StreamFiles(
      old: [line(1, "u"), line(2, "u"), line(3, "v"), line(4, "=w"), old("5", "tap")],
      new: [new("1", "tap", #"{"x":1}"#), new("3", "tap")])
    var comparer = ParityComparer(table: RemappingTable())
    (comparer.samplesUnits, comparer.listsAffectedUnits, comparer.threads) = (true, true, threads)
    let affected = try comparer.compare(old: files.old, new: files.new).affected
    #expect(
      affected.csv.split(separator: "\r\n") == [
        "unit,event,failure,events,first,last",
        ",tap,lost from the new stream,1,,",
        "'=w,tap,lost from the new stream,1,2026-09-21T14:13:24.000Z,2026-09-21T14:13:24.000Z",
        "u,tap,differs,1,2026-09-21T14:13:21.000Z,2026-09-21T14:13:21.000Z",
        "u,tap,lost from the new stream,1,2026-09-21T14:13:22.000Z,2026-09-21T14:13:22.000Z",
      ])
  }

  @Test("counts customers in place of units, also where the old line names a unit")
  func clusterKey() throws {
    let pairs = (0..<40).map { index in
      (
        String(old("\(index)", "tap", #"{"shop":"s\#(index % 4)"}"#).dropLast()) + #","unitID":"u\#(index)"}"#,
        new("\(index)", "tap", #"{"shop":"s\#(index % 4)"}"#)
      )
    }
    let files = try StreamFiles(old: pairs.map(\.0), new: pairs.dropLast().map(\.1))
    var comparer = ParityComparer(table: RemappingTable())
    (comparer.samplesUnits, comparer.clusterKey) = (true, try KeyPathPattern("shop"))
    #expect(
      try comparer.compare(old: files.old, new: files.new).event("tap")?.unitTotals
        == UnitTotals(judged: 4, failing: 1, withoutUnit: 0))
    comparer.clusterKey = nil
    #expect(
      try comparer.compare(old: files.old, new: files.new).event("tap")?.unitTotals
        == UnitTotals(judged: 40, failing: 1, withoutUnit: 0))
  }

  @Test("says which names pass, and what the certainty of each means for all")
  func certainty() throws {
    func event(_ name: String, units: Int) -> EventParity {
      var sample = UnitSample()
      for unit in 0..<UInt64(units) { sample.add(UnitSample.Trial(since: 0, outcome: [.pair, .tellsOfNew]), of: unit) }
      return EventParity(name: name, pairs: units, differing: 0, units: sample)
    }
    var report = ParityReport(join: .eventID(parameter: nil))
    report.events = [event("a", units: 400), event("b", units: 400), event("c", units: 10)]
    let limit = try #require(FailingLimit("1%"))
    let text = report.text(ParityGate(limit: limit).judgement(on: report))
    #expect(
      text.contains(
        "\ncompared by dualsend \(ToolVersion.text)\npassing: a, b\n95 % holds for each name by itself: of 3 "))
    #expect(text.contains("just above the limit, 0.2 would pass by chance on average\ngate: 2 of 3 event names pass"))
    #expect(!report.text(ParityGate().judgement(on: report)).contains("by itself"))
  }

  @Test("takes an event of a live comparison back from its unit when the other side arrives")
  func liveUnits() throws {
    var parity = OngoingParity(ParityComparer(table: RemappingTable()))
    let lost = EventMembership.both
    func units() -> UnitTotals? { parity.report.event("tap")?.unitTotals }
    parity.countUnpaired(.old, named: "tap", id: EventID(high: 1, low: 1), of: "u", in: lost)
    parity.countUnpaired(.old, named: "tap", id: EventID(high: 1, low: 1), of: "u", in: lost)
    parity.countUnpaired(.old, named: "tap", id: EventID(high: 1, low: 1), in: lost)
    #expect(units() == UnitTotals(judged: 1, failing: 1, withoutUnit: 1))
    parity.takeBackUnpaired(.old, named: "tap", of: "u", in: lost)
    #expect(units() == UnitTotals(judged: 1, failing: 1, withoutUnit: 1))
    parity.takeBackUnpaired(.old, named: "tap", of: "u", in: lost)
    parity.takeBackUnpaired(.old, named: "tap", in: lost)
    #expect(units() == nil, "the event is gone, with its units")
  }
}
