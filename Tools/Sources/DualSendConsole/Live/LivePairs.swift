import DualSend
import DualSendCore
import DualSendParity
import DualSendRollout

/// Joins the two sides of events as they come, judges each pair, and keeps the newest ones.
///
/// Sides find each other by the event's id. Everything is bounded: see ``LiveLimits``.
actor LivePairs {
  let limits: LiveLimits
  private let timeSource: TimeSource
  private let context: DecisionContext
  private let hasOldLog: Bool
  var ring: LiveRing
  private(set) var table: LiveTable?
  private var rollout: LiveRollout?
  /// The files in force, as pages are told.
  private(set) var files = LiveFiles()
  private var parity: OngoingParity?
  private(set) var series = ParitySeries()
  /// Waiting entries in the order in which their time is up.
  private var deadlines = LiveDeadlines()
  private var settled: [LiveEntry.State: Int] = [:]
  private var departed: DepartedEvents
  /// Counts the tables: what was counted under one is not taken back under the next.
  private var tables = 0
  private(set) var sources: [LiveSource: LiveSourceCounts] = [:]
  var followers: LiveFollowers

  /// - Parameters:
  ///   - context: what is known of every event's app; its unit is not used.
  ///   - hasOldLog: whether old events come from a log, so that one that does not come is missed.
  init(
    limits: LiveLimits = LiveLimits(), context: DecisionContext = DecisionContext(unitID: nil), hasOldLog: Bool = false,
    timeSource: TimeSource = .system
  ) {
    self.limits = limits
    self.context = context
    self.hasOldLog = hasOldLog
    self.timeSource = timeSource
    departed = DepartedEvents(limit: limits.departed)
    ring = LiveRing(capacity: limits.entries, maximumPayloadBytes: limits.allPayloadBytes)
    followers = LiveFollowers(limit: limits.streams)
  }

  /// Puts a document in force. Those before still count for events that come without a decision: apps may have them yet.
  ///
  /// - Parameter document: `nil` if none can be read; apps then go on with the one that they have.
  func setRollout(_ document: RolloutDocument?) {
    let now = timeSource.wallMilliseconds()
    if let document {
      if rollout?.publish(document, now: now) == nil { rollout = LiveRollout(document, context: context, now: now) }
    }
    files.revision = document?.revision ?? files.revision
    noteChange(of: .document)
  }

  /// Notes that a file is no longer what it was, though nothing else may be in force.
  func noteChange(of file: LiveFiles.File) {
    files.changes[file, default: 0] += 1
    followers.tell()
  }

  /// Puts a table in force, and judges every event that is kept again; the counts begin with these.
  func setTable(_ table: LiveTable?) {
    self.table = table
    tables += 1
    parity = table.map { table in
      OngoingParity(ParityComparer(table: table.table, normalisation: table.normalisation))
    }
    settled = [:]
    ring.updateAll { entry in
      judgeAgain(&entry)
      count(entry, before: nil)
    }
    noteChange(of: .table)
  }

  /// Notes a request that was not taken at all.
  func noteRefusal(of source: LiveSource, _ reason: String) {
    sources[source, default: LiveSourceCounts()].refusals += 1
    sources[source]?.lastRefusal = reason
  }

  // MARK: Taking events

  /// Takes what the collector got.
  func addNew(_ events: [TrackingEvent], malformed: Int = 0) -> Int {
    sources[.collector, default: LiveSourceCounts()].malformed += malformed
    let accepted = events.count { event in
      add(from: .collector, id: event.id, time: event.time) { entry in
        guard entry.newName == nil else { return nil }
        entry.newName = event.name
        entry.new = LivePayload(event.payload, limit: limits.payloadBytes)
        entry.stamps.new = event.decision
        return (nil, event.payload)
      }
    }
    finish()
    return accepted
  }

  /// Takes what the old logger wrote.
  func addOld(_ events: [LiveOldEvent], malformed: Int = 0) {
    sources[.oldLog, default: LiveSourceCounts()].malformed += malformed
    for event in events {
      _ = add(from: .oldLog, id: event.id, time: event.time) { entry in
        guard entry.oldName == nil else { return nil }
        setOld(event.name, event.parameters, of: &entry)
        entry.stamps.old = event.decision
        if let unit = event.unit { (entry.unit, entry.isUnitKnown) = (unit, true) }
        return (event.parameters, nil)
      }
    }
    finish()
  }

  /// Takes what an app's debug mirror posted.
  func addMirrored(_ pairs: [LiveMirrored], malformed: Int = 0) -> Int {
    sources[.mirror, default: LiveSourceCounts()].malformed += malformed
    let accepted = pairs.count { pair in
      add(from: .mirror, id: pair.id, time: pair.time) { entry in
        let old = entry.oldName == nil ? pair.old : nil
        let new = entry.newName == nil ? pair.new : nil
        guard old != nil || new != nil else { return nil }
        if let unit = pair.unit { (entry.unit, entry.isUnitKnown) = (unit, true) }
        if let old { setOld(old.name, old.parameters, of: &entry) }
        if let new {
          entry.newName = new.name
          entry.new = LivePayload(new.payload, limit: limits.payloadBytes)
        }
        if let decision = pair.decision {
          entry.decision = .mirrored(decision.outcome, reason: decision.reason)
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
    guard let fresh = fill(&entry), known != nil || !hasDeparted(&entry) else {
      sources[source, default: LiveSourceCounts()].duplicates += 1
      return false
    }
    sources[source, default: LiveSourceCounts()].events += 1
    decide(&entry)
    judge(&entry, fresh)
    count(entry, before: known?.state)
    keep(entry)
    return true
  }

  /// Whether an event that is new here had come before and is no longer kept. If only its other side had come, that one's
  /// name is filled in, and what was counted of it is taken back.
  private func hasDeparted(_ entry: inout LiveEntry) -> Bool {
    switch departed[entry.id] {
    case nil: return false
    case .pair?: return true
    case .lone(let side, let name, let membership, let table)?:
      guard side == .old ? entry.oldName == nil : entry.newName == nil else { return true }
      if side == .old { entry.oldName = name } else { entry.newName = name }
      if let membership, table == tables {
        parity?.takeBackAlone(side, named: name, in: membership)
        settled[LiveEntry.State(membership.verdict(onLone: side)), default: 0] -= 1
      }
      return false
    }
  }

  /// Keeps an entry. One that has to make room is settled as it stands: its other side is not waited for any longer.
  private func keep(_ entry: LiveEntry) {
    guard var leaving = ring.put(entry) else { return }
    if leaving.state == .waiting {
      settleAlone(&leaving, in: membership(of: leaving))
      count(leaving, before: nil)
    }
    guard let name = leaving.oldName ?? leaving.newName, leaving.oldName == nil || leaving.newName == nil else {
      return departed.add(leaving.id, .pair)
    }
    departed.add(leaving.id, .lone(leaving.loneSide, name: name, leaving.countedAloneIn, table: tables))
  }

  private func finish() {
    expire()
    followers.tell()
  }

  // MARK: Judging

  /// Notes what was decided for an event, for people to read.
  private func decide(_ entry: inout LiveEntry) {
    if case .mirrored? = entry.decision { return }
    guard let name = entry.oldName ?? entry.newName else { return }
    if let stamp = entry.stamps.old ?? entry.stamps.new {
      let unit: String?? = entry.isUnitKnown ? .some(entry.unit) : .none
      entry.decision =
        rollout?.decision(stamped: stamp, for: name, unit: unit) ?? .stamped(stamp, nil, by: nil)
    } else if entry.decision == nil, entry.isUnitKnown, entry.oldName != nil {
      entry.decision = rollout?.decision(for: name, unit: entry.unit)
    }
  }

  private func judge(_ entry: inout LiveEntry, _ fresh: Fresh) {
    if let name = entry.oldName ?? entry.newName, let membership = entry.countedAloneIn {
      // Whichever side is fresh is the one that was missing.
      let side: StreamSide = fresh.old == nil ? .old : .new
      parity?.takeBackAlone(side, named: side == .old ? entry.oldName ?? name : entry.newName ?? name, in: membership)
      entry.countedAloneIn = nil
    }
    switch (entry.oldName, entry.newName) {
    case (let oldName?, let newName?): judgePair(&entry, oldName, newName, fresh)
    default: judgeAlone(&entry)
    }
  }

  private func judgePair(_ entry: inout LiveEntry, _ oldName: String, _ newName: String, _ fresh: Fresh) {
    let membership = membership(of: entry)
    let isMisplaced = membership.old == false || membership.new == false
    guard parity != nil, let old = fresh.old ?? entry.old?.members, let new = fresh.new ?? entry.new?.members else {
      parity?.countUncompared(named: oldName, id: entry.id, in: membership)
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

  private func judgeAlone(_ entry: inout LiveEntry) {
    let membership = membership(of: entry)
    switch membership.verdict(onLone: entry.loneSide) {
    case .expected, .unexpected: settleAlone(&entry, in: membership)
    case .lost, .undecided, .withoutUnit:
      if entry.loneSide == .new, !expectsOldEvents {
        entry.state = .alone
      } else {
        entry.state = .waiting
        deadlines.add(entry.id, due: timeSource.uptime() + limits.lostAfter)
      }
    }
  }

  private func settleAlone(_ entry: inout LiveEntry, in membership: EventMembership) {
    entry.state = LiveEntry.State(membership.verdict(onLone: entry.loneSide))
    guard let name = entry.oldName ?? entry.newName else { return }
    entry.countedAloneIn = membership
    parity?.countAlone(entry.loneSide, named: name, id: entry.id, in: membership)
  }

  /// Whether old events come from anywhere.
  private var expectsOldEvents: Bool {
    hasOldLog || (sources[.mirror]?.events ?? 0) > 0
  }

  private func membership(of entry: LiveEntry) -> EventMembership {
    if case .mirrored(let outcome, _)? = entry.decision {
      return EventMembership(old: outcome.includesOldLogger, new: outcome.includesNewTracker, source: .stamp)
    }
    guard let name = entry.oldName ?? entry.newName else { return .both }
    let oldNames = { [parity] in entry.oldName.map { [$0] } ?? parity?.oldNames(of: name) ?? [name] }
    if entry.stamps.old ?? entry.stamps.new == nil, !entry.isUnitKnown {
      return rollout?.membership(of: name, on: entry.loneSide, time: entry.time, oldNames: oldNames) ?? .both
    }
    return (rollout?.membership ?? .everywhere).membership(
      stamps: entry.stamps, names: oldNames(), unit: entry.isUnitKnown ? .known(entry.unit) : .unknown,
      time: entry.time, payload: [:])
  }

  private func judgeAgain(_ entry: inout LiveEntry) {
    if let oldName = entry.oldName, let newName = entry.newName {
      judgePair(&entry, oldName, newName, (nil, nil))
    } else if let membership = entry.countedAloneIn {
      settleAlone(&entry, in: membership)
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
  func turn() {
    rollout?.turn(to: timeSource.wallMilliseconds())
    expire()
    notePoint()
    followers.tell()
  }

  private func expire() {
    while let id = deadlines.next(at: timeSource.uptime()) {
      guard var entry = ring[id], entry.state == .waiting else { continue }
      settleAlone(&entry, in: membership(of: entry))
      count(entry, before: .waiting)
      keep(entry)
    }
    deadlines.compact(limit: 2 * limits.entries) { ring[$0]?.state == .waiting }
  }

  private func notePoint() {
    guard let total = table?.noise == nil ? parity?.total : parityReport?.total else { return }
    series.add(
      ParitySeries.Point(
        time: timeSource.wallMilliseconds(), pairs: total.pairs, differing: total.differing, judged: total.judged,
        failing: total.failing))
  }

  // MARK: Telling

  /// Whether old events can be taken without giving up on others that wait: an old log can be read later, and a collector
  /// cannot be asked to wait.
  var hasRoomForOldEvents: Bool { (ring.counts[.waiting] ?? 0) < limits.entries / 2 }

  /// How many events stand how, since the table was put in force.
  var totals: EventValue {
    var members: [String: EventValue] = [:]
    for state in LiveEntry.State.allCases { members[state.rawValue] = .int(Int64(settled[state] ?? 0)) }
    members[LiveEntry.State.waiting.rawValue] = .int(Int64(ring.counts[.waiting] ?? 0))
    return .object(members)
  }

  /// What was compared so far, with noise taken off where it was measured; `nil` without a table.
  var parityReport: ParityReport? {
    guard let report = parity?.report else { return nil }
    return table?.noise.map(report.calibrated) ?? report
  }

  /// What differs between two recordings of the old stream; `nil` if noise was not measured.
  var noise: ParityReport? { table?.noise }

  /// How parity went.
  var parityPoints: [ParitySeries.Point] { series.points }
}
