import DualSendRemapping
import Foundation
import Testing

@testable import DualSendParity

@Suite("A comparison of a time", .timeLimit(.minutes(5)))
struct PeriodTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("period-\(UUID())")

  private func file(_ name: String, _ lines: [String]) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
    return file
  }

  private func old(_ id: String, _ time: String) -> String {
    #"{"eventId":"\#(id)","name":"tap","parameters":{}\#(time)}"#
  }

  private func new(_ id: String, _ time: String) -> String {
    #"{"eventId":"\#(id)","eventName":"tap","payload":{}\#(time)}"#
  }

  @Test("counts an event by its old line, a lone one by its own, and joins lines over all files")
  func counted() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    func time(_ time: Int, new: Bool = false) -> String { #","\#(new ? "eventTime" : "time")":\#(time)"# }
    let olds = [
      try file("1.jsonl", [old("early", time(9)), old("pair", time(10))]),
      try file("2.jsonl", [old("lost", time(20)), old("late", time(21)), old("timeless", "")]),
    ]
    let news = [
      try file("3.jsonl", [new("early", time(15, new: true)), new("late", time(15, new: true))]),
      try file("4.jsonl", [new("pair", time(99, new: true)), new("lone", time(20, new: true))]),
    ]
    var comparer = ParityComparer(table: RemappingTable())
    comparer.period = 10...20
    let event = try #require(try comparer.compare(old: olds, new: news).events.first)
    #expect((event.pairs, event.lostFromNew, event.lostFromOld, event.judged) == (1, 1, 1, 3))
    comparer.period = nil
    let all = try #require(try comparer.compare(old: olds, new: news).events.first)
    #expect((all.pairs, all.lostFromNew, all.lostFromOld) == (3, 2, 1))
  }

  @Test("notes the newest event of each stream, and ignores a line that is still being written")
  func newest() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let olds = try file("1.jsonl", [old("a", #","time":11"#), old("b", #","time":19"#), old("c", #","time":30"#)])
    let news = try file("2.jsonl", [new("a", #","eventTime":11"#)])
    let handle = try FileHandle(forWritingTo: olds)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"eventId":"d","na"#.utf8))
    try handle.close()
    var comparer = ParityComparer(table: RemappingTable())
    comparer.period = 10...20
    let report = try comparer.compare(old: [olds], new: [news])
    #expect((report.old.newest, report.new.newest, report.old.malformed) == (19, 11, 0))
    comparer.period = nil
    #expect(try comparer.compare(old: [olds], new: [news]).old.malformed == 1)
  }
}
