import DualSendCore
import DualSendJSONLines
import DualSendRemapping

/// The counts of a comparison: both streams, and each event.
struct ParityCounts {
  /// The most events that are counted separately. Names beyond that are considered data, and share one entry.
  private static let maximumEvents = 10_000
  private static let otherEvents = "(other events)"

  private let table: RemappingTable
  private var streams: (old: ParityReport.Stream, new: ParityReport.Stream) = (.init(), .init())
  private var tallies: [ExactText: EventTally] = [:]
  /// The tallies by a hash of the old name's raw text, which is faster than decoding the name.
  private var talliesByText: [TextHash: EventTally] = [:]

  init(_ table: RemappingTable) {
    self.table = table
  }

  func report(of comparer: ParityComparer) -> ParityReport {
    var report = ParityReport(join: comparer.join, membership: comparer.membership.summary)
    report.old = streams.old
    report.new = streams.new
    report.events = tallies.values.map(\.result).filter { !$0.isEmpty }
      .sorted { String.byteOrder($0.name, $1.name) }
    return report
  }

  /// The sum of all events, without fields.
  var total: EventParity {
    tallies.values.reduce(into: EventParity(name: "total", newName: "total")) { $0.add($1.counts) }
  }

  /// - Parameter count: negative to undo an earlier call.
  mutating func countLines(_ count: Int = 1, of side: StreamSide) {
    if side == .old { streams.old.lines += count } else { streams.new.lines += count }
  }

  mutating func countTime(_ milliseconds: Int64, of side: StreamSide) {
    if side == .old {
      streams.old.newest = max(streams.old.newest ?? milliseconds, milliseconds)
    } else {
      streams.new.newest = max(streams.new.newest ?? milliseconds, milliseconds)
    }
  }

  mutating func countMalformed(_ side: StreamSide, _ line: Int) {
    if side == .old { streams.old.countMalformed(line) } else { streams.new.countMalformed(line) }
  }

  /// The tally of a line's event; `nil` if its name is invalid.
  mutating func tally(of line: EventLine) -> EventTally? {
    guard let text = line.plainName else { return line.eventName.map { tally($0) } }
    var key = TextHash()
    key.add(text)
    if let known = talliesByText[key] { return known }
    return line.eventName.map { name in
      let tally = tally(name)
      if talliesByText.count < Self.maximumEvents { talliesByText[key] = tally }
      return tally
    }
  }

  mutating func tally(_ oldName: String) -> EventTally {
    if let known = tallies[ExactText(oldName)] { return known }
    let tally: EventTally
    if tallies.count < Self.maximumEvents {
      tally = EventTally(name: oldName, newName: table.rule(for: oldName).name ?? oldName)
      tallies[ExactText(oldName)] = tally
    } else {
      let others = ExactText(Self.otherEvents)
      tally = tallies[others] ?? EventTally(name: Self.otherEvents, newName: Self.otherEvents)
      tallies[others] = tally
    }
    return tally
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
