import DualSendCore
import GRDB

extension Database {
  /// Deletes and counts the oldest events until the quota is met.
  ///
  /// - Returns: the number of deleted events by reason, and of pending events.
  func evict(
    beyond quota: TrackerConfiguration.Quota, now: Int64, inFlight: ClosedRange<Int64>?, isRepaired: Bool = false
  ) throws -> (evicted: [DropReason: Int], waiting: Int64) {
    let oldestAllowed = now - quota.age.inMilliseconds
    let uncounted = try uncounted()
    var pending = try count(LedgerCounter.pending) + uncounted.count
    var bytes = try count(LedgerCounter.pendingBytes) &+ uncounted.bytes
    var reasons: [DropReason: Int] = [:]
    /// Why the oldest event must go, by when it was stored; `nil` if it may stay.
    func reasonToEvict(_ storedAt: Int64) -> DropReason? {
      if storedAt < oldestAllowed { return .quotaAge }
      if pending > Int64(quota.events) { return .quotaCount }
      return bytes > Int64(quota.bytes) ? .quotaBytes : nil
    }
    let selection = try RowStatement(
      """
      SELECT sequence, bytes, storedAt, ifnull(events, 1), checksum FROM event
      WHERE sequence NOT BETWEEN ? AND ? ORDER BY sequence
      """, in: self)
    selection.bind(inFlight?.lowerBound ?? 0, at: 1)
    selection.bind(inFlight?.upperBound ?? -1, at: 2)
    var isDue = reasonToEvict(.max) != nil
    if !isDue {
      try selection.forEachRow { row in
        isDue = reasonToEvict(try row.integer(2)) != nil
        return false
      }
    }
    guard isDue else { return ([:], pending) }
    if let inFlight { try splitRuns(cutBy: inFlight) }
    var victims: [ClosedRange<Int64>] = []
    var isInPlace = true
    try selection.forEachRow { row in
      let (last, rowBytes, storedAt, count) = (
        try row.integer(0), try row.integer(1), try row.integer(2), try row.integer(3)
      )
      let isPossible = count == 1 || last > .min + Int64(EventRun.maximumEvents)
      guard (1...Int64(EventRun.maximumEvents)).contains(count), isPossible else { throw StoredRow.damage }
      guard let reason = reasonToEvict(storedAt) else { return false }
      // Otherwise other events would be deleted, or counted.
      isInPlace = RowPlace(sequence: last, count: count).fits(try row.integer(4))
      guard isInPlace || isRepaired else { return false }
      let isWhole: Bool =
        switch reason {
        case .quotaCount: pending - count >= Int64(quota.events)
        case .quotaBytes: bytes &- rowBytes >= Int64(quota.bytes)
        default: true
        }
      if isWhole || count == 1 {
        victims.join(last - (count - 1)...last)
        pending -= count
        bytes &-= rowBytes
        reasons[reason, default: 0] += Int(truncatingIfNeeded: count)
        return true
      }
      for event in try storedRun(across: last)?.events ?? [] {
        guard let reason = reasonToEvict(storedAt) else { return false }
        victims.join(event.sequence...event.sequence)
        pending -= 1
        bytes &-= Int64(event.bodyCount)
        reasons[reason, default: 0] += 1
      }
      return true
    }
    if !isInPlace, !isRepaired {
      try repairPlaces()
      return try evict(beyond: quota, now: now, inFlight: inFlight, isRepaired: true)
    }
    if !victims.isEmpty { _ = try delete(victims) }
    for (reason, count) in reasons { try add(count, to: LedgerCounter.dropped(reason)) }
    return (reasons, pending)
  }

  func waitingIDs() throws -> [EventID] {
    var ids: [EventID] = []
    try forEachWaitingRow { events in ids += events.map(\.id) }
    return ids
  }

  /// Calls `body` with the events of each row, oldest first.
  func forEachWaitingRow(_ body: ([TrackingData]) throws -> Void) throws {
    try RowStatement("SELECT \(EventColumn.list) FROM event ORDER BY sequence", in: self).forEachRow { row in
      try body(try row.waitingEvents())
      return true
    }
  }

  func ledger() throws -> TrackingLedger {
    var counters: [String: Int64] = [:]
    let rows = try Row.fetchCursor(self, sql: "SELECT counter, value FROM ledger")
    while let row = try rows.next() {
      counters[try row.decode(String.self, atIndex: 0)] = try row.decode(Int64.self, atIndex: 1)
    }
    guard var ledger = TrackingLedger(counters) else { throw LedgerCounter.damage }
    let uncounted = Int(clamping: try uncounted().count)
    ledger.accepted += uncounted
    ledger.pending += uncounted
    return ledger
  }

  /// Keeps dead letters, and erases those beyond the quota or its age.
  func keep(_ letters: [DeadLetter], within quota: TrackerConfiguration.Quota, now: Int64) throws {
    guard !letters.isEmpty else { return }
    for letter in letters {
      let event = letter.event
      try run(
        "INSERT INTO deadLetter(id, time, name, attempts, reason, body, storedAt) VALUES(?, ?, ?, ?, ?, ?, ?)",
        [event.id.blob, event.time, event.name, event.attempts, letter.reason, event.body.blob, now])
    }
    try run(
      "DELETE FROM deadLetter WHERE number NOT IN (SELECT number FROM deadLetter ORDER BY number DESC LIMIT ?)",
      [max(0, quota.deadLetters)])
    try add(changesCount, to: LedgerCounter.deadLettersErased)
    try eraseDeadLetters(olderThan: quota.age, now: now)
  }

  /// Erases the bodies of dead letters that were kept for too long. They stay counted.
  func eraseDeadLetters(olderThan age: Duration, now: Int64) throws {
    let (oldest, overflow) = now.subtractingReportingOverflow(age.inMilliseconds)
    guard !overflow else { return }
    try run("DELETE FROM deadLetter WHERE storedAt < ?", [oldest])
    try add(changesCount, to: LedgerCounter.deadLettersErased)
  }

  func storedDeadLetters() throws -> [DeadLetter] {
    try numberedDeadLetters().map(\.letter)
  }

  /// The dead letters with their numbers in the table.
  func numberedDeadLetters() throws -> [(number: Int64, letter: DeadLetter)] {
    let selection = try RowStatement(
      "SELECT 0, id, time, 0, name, 0, attempts, body, reason, number FROM deadLetter ORDER BY number", in: self)
    var letters: [(number: Int64, letter: DeadLetter)] = []
    try selection.forEachRow { row in
      letters.append((try row.integer(9), DeadLetter(event: try row.event(), reason: try row.text(8))))
      return true
    }
    return letters
  }

  func storedNote(_ key: String) throws -> Int64? {
    try Int64.fetchOne(try cachedStatement(sql: "SELECT value FROM note WHERE key = ?"), arguments: [key])
  }

  /// Notes the age clock, the wall clock and the uptime for the next launch.
  ///
  /// The next launch adds the time since they were noted. So a note up to a minute old serves as well as a new one,
  /// unless the wall clock was changed since.
  func noteAge(_ age: Int64, wall: Int64, uptime: Int64 = 0) throws {
    let minute: Int64 = 60_000
    if let notedAge = try storedNote(NoteKey.age), let notedWall = try storedNote(NoteKey.wall),
      let notedUptime = try storedNote(NoteKey.uptime)
    {
      let clocks = [(age, notedAge), (wall, notedWall), (uptime, notedUptime)]
      let isRecent = clocks.allSatisfy { now, noted in
        let (since, overflow) = now.subtractingReportingOverflow(noted)
        return !overflow && (0..<minute).contains(since)
      }
      if isRecent { return }
    }
    try storeNote(NoteKey.age, age)
    try storeNote(NoteKey.wall, wall)
    try storeNote(NoteKey.uptime, uptime)
  }

  func storeNote(_ key: String, _ value: Int64) throws {
    try run("INSERT INTO note VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", [key, value])
  }
}
