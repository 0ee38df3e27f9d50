import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// The counts of a comparison: both streams, and each event.
struct ParityCounts {
  /// The most tallies. Some more than a report has events, so that tallies are rarely folded.
  private static let maximumTallies = ParityReport.maximumEvents + ParityReport.maximumEvents / 10
  private static let otherEvents = ExactText(ParityReport.otherEvents)

  private let table: RemappingTable
  private var streams: [StreamSide: ParityReport.Stream] = [:]
  private var tallies: [ExactText: EventTally] = [:]
  /// The tallies by a hash of the old name's raw text, which is faster than decoding the name.
  private var talliesByText: [TextHash: EventTally] = [:]
  /// Names with a greater hash are counted together; `nil` if all have their own tally.
  private var bound: TextHash?
  /// The counts of the tallies that were folded.
  private var folded = EventParity(name: ParityReport.otherEvents, newName: ParityReport.otherEvents)

  init(_ table: RemappingTable) {
    self.table = table
  }

  func report(of comparer: ParityComparer) -> ParityReport {
    var report = ParityReport(join: comparer.join, membership: comparer.membership.summary)
    report.old = streams[.old] ?? .init()
    report.new = streams[.new] ?? .init()
    report.events = tallies.values.map(\.result).filter { !$0.isEmpty }
    if !folded.isEmpty {
      var others = folded
      if let index = report.events.firstIndex(where: { $0.name == folded.name }) {
        others.merge(report.events.remove(at: index))
      }
      report.events.append(others)
    }
    report.events.sort { String.byteOrder($0.name, $1.name) }
    return report
  }

  /// The sum of all events, without fields.
  var total: EventParity {
    var total = EventParity(name: "total", newName: "total")
    for tally in tallies.values { total.add(tally.counts) }
    total.add(folded)
    return total
  }

  /// - Parameter count: negative to undo an earlier call.
  mutating func countLines(_ count: Int = 1, of side: StreamSide) {
    streams[side, default: .init()].lines += count
  }

  mutating func countTime(_ milliseconds: Int64, of side: StreamSide) {
    streams[side, default: .init()].newest = max(streams[side]?.newest ?? milliseconds, milliseconds)
  }

  mutating func countUnreadableDecision(_ side: StreamSide, _ line: Int) {
    streams[side, default: .init()].countUnreadableDecision(line)
  }

  mutating func countMalformed(_ side: StreamSide, _ line: Int) {
    streams[side, default: .init()].countMalformed(line)
  }

  /// The tally of a line's event; `nil` if its name is invalid.
  mutating func tally(of line: EventLine) -> EventTally? {
    guard let text = line.plainName else { return line.eventName.map { tally($0) } }
    var key = TextHash()
    key.add(text)
    if let known = talliesByText[key] { return known }
    return line.eventName.map { name in
      let tally = tally(name)
      if talliesByText.count < Self.maximumTallies { talliesByText[key] = tally }
      return tally
    }
  }

  mutating func tally(_ oldName: String) -> EventTally {
    if let known = tallies[ExactText(oldName)] { return known }
    if tallies.count >= Self.maximumTallies { fold() }
    if let bound, bound < TextHash(oldName), oldName != ParityReport.otherEvents {
      return tally(ParityReport.otherEvents)
    }
    let tally = EventTally(name: oldName, newName: table.rule(for: oldName).name ?? oldName)
    tallies[ExactText(oldName)] = tally
    return tally
  }

  /// Folds the tallies of names that the report counts together.
  private mutating func fold() {
    bound = ParityReport.bound(of: tallies.keys, limit: ParityReport.maximumEvents, besides: Self.otherEvents)
    guard let bound else { return }
    talliesByText.removeAll()
    for name in tallies.keys where name != Self.otherEvents && bound < TextHash(name.text) {
      if let tally = tallies.removeValue(forKey: name) { folded.merge(tally.result) }
    }
  }
}

extension ParityReport.Stream {
  /// Counts a malformed line. Keeps the smallest line numbers.
  mutating func countMalformed(_ line: Int) {
    malformed += 1
    let position = malformedLines.firstIndex { $0 > line } ?? malformedLines.count
    malformedLines.insert(line, at: position)
    if malformedLines.count > ParityReport.maximumExamples { malformedLines.removeLast() }
  }
}
