import DualSendParity
import DualSendRemapping
import Foundation
import Testing

@Suite("Comparing two streams", .timeLimit(.minutes(5)))
struct ParityComparerTests {
  private let table = #"{"tap":{"name":"tapped","parameters":{"id":"item"}}}"#

  @Test("pairs are found by event id whatever the order of the lines")
  func order() throws {
    let olds = (0..<20).map { old("id\($0)", "tap", #"{"id":\#($0)}"#) }
    let news = (0..<20).map { new("id\($0)", "tapped", #"{"item":\#($0)}"#) }
    let report = try compare(old: olds, new: news, table: table)
    let reversed = try compare(old: olds.reversed(), new: news, table: table)
    #expect(report.event("tap")?.pairs == 20)
    #expect(report.total.differing == 0)
    #expect(report == reversed)
  }

  @Test("each kind of mismatch is counted at its field, with an example")
  func kinds() throws {
    let report = try compare(
      old: (0..<4).map { old("id\($0)", "tap", #"{"id":1}"#) },
      new: [
        new("id0", "tapped", #"{"item":1}"#), new("id1", "tapped", #"{"item":2}"#), new("id2", "tapped", "{}"),
        new("id3", "tapped", #"{"item":"1","more":0}"#),
      ], table: table)
    let event = try #require(report.event("tap"))
    let item = try #require(event.field("item"))
    #expect([FieldOutcome.equal, .valueChanged, .missing, .typeChanged].map { item.counts[$0] } == [1, 1, 1, 1])
    #expect(item.examples == ["id1", "id2", "id3"])
    #expect(event.field("more")?.counts[.extra] == 1)
    #expect((event.pairs, event.differing, event.newName) == (4, 3, "tapped"))
  }

  @Test("lone and repeated lines are counted, not compared")
  func lone() throws {
    let report = try compare(
      old: [old("a", "tap"), old("a", "tap"), old("b", "tap")],
      new: [new("a", "tapped"), new("c", "tapped"), new("c", "tapped"), new("d", "other")], table: table)
    let event = try #require(report.event("tap"))
    #expect((event.pairs, event.oldOnly, event.newOnly) == (1, 1, 1))
    #expect((event.oldDuplicates, event.newDuplicates) == (1, 1))
    #expect((event.oldOnlyExamples, event.newOnlyExamples) == (["b"], ["c"]))
    #expect(report.event("other")?.newOnly == 1)
  }

  @Test("a pair under another name than the table's differs")
  func name() throws {
    let report = try compare(old: [old("a", "tap")], new: [new("a", "tap")], table: table)
    #expect((report.total.renamed, report.total.differing) == (1, 1))
  }

  @Test("malformed lines are counted and named by number")
  func malformed() throws {
    let report = try compare(
      old: [old("a", "tap"), "", "{", #"{"eventId":"x"}"#, #"{"eventId":"b","name":"tap","parameters":[]}"#],
      new: [new("a", "tapped"), "nonsense", #"{"eventId":"e","eventName":"n","payload":{"a":1,"a":2}}"#], table: table)
    #expect((report.old.lines, report.old.malformed) == (4, 3))
    #expect(report.old.malformedLines == [3, 4, 5])
    #expect(report.new.malformedLines == [2, 3])
    #expect(report.total.pairs == 1)
  }

  @Test("nothing compared is no parity")
  func silence() throws {
    let report = try compare(old: [old("a", "tap")], new: [], table: table)
    #expect(!ParityGate().judgement(on: report).passes)
  }

  @Test("an id that the adapter added to the old payload joins and is not compared")
  func carried() throws {
    let report = try compare(
      old: [#"{"name":"tap","parameters":{"id":1,"ds_id":"a"}}"#], new: [new("a", "tapped", #"{"item":1}"#)],
      table: table, join: .eventID(parameter: "ds_id"))
    #expect((report.total.pairs, report.total.differing) == (1, 0))
  }

  @Test("without ids lines are joined by name, unit and order in time within the window")
  func orderJoin() throws {
    func legacy(_ unit: String, _ time: Int) -> String {
      #"{"name":"tap","parameters":{"id":\#(time)},"unitID":"\#(unit)","time":\#(time)}"#
    }
    func wire(_ unit: String, _ time: Int, _ item: Int) -> String {
      #"{"eventName":"tapped","eventTime":\#(time),"payload":{"item":\#(item),"user":"\#(unit)"}}"#
    }
    let report = try compare(
      old: [legacy("u", 3000), legacy("u", 1000), legacy("v", 1000), legacy("u", 9000)],
      new: [wire("v", 1001, 1000), wire("u", 1002, 1000), wire("u", 3001, 3000), wire("u", 20000, 9000)],
      table: table, normalisation: try Normalisation(#"{"formatVersion":1,"ignore":["user"]}"#.utf8),
      join: .order(unit: try KeyPathPattern("user"), window: 100))
    #expect((report.total.pairs, report.total.differing) == (3, 0))
    #expect((report.total.oldOnly, report.total.newOnly) == (1, 1))
    #expect(report.join.description == "name, unit (`user`) and order within 100 ms")
  }

  @Test("events of nobody are joined by order with each other, and with nobody else's")
  func orderJoinWithoutUnit() throws {
    let report = try compare(
      old: [
        #"{"name":"tap","parameters":{"id":1},"unitID":null,"time":1}"#,
        #"{"name":"tap","parameters":{"id":2},"unitID":"u","time":2}"#,
      ],
      new: [
        #"{"eventName":"tapped","eventTime":2,"payload":{"item":2,"user":"u"}}"#,
        #"{"eventName":"tapped","eventTime":3,"payload":{"item":1}}"#,
      ],
      table: table, normalisation: try Normalisation(#"{"formatVersion":1,"ignore":["user"]}"#.utf8),
      join: .order(unit: try KeyPathPattern("user"), window: nil))
    #expect((report.total.pairs, report.total.differing, report.old.malformed) == (2, 0, 0))
  }

  @Test("what both sinks do to a value is no mismatch once it is declared")
  func normalised() throws {
    let (olds, news) = ([old("a", "tap", #"{"on":1}"#)], [new("a", "tapped", #"{"on":true}"#)])
    #expect(try compare(old: olds, new: news, table: table).total.differing == 1)
    #expect(try compare(old: olds, new: news, table: table, normalisation: .firebase).total.differing == 0)
  }

  @Test("noise between two old streams is taken off per field and per event")
  func calibration() throws {
    let olds = (0..<10).map { old("id\($0)", "tap", #"{"id":1,"at":\#($0)}"#) }
    let again = (0..<10).map { old("id\($0)", "tap", #"{"id":1,"at":\#($0 + 1)}"#) }
    let news = (0..<10).map { new("id\($0)", "tapped", #"{"item":\#($0 < 2 ? 7 : 1),"at":\#($0 + 2)}"#) }
    let baseline = try compare(old: olds, new: again, table: table, form: .legacy)
    let report = try compare(old: olds, new: news, table: table).calibrated(by: baseline)
    let event = try #require(report.event("tap"))
    #expect(event.field("at")?.differences == 0)
    #expect(event.field("item")?.differences == 2)
    #expect((event.differingBeforeNoise, event.noise, event.differing) == (10, 10, 0))
    #expect(report.isCalibrated)
  }

  @Test("a file that is not there is an error, not an empty stream")
  func noFile() throws {
    let missing = URL(filePath: "/nonexistent/old.jsonl")
    #expect(throws: ParityError.self) {
      try ParityComparer(table: RemappingTable()).compare(old: missing, new: missing)
    }
  }

  @Test("streams that do not fit one part give the same report as in memory")
  func spilled() throws {
    let olds = (0..<900).map { old("id\($0)", "tap", #"{"id":\#($0)}"#) }
    let news = (0..<900).reversed().map { new("id\($0)", "tapped", #"{"item":\#($0 % 100)}"#) }
    let spilled = try compare(old: olds, new: news, table: table, partitionBytes: 4000)
    #expect(spilled == (try compare(old: olds, new: news, table: table)))
    #expect((spilled.total.pairs, spilled.total.differing) == (900, 800))
  }
}
