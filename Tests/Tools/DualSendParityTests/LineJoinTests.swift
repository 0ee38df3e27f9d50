import CustomDump
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendParity

@Suite("Finding pairs among lines that do not fit into memory", .timeLimit(.minutes(5)))
struct LineJoinTests {
  private let table = #"{"tap":{"name":"tapped","parameters":{"id":"item"}}}"#

  /// Parts of a few lines, of some, and of all.
  private static let sizes = [500, 4_000, 16 << 20]

  @Test("every size of a part gives the same report, joined by id", arguments: UInt64(0)..<4)
  func byID(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    // Few ids and many lines of each, many ids, and ids that one side lacks.
    let olds = (0..<700).map { _ in
      let id = Int.random(in: 0..<400, using: &generator)
      return old("id\(id % (id < 200 ? 3 : 1000))", "tap", #"{"id":\#(id)}"#)
    }
    let news = (0..<700).map { _ in
      let id = Int.random(in: 150..<600, using: &generator)
      return new("id\(id % (id < 200 ? 3 : 1000))", "tapped", #"{"item":\#(id)}"#)
    }
    let reports = try Self.sizes.map { try compare(old: olds, new: news, table: table, partitionBytes: $0) }
    #expect(reports[0] == reports[2] && reports[1] == reports[2])
    let event = try #require(reports[2].event("tap"))
    #expect(event.pairs + event.uncompared + event.oldOnly + event.oldDuplicates == 700)
    #expect(event.pairs + event.uncompared + event.newOnly + event.newDuplicates == 700)
    #expect(event.pairs > 0 && event.uncompared > 0 && event.oldOnly > 0 && event.newOnly > 0)
  }

  @Test("every size of a part gives the same report, joined by order", arguments: UInt64(0)..<4)
  func byOrder(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    func lines(_ line: (_ unit: Int, _ time: Int) -> String) -> [String] {
      (0..<700).map { _ in
        line(Int.random(in: 0..<5, using: &generator), Int.random(in: 0..<100_000, using: &generator))
      }
    }
    let olds = lines { #"{"name":"tap","parameters":{"id":1},"unitID":"u\#($0)","time":\#($1)}"# }
    let news = lines { #"{"eventName":"tapped","eventTime":\#($1),"payload":{"item":1,"user":"u\#($0)"}}"# }
    let join = JoinRule.order(unit: try KeyPathPattern("user"), window: 150)
    let reports = try Self.sizes.map {
      try compare(old: olds, new: news, table: table, join: join, partitionBytes: $0)
    }
    #expect(reports[0] == reports[2] && reports[1] == reports[2])
    let event = try #require(reports[2].event("tap"))
    #expect(event.pairs + event.oldOnly == 700 && event.pairs + event.newOnly == 700)
    #expect(event.pairs > 100 && event.oldOnly > 0)
    #expect(
      try compare(old: olds.shuffled(), new: news.shuffled(), table: table, join: join, partitionBytes: 4_000).total
        == event.total)
  }

  @Test("every number of threads gives the same report", arguments: UInt64(0)..<6, [1 << 24, 2_000])
  func byThreads(seed: UInt64, partitionBytes: Int) throws {
    var generator = SplitMix64(seed: seed)
    func lines(_ line: (_ id: String, _ name: Int, _ value: Int) -> String) -> [String] {
      (0..<600).map { number in
        guard !number.isMultiple(of: 61) else { return "no event \(number)" }
        let id = Int.random(in: 0..<500, using: &generator)
        return line("id\(id)", id % 7, id + (Int.random(in: 0..<9, using: &generator) == 0 ? 1 : 0))
      }
    }
    let olds = lines { old($0, "e\($1)", #"{"id":\#($2),"kept":"\#($0)"}"#) }
    let news = lines { new($0, "e\($1)", #"{"item":\#($2),"kept":"\#($0)","list":[\#($2)]}"#) }
    let table = #"{"e1":{"parameters":{"id":"item"}},"e2":{"name":"e3"}}"#
    for join in [JoinRule.eventID(parameter: nil), .order(unit: nil, window: nil)] {
      let reports = try [1, 2, 3, 8].map { threads in
        try compare(old: olds, new: news, table: table, join: join, partitionBytes: partitionBytes, threads: threads)
      }
      for report in reports.dropFirst() { expectNoDifference(report, reports[0]) }
      #expect(reports[0].old.malformed == 10 && reports[0].new.malformedLines == [1, 62, 123, 184, 245])
      #expect(reports[0].total.differing > 20 && reports[0].total.pairs > 100)
    }
  }

  @Test("the first old line and the first new line of an id are the pair")
  func firstLines() throws {
    let report = try compare(
      old: [old("a", "tap", #"{"id":1}"#), old("a", "tap", #"{"id":2}"#)],
      new: [new("a", "tapped", #"{"item":1}"#), new("a", "tapped", #"{"item":2}"#)], table: table, partitionBytes: 1)
    #expect((report.total.pairs, report.total.uncompared) == (0, 1))
    #expect((report.total.oldDuplicates, report.total.newDuplicates) == (1, 1))
  }

  @Test("one id with any number of lines keeps one of them in memory")
  func oneID() {
    var kept = KeptLines()
    let text = Array(old("a", "tap").utf8)
    text.withUnsafeBufferPointer { bytes in
      guard let line = EventLine(bytes, form: .legacy) else { return }
      for number in 1...10_000 {
        let record = LineRecord(line, LineHeader(key: TextHash(), side: .old, time: 0, line: number))
        _ = kept.note(record, hasRoom: true)
        kept.rank(record)
      }
    }
    #expect(kept.byteCount > 0 && kept.byteCount < 1_000)
  }

  @Test("a merge hands records out in order, whatever the runs, and long lines come out whole")
  func merge() throws {
    var generator = SplitMix64(seed: 7)
    var lines = SortedLines(chunkBytes: 3_000)
    for number in 1...500 {
      let filler = String(repeating: "x", count: number.isMultiple(of: 50) ? 9_000 : number % 40)
      let text = Array(old("id\(number)", "tap", #"{"filler":"\#(filler)"}"#).utf8)
      var key = TextHash()
      key.add("\(Int.random(in: 0..<9, using: &generator))")
      let time = Int64.random(in: 0..<50, using: &generator)
      try text.withUnsafeBufferPointer { bytes in
        let line = try #require(EventLine(bytes, form: .legacy))
        try lines.append(LineRecord(line, LineHeader(key: key, side: .old, time: time, line: number)))
      }
    }
    let merge = try lines.ended().merged()
    var headers: [LineHeader] = []
    while let record = try merge.next() {
      #expect(record.line.eventID == "id\(record.header.line)" && record.line.payload != nil)
      headers.append(record.header)
    }
    #expect(Set(headers.map(\.line)) == Set(1...500))
    #expect(zip(headers, headers.dropFirst()).allSatisfy { SortedLines.isBefore($0, $1) })
  }
}

extension EventParity {
  /// What the totals of one event's report are.
  fileprivate var total: EventParity {
    var total = EventParity(name: "total", newName: "total")
    total.add(self)
    return total
  }
}
