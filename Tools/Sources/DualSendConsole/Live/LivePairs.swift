import DualSend
package import DualSendCore
package import DualSendParity
package import DualSendRollout

/// Joins the two sides of events as they come, judges each pair, and keeps the newest ones.
///
/// Sides find each other by the event's id. Everything is bounded: see ``LiveLimits``.
package actor LivePairs {
  let limits: LiveLimits
  private let timeSource: TimeSource
  private let context: DecisionContext
  private let hasOldLog: Bool
  var ring: LiveRing
  private(set) var table: LiveTable?
  private var rollout: LiveRollout?
  /// The revision of the document in force, for whoever follows.
  private(set) var revision: Int64?
  private var parity: OngoingParity?
  private(set) var series = ParitySeries()
  /// Waiting entries in the order in which their time is up.
  private var deadlines = LiveDeadlines()
  private var settled: [LiveEntry.State: Int] = [:]
  private(set) var sources: [LiveSource: LiveSourceCounts] = [:]
  var followers = LiveFollowers()

  /// - Parameters:
  ///   - context: what is known of every event's app; its unit is not used.
  ///   - hasOldLog: whether old events come from a log, so that one that does not come is missed.
  package init(
    limits: LiveLimits = LiveLimits(), context: DecisionContext = DecisionContext(unitID: nil), hasOldLog: Bool = false,
    maximumStreams: Int = 16, timeSource: TimeSource = .system
  ) {
    self.limits = limits
    self.context = context
    self.hasOldLog = hasOldLog
    self.timeSource = timeSource
    ring = LiveRing(capacity: limits.entries, maximumPayloadBytes: limits.allPayloadBytes)
    followers = LiveFollowers(limit: maximumStreams)
  }

  /// Puts a document in force for events that come from now on.
  package func setRollout(_ document: RolloutDocument?) {
    rollout = document.map { LiveRollout($0, context: context, now: timeSource.wallMilliseconds()) }
    revision = document?.revision
    followers.tell()
  }

  /// Puts a table in force, and judges every pair that is kept again.
  package func setTable(_ table: LiveTable?) {
    self.table = table
    parity = table.map { table in
      OngoingParity(ParityComparer(table: table.table, normalisation: table.normalisation))
    }
    ring.updateAll { entry in
      let before = entry.state
      judgeAgain(&entry)
      count(entry, before: before)
    }
    followers.tell()
  }

  // MARK: Taking events

  /// Takes what the collector got.
  package func addNew(_ events: [TrackingEvent], malformed: Int = 0) -> Int {
    sources[.collector, default: LiveSourceCounts()].malformed += malformed
    let accepted = events.count { event in
      add(from: .collector, id: event.id, time: event.time) { entry in
        guard entry.newName == nil else { return nil }
        entry.newName = event.name
        entry.new = LivePayload(event.payload, limit: limits.payloadBytes)
        return (nil, event.payload)
      }
    }
    finish()
    return accepted
  }

  /// Takes what the old logger wrote.
  package func addOld(_ events: [LiveOldEvent], malformed: Int = 0) {
    sources[.oldLog, default: LiveSourceCounts()].malformed += malformed
    for event in events {
      _ = add(from: .oldLog, id: event.id, time: event.time) { entry in
        guard entry.oldName == nil else { return nil }
        setOld(event.name, event.parameters, of: &entry)
        if let unit = event.unit {
          entry.unit = unit
          entry.decision = entry.decision ?? rollout?.decision(for: event.name, unit: unit)
        }
        return (event.parameters, nil)
      }
    }
    finish()
  }

  /// Takes what an app's debug mirror posted.
  package func addMirrored(_ pairs: [LiveMirrored], malformed: Int = 0) -> Int {
    sources[.mirror, default: LiveSourceCounts()].malformed += malformed
    let accepted = pairs.count { pair in
      add(from: .mirror, id: pair.id, time: pair.time) { entry in
        let old = entry.oldName == nil ? pair.old : nil
        let new = entry.newName == nil ? pair.new : nil
        guard old != nil || new != nil else { return nil }
        if let unit = pair.unit { entry.unit = unit }
        if let old { setOld(old.name, old.parameters, of: &entry) }
        if let new {
          entry.newName = new.name
          entry.new = LivePayload(new.payload, limit: limits.payloadBytes)
        }
        if let decision = pair.decision {
          entry.decision = .mirrored(decision.outcome, reason: decision.reason)
        } else if let unit = entry.unit, let name = entry.oldName, entry.decision == nil {
          entry.decision = rollout?.decision(for: name, unit: unit)
        }
        return (old?.parameters, new?.payload)
      }
    }
    finish()
    return accepted
  }

  private func setOld(_ name: String, _ parameters: [String: EventValue], of entry: inout LiveEntry) {
    entry.oldName = name
    entry.old = LivePayload(parameters, limit: limits.payloadBytes)
  }

  /// Payloads that have just come, so that they need not be read again.
  private typealias Fresh = (old: [String: EventValue]?, new: [String: EventValue]?)

  /// - Parameter fill: writes what has come into the entry; `nil` if it was there already.
  /// - Returns: whether anything was new.
  private func add(
    from source: LiveSource, id: EventID, time: Int64?, fill: (inout LiveEntry) -> Fresh?
  ) -> Bool {
    let known = ring[id]
    var entry = known ?? LiveEntry(id: id, time: time ?? timeSource.wallMilliseconds())
    guard let fresh = fill(&entry) else {
      sources[source, default: LiveSourceCounts()].duplicates += 1
      return false
    }
    sources[source, default: LiveSourceCounts()].events += 1
    judge(&entry, fresh)
    count(entry, before: known?.state)
    ring.put(entry)
    return true
  }

  private func finish() {
    expire()
    followers.tell()
  }

  // MARK: Judging

  private func judge(_ entry: inout LiveEntry, _ fresh: Fresh) {
    if let name = entry.oldName ?? entry.newName, let membership = entry.countedAloneIn {
      // Whichever side is fresh is the one that was missing.
      let side: StreamSide = fresh.old == nil ? .old : .new
      parity?.takeBackAlone(side, named: side == .old ? entry.oldName ?? name : entry.newName ?? name, in: membership)
      entry.countedAloneIn = nil
    }
    switch (entry.oldName, entry.newName) {
    case (let oldName?, let newName?): judgePair(&entry, oldName, newName, fresh)
    case (_?, nil): judgeAlone(&entry, .old)
    default: judgeAlone(&entry, .new)
    }
  }

  private func judgePair(_ entry: inout LiveEntry, _ oldName: String, _ newName: String, _ fresh: Fresh) {
    let membership = membership(of: entry)
    let isMisplaced = membership.old == false || membership.new == false
    guard parity != nil, let old = fresh.old ?? entry.old?.members, let new = fresh.new ?? entry.new?.members else {
      entry.isUncompared = true
      entry.state = isMisplaced ? .unexpected : .matched
      return
    }
    let pair = ParitySampling.Pair(
      old: TrackingEvent(id: entry.id, time: entry.time, name: oldName, payload: old),
      new: TrackingEvent(id: entry.id, time: entry.time, name: newName, payload: new))
    let isEqual = parity?.count(pair, in: membership) ?? false
    entry.isUncompared = false
    entry.state = isMisplaced ? .unexpected : isEqual ? .matched : .differs
  }

  private func judgeAlone(_ entry: inout LiveEntry, _ side: StreamSide) {
    let membership = membership(of: entry)
    let (own, other) = side == .old ? (membership.old, membership.new) : (membership.new, membership.old)
    if own == false {
      settleAlone(&entry, as: .unexpected, in: membership)
    } else if other == false {
      settleAlone(&entry, as: .alone, in: membership)
    } else if side == .new, !expectsOldEvents {
      entry.state = .alone
    } else {
      entry.state = .waiting
      deadlines.add(entry.id, due: timeSource.uptime() + limits.lostAfter)
    }
  }

  private func settleAlone(_ entry: inout LiveEntry, as state: LiveEntry.State, in membership: EventMembership) {
    entry.state = state
    guard let name = entry.oldName ?? entry.newName else { return }
    entry.countedAloneIn = membership
    parity?.countAlone(entry.oldName == nil ? .new : .old, named: name, id: entry.id, in: membership)
  }

  /// Whether old events come from anywhere.
  private var expectsOldEvents: Bool {
    hasOldLog || (sources[.mirror]?.events ?? 0) > 0
  }

  private func membership(of entry: LiveEntry) -> EventMembership {
    if let decision = entry.decision { return EventMembership(decision.outcome) }
    if let name = entry.oldName {
      return rollout?.membership(of: name, on: .old, time: entry.time) { [name] } ?? .both
    }
    guard let name = entry.newName else { return .both }
    return rollout?.membership(of: name, on: .new, time: entry.time) { parity?.oldNames(of: name) ?? [name] } ?? .both
  }

  private func judgeAgain(_ entry: inout LiveEntry) {
    if let oldName = entry.oldName, let newName = entry.newName {
      judgePair(&entry, oldName, newName, (nil, nil))
    } else if let membership = entry.countedAloneIn {
      settleAlone(&entry, as: entry.state, in: membership)
    }
  }

  /// Counts a state that lasts; waiting entries are counted where they are kept.
  private func count(_ entry: LiveEntry, before: LiveEntry.State?) {
    if let before, before != .waiting { settled[before, default: 0] -= 1 }
    if entry.state != .waiting { settled[entry.state, default: 0] += 1 }
  }

  // MARK: Time

  /// Gives up on sides that have not come in time, takes steps of schedules, and notes how parity goes. Pages that follow
  /// get a sign of life.
  package func turn() {
    rollout?.turn(to: timeSource.wallMilliseconds())
    expire()
    notePoint()
    followers.tell()
  }

  private func expire() {
    while let id = deadlines.next(at: timeSource.uptime()) {
      guard var entry = ring[id], entry.state == .waiting else { continue }
      settleAlone(&entry, as: entry.oldName == nil ? .unexpected : .lost, in: membership(of: entry))
      count(entry, before: .waiting)
      ring.put(entry)
    }
    deadlines.compact(limit: 2 * limits.entries) { ring[$0]?.state == .waiting }
  }

  private func notePoint() {
    guard let total = table?.noise == nil ? parity?.total : parityReport?.total else { return }
    series.add(
      ParitySeries.Point(
        time: timeSource.wallMilliseconds(), pairs: total.pairs, differing: total.mismatches, judged: total.judged,
        failing: total.failures))
  }

  // MARK: Telling

  /// How many events stand how, since the start.
  package var totals: EventValue {
    var members: [String: EventValue] = [:]
    for state in LiveEntry.State.allCases { members[state.rawValue] = .int(Int64(settled[state] ?? 0)) }
    members[LiveEntry.State.waiting.rawValue] = .int(Int64(ring.counts[.waiting] ?? 0))
    return .object(members)
  }

  /// What was compared so far, with noise taken off where it was measured; `nil` without a table.
  package var parityReport: ParityReport? {
    guard let report = parity?.report else { return nil }
    return table?.noise.map(report.calibrated) ?? report
  }

  /// What differs between two recordings of the old stream; `nil` if noise was not measured.
  package var noise: ParityReport? { table?.noise }

  /// How parity went.
  package var parityPoints: [ParitySeries.Point] { series.points }
}
