import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendParity

@Suite("Parity by day, event and revision", .timeLimit(.minutes(5)))
struct DayTallyTests {
  private static let day: Int64 = 86_400_000
  /// In days since 1970-01-01.
  private static let first: Int64 = 20_000
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("days-\(UUID())")

  private func file(_ name: String, _ lines: [String]) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
    return file
  }

  private func old(_ id: String, _ name: String, _ time: Int64?, value: Int = 1, decision: String? = nil) -> String {
    let members = (decision.map { #","decision":"\#($0)""# } ?? "") + (time.map { #","time":\#($0)"# } ?? "")
    return #"{"eventId":"\#(id)","name":"\#(name)","parameters":{"v":\#(value)}\#(members)}"#
  }

  private func new(_ id: String, _ name: String, _ time: Int64?, value: Int = 1, decision: String? = nil) -> String {
    let members = (decision.map { #","decision":"\#($0)""# } ?? "") + (time.map { #","eventTime":\#($0)"# } ?? "")
    return #"{"eventId":"\#(id)","eventName":"\#(name)","payload":{"v":\#(value)}\#(members)}"#
  }

  @Test("counts a pair on the day of its old event, for the revision that one of both carries")
  func days() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (zero, day) = (Self.first * Self.day, (Self.first + 1) * Self.day)
    let olds = [
      old("1", "tap", day - 1, decision: "7:both"), old("2", "tap", day, decision: "7:both"),
      old("3", "tap", day + 5), old("4", "tap", nil), old("5", "tap", zero - 1),
      // A device without a clock, and seconds in place of milliseconds.
      old("7", "tap", 0), old("8", "tap", 1_790_000_000),
    ]
    let news = [
      new("1", "tap", day, decision: "7:both"), new("2", "tap", day, value: 2, decision: "7:both"),
      new("3", "tap", day + 9, decision: "8:both"), new("6", "open", day + Self.day, decision: "8:new"),
    ]
    var comparer = ParityComparer(table: RemappingTable())
    let files = (try file("old.jsonl", olds), try file("new.jsonl", news))
    #expect(try comparer.compare(old: [files.0], new: [files.1]).days == DayTally(), "nobody asked for days")
    comparer.countsDays = true
    let tally = try comparer.compare(old: [files.0], new: [files.1]).days
    func counts(_ day: Int64, _ event: String, _ revision: Int64?) throws -> DayCounts {
      try #require(tally.counts[DayTally.Key(day: Self.first + day, event: event, revision: revision)])
    }
    #expect(tally.counts.count == 5)
    #expect(tally.withoutTime == 3)
    #expect(try counts(0, "tap", 7)[.pairs] == 1)
    #expect(try counts(0, "tap", 7)[.failing] == 0)
    #expect(try counts(1, "tap", 7)[.differing] == 1)
    #expect(try counts(1, "tap", 8)[.pairs] == 1, "the new event's decision, if the old one has none")
    #expect(try counts(-1, "tap", nil)[.lost] == 1)
    #expect(try counts(2, "open", 8)[.events] == 1)
  }

  @Test("sums to the report, with any number of threads and any way to join", arguments: [1, 4])
  func sums(threads: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var (olds, news): ([String], [String]) = ([], [])
    for number in 0..<4_000 {
      let id = String(format: "%06d", number * 7919 % 100_003)
      let name = ["tap", "open", "\u{1B}[2J,\"="][number % 3].replacing("\"", with: "\\\"").replacing(
        "\u{1B}", with: "\\u001b")
      let time = Self.first * Self.day + Int64(number) * 60_000
      if number % 11 != 0 { olds.append(old(id, name, time, decision: "\(number % 2):both")) }
      if number % 13 != 0 { news.append(new(id, name, time, value: number % 17 == 0 ? 2 : 1)) }
    }
    news.shuffle()
    var comparer = ParityComparer(table: RemappingTable())
    (comparer.countsDays, comparer.threads, comparer.partitionBytes) = (true, threads, 1 << 14)
    let report = try comparer.compare(old: [file("old.jsonl", olds)], new: [file("new.jsonl", news)])
    var sums: [ExactText: DayCounts] = [:]
    for (key, counts) in report.days.counts { sums[key.event, default: DayCounts()].add(counts) }
    #expect(sums.count == 3)
    for event in report.events {
      for count in DayCount.allCases {
        let parts = ParityCount.allCases.filter(count.parts.contains)
        #expect(sums[ExactText(event.name)]?[count] == parts.reduce(0) { $0 + event[$1] }, "\(event.name)")
      }
    }
    #expect(Set(report.days.counts.keys.map(\.day)) == [Self.first, Self.first + 1, Self.first + 2])
  }
}
