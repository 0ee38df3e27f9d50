import DualSendCommandLine
import DualSendCore
package import DualSendParity
import Foundation

/// Parity by day, event and revision, kept as JSON lines beside the rollout document: DOCUMENT.parity.jsonl.
///
/// The lines are sorted, so that git shows what a day brought. The file is replaced as a whole, under a lock.
package struct ParityDays: Sendable {
  /// The days that are kept: thirteen months.
  static let maximumDays = 400
  static let maximumLines = 200_000
  package static let millisecondsPerDay: Int64 = 86_400_000

  /// What a comparison changed.
  struct Change: Sendable {
    /// The days whose counts were replaced or added, in days since 1970-01-01.
    fileprivate(set) var replaced: [Int64] = []
    /// The days that stay, because the comparison saw less of them.
    fileprivate(set) var kept: [(day: Int64, seen: Int, events: Int)] = []
    /// The oldest days, beyond the limits.
    fileprivate(set) var dropped: [Int64] = []
    fileprivate(set) var withoutTime = 0
  }

  package private(set) var counts: [DayTally.Key: DayCounts] = [:]

  /// The file beside a rollout document, or beside the file that a symbolic link leads to.
  package static func path(besideDocument path: String) -> String {
    InputFile.resolvingLinks(path) + ".parity.jsonl"
  }

  /// Reads the file; without one, there are no counts.
  ///
  /// - Throws: ``CommandError`` if a line is not one of kept parity.
  package init(reading path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    var reader = try InputFile.opened(path) { try LineReader(URL(fileURLWithPath: path)) }
    while let line = reader.next() {
      // Git may write CRLF.
      let bytes = line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes
      if bytes.isEmpty { continue }
      guard let (key, value) = Self.line(bytes), counts.updateValue(value, forKey: key) == nil,
        counts.count <= 2 * Self.maximumLines
      else {
        throw CommandError(
          "\(path):\(line.number) is not a line of kept parity, or one that is there already",
          help: "after a merge, keep one side's lines of each day; a file that is something else needs another name")
      }
    }
    if let failure = reader.failure { throw CommandError("cannot read \(path): \(failure.localizedDescription)") }
  }

  /// Replaces the days of a comparison in a file.
  ///
  /// A day is replaced as a whole, unless the file has more of its events: so a job can run again, and logs that begin
  /// or end within a day lose nothing.
  ///
  /// - Throws: ``CommandError`` if the file cannot be read or written. Then it is unchanged.
  static func keep(_ tally: DayTally, in path: String) throws -> Change {
    let lock: FileHandle
    do { lock = try LockedFile.lock(path, waits: true) } catch {
      throw CommandError(
        "cannot write \(path): \(error.localizedDescription)", help: "correct the path or its permissions")
    }
    return try withExtendedLifetime(lock) {
      var days = try ParityDays(reading: path)
      let before = days.counts
      let change = days.replaceDays(by: tally)
      if days.counts != before { try InputFile.replace(path, with: days.bytes) }
      return change
    }
  }

  private mutating func replaceDays(by tally: DayTally) -> Change {
    var change = Change()
    change.withoutTime = tally.withoutTime
    let (seen, known) = (Self.eventsByDay(tally.counts), Self.eventsByDay(counts))
    for (day, events) in seen.sorted(by: { $0.key < $1.key }) {
      if let earlier = known[day], earlier > events {
        change.kept.append((day, events, earlier))
      } else {
        change.replaced.append(day)
      }
    }
    let replaced = Set(change.replaced)
    counts = counts.filter { !replaced.contains($0.key.day) }
    counts.merge(tally.counts.filter { replaced.contains($0.key.day) }) { $1 }
    var days = Set(counts.keys.map(\.day)).sorted()
    while days.count > Self.maximumDays || counts.count > Self.maximumLines && days.count > 1 {
      let oldest = days.removeFirst()
      counts = counts.filter { $0.key.day != oldest }
      change.dropped.append(oldest)
    }
    return change
  }

  private static func eventsByDay(_ counts: [DayTally.Key: DayCounts]) -> [Int64: Int] {
    counts.reduce(into: [:]) { $0[$1.key.day, default: 0] += $1.value[.events] }
  }

  // MARK: Lines

  private var bytes: [UInt8] {
    var text = ""
    for key in counts.keys.sorted() {
      var members: [String: EventValue] = [
        "date": .string(Self.date(key.day)), "event": .string(key.event.text),
        "revision": key.revision.map { .int($0) } ?? .null,
      ]
      for count in DayCount.allCases { members[count.name] = .int(Int64(counts[key]?[count] ?? 0)) }
      text += EventValue.object(members).canonicalText + "\n"
    }
    return Array(text.utf8)
  }

  private static func line(_ bytes: some Collection<UInt8>) -> (DayTally.Key, DayCounts)? {
    guard case .object(let members)? = try? JSONReader().value(Array(bytes)), case .string(let date)? = members["date"],
      let day = day(date), case .string(let event)? = members["event"]
    else { return nil }
    let revision: Int64?
    switch members["revision"] {
    case .int(let number)?: revision = number
    case .null?: revision = nil
    default: return nil
    }
    var counts = DayCounts()
    for count in DayCount.allCases {
      guard case .int(let number)? = members[count.name], (0...1 << 53).contains(number) else { return nil }
      counts[count] = Int(number)
    }
    return (DayTally.Key(day: day, event: event, revision: revision), counts)
  }

  /// A day as `2026-01-31`.
  package static func date(_ day: Int64) -> String {
    let milliseconds = day.multipliedReportingOverflow(by: millisecondsPerDay).partialValue
    return String(Timestamp.text(milliseconds: milliseconds).prefix { $0 != "T" })
  }

  /// The day of a date like `2026-01-31`; `nil` if it is none.
  static func day(_ date: String) -> Int64? {
    guard let time = Timestamp.milliseconds(text: date + "T00:00:00Z") else { return nil }
    let day = time / millisecondsPerDay
    return self.date(day) == date ? day : nil
  }
}

extension ParityDays.Change {
  /// One sentence for each kind of change.
  func words(path: String) -> [String] {
    func days(_ days: [Int64]) -> String {
      guard let first = days.first, let last = days.last else { return "no day" }
      if days.count == 1 { return ParityDays.date(first) }
      return "\(days.count.counted("day")) from \(ParityDays.date(first)) to \(ParityDays.date(last))"
    }
    var words = ["\(days(replaced)) kept in \(path)"]
    for (day, seen, events) in kept.prefix(5) {
      words.append(
        "\(ParityDays.date(day)) stays as it was: these logs have \(seen.grouped) of its \(events.counted("event"))")
    }
    if !dropped.isEmpty { words.append("the limit of \(path) is reached; gone: \(days(dropped))") }
    if withoutTime > 0 {
      words.append("\(withoutTime.counted("event")) without a time, or with one of 1970, are in no day")
    }
    return words
  }
}
