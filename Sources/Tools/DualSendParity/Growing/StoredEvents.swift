import DualSendCommandLine
import DualSendCore
import Foundation
import GRDB

/// The events of a store, to which the matches of new lines are added.
///
/// Counts an event again when its other line arrives: what was counted for the unpaired line is taken back.
final class StoredEvents {
  /// The most trials in memory.
  private static let maximumTrials = 10_000
  /// How many events that the period has reached are read at once.
  private static let batch = 10_000

  /// What is kept of an event.
  private struct Kept {
    /// Of the old line if there is one, in milliseconds since 1970-01-01T00:00:00Z.
    var time: Int64?
    var isCounted = true
    /// The ``LineRecord/content`` of each side's first line.
    var content: [StreamSide: UInt64] = [:]
    var lines: [StreamSide: Data] = [:]
  }

  private let keys: LineKeys
  private let period: ClosedRange<Int64>
  private let db: Database
  private var added: MatchComparer
  private var removed: MatchComparer
  private let meter = ProgressMeter { _ in }
  private let find: Statement
  private let replace: Statement
  /// Whether no call before kept an event, so that there is none to find.
  private let isNew: Bool

  init(_ comparer: ParityComparer, _ keys: LineKeys, _ period: ClosedRange<Int64>, _ db: Database) throws {
    (self.keys, self.period, self.db) = (keys, period, db)
    (added, removed) = (MatchComparer(comparer, keys), MatchComparer(comparer, keys))
    (added.keepsTrials, removed.keepsTrials) = (true, true)
    find = try db.makeStatement(
      sql: "SELECT time, isCounted, old, new, oldLine, newLine FROM event WHERE key = ?")
    isNew = try Int.fetchOne(db, sql: "SELECT 1 FROM event LIMIT 1") == nil
    replace = try db.makeStatement(sql: "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  /// Adds new lines.
  func take(_ match: LineMatch) throws {
    switch match {
    case .pair(let old, let new, _):
      guard let kept = try kept(old.header.key) else { return try settle(match, content: [:]) }
      try add([old, new], to: kept)
    case .unpaired(let record):
      guard let kept = try kept(record.header.key) else { return try settle(match, content: [:]) }
      try add([record], to: kept)
    case .duplicate(let record, let isOther):
      let first = try kept(record.header.key)?.content[record.header.side]
      try repeated(record, isOther: first.map { $0 != record.content } ?? isOther)
    }
    if added.trials.count > Self.maximumTrials { try keepTrials() }
  }

  /// Counts the events that were too new at the calls before.
  func countRipe() throws {
    while true {
      let rows = try Row.fetchAll(
        db,
        sql: "SELECT time, isCounted, old, new, oldLine, newLine FROM event WHERE NOT isCounted AND time <= ? LIMIT ?",
        arguments: [period.upperBound, Self.batch])
      for kept in rows.map(Self.kept) {
        try withRecords(kept.lines) { old, new in
          if let old, let new {
            try settle(.pair(old: old, new: new), content: kept.content)
          } else if let one = old ?? new {
            try settle(.unpaired(one), content: kept.content)
          }
        }
      }
      try keepTrials()
      if rows.count < Self.batch { break }
    }
    let repeats = try Row.fetchCursor(
      db, sql: "SELECT side, isOther, line FROM repeated WHERE time <= ?", arguments: [period.upperBound])
    while let row = try repeats.next() {
      let lines = [row[0] == 0 ? StreamSide.old : .new: row[2] as Data]
      try withRecords(lines) { old, new in
        if let record = old ?? new { added.count(.duplicate(record, isOther: row[1]), meter) }
      }
    }
    try db.execute(sql: "DELETE FROM repeated WHERE time <= ?", arguments: [period.upperBound])
  }

  /// Adds the counts to those of the calls before.
  func count(in memory: inout ParityStore.Memory) throws {
    try keepTrials()
    let (added, removed) = (added.report, removed.report)
    memory.report.merge([added])
    memory.report.subtract(removed)
    for (report, sign) in [(added, 1), (removed, -1)] {
      for event in report.events where event.units.withoutUnit > 0 {
        memory.withoutUnit[event.name, default: 0] += sign * event.units.withoutUnit
      }
    }
  }

  // MARK: Events

  private func kept(_ key: TextHash) throws -> Kept? {
    // A join has all lines of an event in one match, and its repeats.
    if isNew { return nil }
    return try Row.fetchOne(find, arguments: [key.blob]).map(Self.kept)
  }

  private static func kept(_ row: Row) -> Kept {
    var kept = Kept(time: row[0], isCounted: row[1])
    for (index, side) in StreamSide.allCases.enumerated() {
      kept.content[side] = (row[2 + index] as Int64?).map { UInt64(bitPattern: $0) }
      kept.lines[side] = row[4 + index]
    }
    return kept
  }

  /// Adds lines of an event that has some.
  private func add(_ records: [LineRecord], to kept: Kept) throws {
    for record in records {
      let side = record.header.side
      if let first = kept.content[side] {
        try repeated(record, isOther: first != record.content)
        continue
      }
      // Without its line, the old line is not of the period, and so the pair is not.
      guard kept.lines[side.other] != nil else {
        var kept = kept
        kept.content[side] = record.content
        try keep(kept, record.header.key)
        continue
      }
      try withRecords(kept.lines) { old, new in
        guard let first = old ?? new else { return }
        if kept.isCounted { removed.count(.unpaired(first), meter) }
        let pair = side == .old ? (old: record, new: first) : (old: first, new: record)
        try settle(.pair(old: pair.old, new: pair.new), content: kept.content)
      }
    }
  }

  /// Counts a line that repeats an event, or keeps it until the period reaches it.
  private func repeated(_ record: LineRecord, isOther: Bool) throws {
    guard let time = record.line.milliseconds, time > period.upperBound else {
      return added.count(.duplicate(record, isOther: isOther), meter)
    }
    try db.cachedStatement(sql: "INSERT INTO repeated VALUES (?, ?, ?, ?)")
      .execute(arguments: [time, record.header.side == .old ? 0 : 1, isOther, Data(record.line.bytes)])
  }

  /// Counts a match, or keeps its lines until the period reaches it.
  ///
  /// - Parameter content: of the lines that are kept already.
  private func settle(_ match: LineMatch, content: [StreamSide: UInt64]) throws {
    let records: [LineRecord]
    switch match {
    case .pair(let old, let new, _): records = [old, new]
    case .unpaired(let record), .duplicate(let record, _): records = [record]
    }
    let time = records[0].line.milliseconds
    var kept = Kept(time: time, isCounted: time.map { $0 <= period.upperBound } ?? true, content: content)
    if kept.isCounted { added.count(match, meter) }
    // An old line of another time makes any pair one of another time.
    let isOver = records[0].header.side == .old && time.map { $0 < period.lowerBound } ?? true
    for record in records {
      kept.content[record.header.side] = record.content
      if !kept.isCounted || records.count == 1 && !isOver { kept.lines[record.header.side] = Data(record.line.bytes) }
    }
    try keep(kept, records[0].header.key)
  }

  private func keep(_ kept: Kept, _ key: TextHash) throws {
    let content = StreamSide.allCases.map { kept.content[$0].map { Int64(bitPattern: $0) } }
    try replace.execute(arguments: [
      key.blob, kept.time, kept.isCounted, content[0], content[1], kept.lines[.old], kept.lines[.new],
    ])
  }

  /// Calls `body` with the records of lines, which are valid until it returns. Their numbers are 0.
  private func withRecords(_ lines: [StreamSide: Data], _ body: (LineRecord?, LineRecord?) throws -> Void) throws {
    try (lines[.old] ?? Data()).withUnsafeBytes { old in
      try (lines[.new] ?? Data()).withUnsafeBytes { new in
        try body(
          keys.record(old.bindMemory(to: UInt8.self), as: .old, number: 0),
          keys.record(new.bindMemory(to: UInt8.self), as: .new, number: 0))
      }
    }
  }

  /// Moves the trials to the store: those to remove first, because an event may come again with the same key.
  ///
  /// A pair is added to its unit for good. An unpaired event stays by itself, because its other line may come.
  private func keepTrials() throws {
    let delete = try db.cachedStatement(sql: "DELETE FROM unpaired WHERE unit = ? AND event = ? AND key = ?")
    for kept in removed.trials { try delete.execute(arguments: [kept.id, kept.name, kept.keyNumber]) }
    let insert = try db.cachedStatement(sql: "INSERT OR REPLACE INTO unpaired VALUES (?, ?, ?, ?, ?)")
    let add = try db.cachedStatement(
      sql: """
        INSERT INTO unit VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET since = min(since, excluded.since), outcome = outcome | excluded.outcome
        """)
    for kept in added.trials {
      let outcome = Int64(kept.trial.outcome.rawValue)
      if kept.trial.outcome.contains(.pair) {
        try add.execute(arguments: [kept.id, kept.name, kept.trial.since, outcome])
      } else {
        try insert.execute(arguments: [kept.id, kept.name, kept.trial.since, outcome, kept.keyNumber])
      }
    }
    removed.trials.removeAll(keepingCapacity: true)
    added.trials.removeAll(keepingCapacity: true)
  }

  /// - Parameter keepingFailures: whether units that failed stay.
  static func removeAll(from db: Database, keepingFailures: Bool) throws {
    let failing = UnitSample.Outcome([.failing, .lostFromOld]).rawValue
    try db.execute(
      sql: keepingFailures
        ? """
        DELETE FROM unit WHERE outcome & \(failing) = 0;
        INSERT INTO unit SELECT unit, event, since, outcome FROM unpaired WHERE outcome & \(failing) <> 0
        ON CONFLICT DO UPDATE SET since = min(since, excluded.since), outcome = outcome | excluded.outcome;
        """ : "DELETE FROM unit")
    try db.execute(sql: "DELETE FROM event; DELETE FROM repeated; DELETE FROM unpaired")
  }

  /// Reads all units of the store, by event.
  static func units(_ db: Database) throws -> [ExactText: UnitSample] {
    var units: [ExactText: UnitSample] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT event, unit, since, outcome FROM unit UNION ALL SELECT event, unit, since, outcome FROM unpaired
        """)
    while let row = try rows.next() {
      let trial = UnitSample.Trial(since: row[2], outcome: UnitSample.Outcome(rawValue: row[3]))
      units[ExactText(String(decoding: row[0] as Data, as: UTF8.self)), default: UnitSample()].add(
        trial, of: UInt64(bitPattern: row[1] as Int64))
    }
    return units
  }
}

extension KeptTrial {
  fileprivate var id: Int64 { Int64(bitPattern: unit) }
  fileprivate var name: Data { Data(event.utf8) }
  fileprivate var keyNumber: Int64 { Int64(bitPattern: key) }
}

extension TextHash {
  fileprivate var blob: Data {
    withUnsafeBytes(of: (high.littleEndian, low.littleEndian)) { Data($0) }
  }
}

// MARK: - Taking back

extension ParityReport {
  /// Takes back what was counted of unpaired lines, except for examples.
  fileprivate mutating func subtract(_ other: ParityReport) {
    old.malformed -= other.old.malformed
    new.malformed -= other.new.malformed
    for event in other.events {
      let own = events.firstIndex { $0.name.isExactly(event.name) } ?? events.firstIndex { $0.name == Self.otherEvents }
      guard let own else { continue }
      for count in ParityCount.allCases { events[own][count] -= event[count] }
    }
    events.removeAll(where: \.isEmpty)
  }
}
