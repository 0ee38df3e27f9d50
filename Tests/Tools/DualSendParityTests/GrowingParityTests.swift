import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendParity

@Suite("The comparison of files that grow", .timeLimit(.minutes(5)))
struct GrowingParityTests {
  private let folder: URL
  private let comparer: ParityComparer

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("growing-\(UUID())")
    for side in ["old", "new"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(side), withIntermediateDirectories: true)
    }
    var comparer = ParityComparer(
      table: try RemappingTable(reading: #"{"formatVersion": 1, "events": {"tap": {"name": "ui.tap"}}}"#.utf8))
    (comparer.samplesUnits, comparer.unitKey) = (true, try KeyPathPattern("uid"))
    self.comparer = comparer
  }

  private var storePath: String { folder.appendingPathComponent("lines").path }

  private func files(_ side: StreamSide) throws -> [URL] {
    let url = folder.appendingPathComponent(side.word)
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().map(url.appendingPathComponent)
  }

  private func append(_ text: String, to side: StreamSide, _ name: String = "9") throws {
    let url = folder.appendingPathComponent(side.word).appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    let handle = try FileHandle(forWritingTo: url)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  /// A look with a store that is opened anew, as by another process.
  private func look(
    _ period: ClosedRange<Int64>, as comparison: String = "a", since start: Int64? = nil, isCopied: Bool = false
  ) throws -> GrowingParity {
    var comparer = comparer
    comparer.period = period
    return try comparer.compare(
      old: try files(.old), new: try files(.new), keptIn: try ParityStore(path: storePath, isCopied: isCopied),
      as: comparison, since: start)
  }

  private func whole(_ period: ClosedRange<Int64>) throws -> ParityReport {
    var comparer = comparer
    comparer.period = period
    return try comparer.compare(old: try files(.old), new: try files(.new))
  }

  // MARK: Lines

  private func old(_ id: Int, time: Int, unit: Int = 0, value: Int = 0) -> String {
    #"{"eventId":"i\#(id)","name":"tap","time":\#(time),"parameters":{"uid":"u\#(unit)","n":\#(value)}}"# + "\n"
  }

  private func new(_ id: Int, time: Int, unit: Int = 0, value: Int = 0) -> String {
    #"{"eventId":"i\#(id)","eventName":"ui.tap","eventTime":\#(time),"payload":{"uid":"u\#(unit)","n":\#(value)}}"#
      + "\n"
  }

  @Test("says at each look what a comparison of all lines says", arguments: 0..<12)
  func agreement(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    // A look cannot take back a pair that a later line makes ambiguous. Any such line ends both verdicts, so it does not matter.
    let hasConflicts = seed % 3 == 0
    var late: [(side: StreamSide, text: String)] = []
    var unfinished: [StreamSide: String] = [:]
    var id = 0
    for look in 1...8 {
      var text: [StreamSide: String] = unfinished
      unfinished = [:]
      for line in late.shuffled(using: &random).prefix(late.count / 2) {
        text[line.side, default: ""] += line.text
        late.removeAll { $0 == line }
      }
      for _ in 0..<40 {
        id += 1
        let time = look * 1000 - Int.random(in: -400...1500, using: &random)
        let unit = Int.random(in: 0..<8, using: &random)
        let lines: [(side: StreamSide, text: String)] = [
          (.old, old(id, time: time, unit: unit)),
          (.new, new(id, time: time + Int.random(in: -30...30, using: &random), unit: unit, value: chance(10) ? 1 : 0)),
        ]
        for line in lines where !chance(8) {
          if chance(15) {
            late.append(line)
          } else {
            text[line.side, default: ""] += line.text
          }
          if chance(4) { late.append(line) }
        }
        if chance(3) { text[chance(50) ? .old : .new, default: ""] += "{broken\n" }
        if hasConflicts, chance(3) { text[.old, default: ""] += old(id, time: time, unit: unit, value: 7) }
      }
      for side in StreamSide.allCases {
        var whole = text[side] ?? ""
        if chance(50), whole.count > 20 {
          unfinished[side] = String(whole.suffix(20))
          whole.removeLast(20)
        }
        try append(whole, to: side)
        if chance(30) {
          let stream = folder.appendingPathComponent(side.word)
          try FileManager.default.moveItem(
            at: stream.appendingPathComponent("9"), to: stream.appendingPathComponent("\(look)"))
          unfinished[side].map { whole = $0 }
          try append(unfinished.removeValue(forKey: side) ?? "", to: side, "\(look)")
        }
      }
      let period = Int64(1000)...Int64(look * 1000)
      let (grown, whole) = (try self.look(period), try whole(period))
      #expect(grown.gone.isEmpty)
      let (grownTotal, wholeTotal) = (grown.report.total, whole.total)
      let isSame =
        hasConflicts && wholeTotal.conflicting > 0
        ? grownTotal.conflicting > 0 && counted(grown.report).old == counted(whole).old
          && counted(grown.report).new == counted(whole).new && grownTotal.lost == wholeTotal.lost
          && grownTotal.pairs + grownTotal.uncompared == wholeTotal.pairs + wholeTotal.uncompared
        : counted(grown.report) == counted(whole)
      #expect(isSame, "look \(look): \(grown.report.total) is not \(whole.total)")
    }
  }

  /// What must agree: all but examples.
  private func counted(_ report: ParityReport) -> ParityReport {
    var report = report
    for index in report.events.indices {
      for list in ParityExamples.all { report.events[index][keyPath: list.ids] = [] }
    }
    (report.old.malformedLines, report.new.malformedLines) = ([], [])
    return report
  }

  @Test("reads only what is new: a damaged middle of what was read is not noticed")
  func onlyNew() throws {
    for id in 1...400 {
      try append(old(id, time: id), to: .old)
      try append(new(id, time: id), to: .new)
    }
    #expect(try look(1...1000).report.event("tap")?.pairs == 400)
    let file = try #require(try files(.new).first)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: 10_000)
    try handle.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: 5000))
    try handle.close()
    try append(old(401, time: 401), to: .old)
    #expect(try whole(1...1000).new.malformed > 0)
    let report = try look(1...1000).report
    #expect(report.event("tap")?.pairs == 400 && report.event("tap")?.oldOnly == 1)
    #expect(report.old.lines == 401 && report.new.lines == 400 && report.new.malformed == 0)
  }

  @Test("begins anew if the comparison, the start or an earlier end is another one")
  func another() throws {
    for id in 1...10 {
      try append(old(id, time: id * 10), to: .old)
      try append(new(id, time: id * 10), to: .new)
    }
    #expect(try look(10...200).report.event("tap")?.pairs == 10)
    #expect(try look(10...50).report.event("tap")?.pairs == 5)
    #expect(try look(30...50).report.event("tap")?.pairs == 3)
    #expect(try look(30...50, as: "b").report.new.lines == 10)
  }

  @Test("tells once which files lost lines that were read, and counts what they had")
  func gone() throws {
    for id in 1...10 {
      try append(old(id, time: id), to: .old)
      try append(new(id, time: id), to: .new)
    }
    _ = try look(1...200)
    let file = try #require(try files(.new).first)
    try Data(new(1, time: 1).utf8).write(to: file)
    let after = try look(1...200, isCopied: true)
    #expect(after.gone == [file.path])
    for gone in [[file.path], []] {
      let look = try look(1...200)
      #expect(look.gone == gone && look.report.event("tap")?.pairs == 10)
    }
  }

  @Test("keeps the units that failed if a step begins again without lines that are gone", arguments: [1, 150])
  func keptFailures(start: Int64) throws {
    for id in 1...10 {
      try append(old(id, time: id, unit: id), to: .old)
      try append(new(id, time: id, unit: id, value: id == 3 ? 1 : 0), to: .new)
    }
    _ = try look(1...200, since: 1)
    for side in StreamSide.allCases { try FileManager.default.removeItem(at: try #require(try files(side).first)) }
    try append(old(11, time: 160, unit: 11), to: .old)
    try append(new(11, time: 160, unit: 11), to: .new)
    #expect(try look(1...200, since: 1).gone.count == 2)
    let units = try #require(try look(150...300, since: start).report.event("tap")?.units)
    #expect(units.trials.count == (start == 1 ? 2 : 1))
    #expect(units.trials[TextHash("u3").low]?.outcome.contains(.failing) ?? false == (start == 1))
  }

  @Test("works on a copy without changing the file, and refuses a file that is something else")
  func store() throws {
    try append(old(1, time: 1), to: .old)
    #expect(try look(1...9, isCopied: true).report.event("tap")?.oldOnly == 1)
    #expect(!FileManager.default.fileExists(atPath: storePath))
    _ = try look(1...9)
    let before = try Data(contentsOf: URL(fileURLWithPath: storePath))
    try append(old(2, time: 2), to: .old)
    #expect(try look(1...9, isCopied: true).report.event("tap")?.oldOnly == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: storePath)) == before)
    for content in [Data("a diary\n".utf8), before.prefix(5000), Data(before.map { $0 ^ 1 })] {
      try content.write(to: URL(fileURLWithPath: storePath))
      #expect { try look(1...9) } throws: { "\($0)".contains("is damaged or something else; move it away") }
    }
  }
}
