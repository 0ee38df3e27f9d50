import DualSend
import DualSendCommands
import DualSendCore
import DualSendParity
import DualSendRollout

/// Joins the two sides of events by id as they arrive, compares each pair, and keeps the newest ones.
///
/// Memory is bounded: see ``LiveLimits``.
actor LiveComparison {
  let limits: LiveLimits
  private let timeSource: TimeSource
  private let context: DecisionContext
  private let hasOldLog: Bool
  private let gate: ParityGate
  /// Payloads that memory does not hold; `nil` if no file can be made, and they are lost.
  let disk: SpillFile?
  var store: LiveEntryStore
  private(set) var table: LiveTable?
  private static let maximumNames = 10_000
  /// Names that the old logger sent: the app's.
  private var oldNames: Set<String> = []
  private var rollout: LiveRollout?
  /// The files in force.
  private(set) var files = LiveFiles()
  private var parity: OngoingParity?
  private(set) var series = ParitySeries()
  private(set) var alarm: LiveAlarm
  private var stops = LiveStops()
  /// Waiting entries in the order of their deadlines.
  private var deadlines = LiveDeadlines()
  private var settled: [LiveEntry.State: Int] = [:]
  private var evicted: EvictedEvents
  /// The number of tables so far: counts made under one are not taken back under the next.
  private var tables = 0
  /// When the counts restarted with the kept events, because the table changed; `nil` if never.
  private(set) var restarted: Int64?
  private(set) var sources: [LiveSource: LiveSourceCounts] = [:]
  var followers: LiveFollowers

  /// - Parameters:
  ///   - context: the context of every event's app; its unit is not used.
  ///   - hasOldLog: whether old events come from a log, so that a missing one is lost.
  ///   - gate: its limit is that of the alarm.
  init(
    limits: LiveLimits = LiveLimits(), context: DecisionContext = DecisionContext(unitID: nil), hasOldLog: Bool = false,
    gate: ParityGate = ParityGate(limit: .perMille), timeSource: TimeSource = .system
  ) {
    self.limits = limits
    self.context = context
    self.hasOldLog = hasOldLog
    self.timeSource = timeSource
    self.gate = gate
    alarm = LiveAlarm(gate)
    evicted = EvictedEvents(limit: limits.evicted)
    disk = limits.diskBytes > 0 ? try? SpillFile(capacity: limits.diskBytes) : nil
    store = LiveEntryStore(capacity: limits.entries, maximumPayloadBytes: limits.allPayloadBytes, disk: disk)
    followers = LiveFollowers(limit: limits.streams)
  }

  /// Puts a document in force. Earlier ones still apply to events without a decision, because apps may not have the new
  /// one yet.
  ///
  /// - Parameter document: `nil` if it cannot be read; apps then keep the one that they have.
  func setRollout(_ document: RolloutDocument?) {
    let now = timeSource.wallMilliseconds()
    if let document {
      if rollout?.publish(document, now: now) == nil { rollout = LiveRollout(document, context: context, now: now) }
    }
    files.revision = document?.revision ?? files.revision
    noteChange(of: .document)
  }

  /// Notifies pages that a file changed, even if it has no effect.
  func noteChange(of file: LiveFiles.File) {
    files.changes[file, default: 0] += 1
    followers.notify()
  }

  /// Whether a name is the app's, because the old logger sent it or the table has an entry for it, and not stopped yet.
  private func canStop(_ name: String) -> Bool {
    (hasOldEvent(named: name) || table?.table.hasEntry(for: name) == true) && !stops.stop([name])
  }

  /// Whether the old logger sent an event with a name, among the first names that it sent.
  func hasOldEvent(named name: String) -> Bool { oldNames.contains { $0.isExactly(name) } }

  /// Puts a table in force. Compares the kept events again; the counts restart with these, so that no number mixes tables.
  func setTable(_ table: LiveTable?) {
    self.table = table
    tables += 1
    if hasEvents { restarted = timeSource.wallMilliseconds() }
    parity = table.map { table in
      OngoingParity(ParityComparer(table: table.table, normalisation: table.normalisation))
    }
    settled = [:]
    alarm = LiveAlarm(gate)
    store.updateAll { entry in
      judgeAgain(&entry)
      count(entry, before: [])
    }
    noteChange(of: .table)
  }

  /// Puts the kills of the record in force. Counts the kept events that were logged since.
  func setStops(_ kills: [PublicationRecord.Entry]) {
    let isChanged = stops.put(kills) { new in
      store.forEachFromNewest { entry in
        let names = appNames(old: entry.oldName, new: entry.newName)
        new.count(names, loggedAt: entry.time, old: entry.oldName != nil, new: entry.newName != nil)
        return true
      }
    }
    if isChanged { noteChange(of: .document) }
  }

  /// The alarm and the stops in force, for the banner of the page.
  var banner: EventValue {
    alarm.json(canStop: canStop, stops: stops.json)
  }

  func note(_ note: String, about source: LiveSource) {
    sources[source, default: LiveSourceCounts()].note = note
  }

  /// Counts a refused request.
  func noteRefusal(of source: LiveSource, _ reason: String) {
    sources[source, default: LiveSourceCounts()].refusals += 1
    sources[source]?.lastRefusal = reason
    followers.notify()
  }

  // MARK: Taking events

  /// Adds events from the collector.
  func addNew(_ events: [TrackingEvent], malformed: LiveMalformed = LiveMalformed()) -> Int {
    sources[.collector, default: LiveSourceCounts()].malformed.add(malformed)
    let accepted = events.count { event in
      add(from: .collector, id: event.id, time: event.time) { entry in
        guard entry.newName == nil else { return nil }
        entry.newName = event.name
        entry.new = payload(event.payload)
        entry.carried.new = event.decision
        return (nil, event.payload)
      }
    }
    finish()
    return accepted
  }

  /// Adds events from the old log.
  func addOld(_ events: [LiveOldEvent], malformed: LiveMalformed = LiveMalformed()) {
    sources[.oldLog, default: LiveSourceCounts()].malformed.add(malformed)
    for event in events {
      _ = add(from: .oldLog, id: event.id, time: event.time) { entry in
        guard entry.oldName == nil else { return nil }
        setOld(event.name, event.parameters, of: &entry)
        entry.carried.old = event.decision
        if let unit = event.unit { (entry.unit, entry.isUnitKnown) = (unit, true) }
        return (event.parameters, nil)
      }
    }
    finish()
  }

  /// Adds events from an app's debug mirror.
  func addMirrored(_ pairs: [LiveMirrored], malformed: LiveMalformed = LiveMalformed()) -> Int {
    sources[.mirror, default: LiveSourceCounts()].malformed.add(malformed)
    let accepted = pairs.count { pair in
      add(from: .mirror, id: pair.id, time: pair.time) { entry in
        let old = entry.oldName == nil ? pair.old : nil
        let new = entry.newName == nil ? pair.new : nil
        guard old != nil || new != nil else { return nil }
        if let unit = pair.unit { (entry.unit, entry.isUnitKnown) = (unit, true) }
        if let old { setOld(old.name, old.parameters, of: &entry) }
        if let new {
          entry.newName = new.name
          entry.new = payload(new.payload)
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
    if oldNames.count < Self.maximumNames { oldNames.insert(name) }
    entry.old = payload(parameters)
  }

  private func payload(_ members: [String: EventValue]) -> LivePayload {
    LivePayload(members, limit: limits.payloadBytes, disk: disk)
  }

  /// Newly arrived payloads, which need no parsing.
  private typealias Fresh = (old: [String: EventValue]?, new: [String: EventValue]?)

  /// - Parameter fill: writes the arrived side into the entry; `nil` if the entry already has it.
  /// - Returns: whether the side was new.
  private func add(
    from source: LiveSource, id: EventID, time: Int64?, fill: (inout LiveEntry) -> Fresh?
  ) -> Bool {
    let known = store[id]
    var entry = known ?? LiveEntry(id: id, time: time ?? timeSource.wallMilliseconds())
    guard let fresh = fill(&entry), known != nil || !wasEvicted(&entry) else {
      sources[source, default: LiveSourceCounts()].duplicates += 1
      return false
    }
    sources[source, default: LiveSourceCounts()].events += 1
    if !stops.isEmpty {
      let names = appNames(old: entry.oldName, new: entry.newName)
      stops.count(names, loggedAt: entry.time, old: fresh.old != nil, new: fresh.new != nil)
    }
    decide(&entry)
    judge(&entry, fresh)
    count(entry, before: known?.states ?? [])
    keep(entry)
    return true
  }

  /// Whether this side of the event arrived earlier and was evicted. If only the other side arrived earlier, fills it in and
  /// takes back its counts.
  private func wasEvicted(_ entry: inout LiveEntry) -> Bool {
    switch evicted[entry.id] {
    case nil: return false
    case .pair?: return true
    case .unpaired(let side, let name, let payload, let counted, let table)?:
      guard side == .old ? entry.oldName == nil : entry.newName == nil else { return true }
      if side == .old {
        (entry.oldName, entry.old) = (name, payload)
      } else {
        (entry.newName, entry.new) = (name, payload)
      }
      if let counted, table == tables {
        parity?.takeBackUnpaired(side, named: name, of: counted.unit, in: counted.membership)
        settled[LiveEntry.State(counted.membership.verdict(onUnpaired: side)), default: 0] -= 1
      }
      return false
    }
  }

  /// Keeps an entry. An entry that is evicted for it is settled without waiting for its other side.
  private func keep(_ entry: LiveEntry) {
    guard var leaving = store.put(entry) else { return }
    if leaving.state == .waiting {
      settleUnpaired(&leaving, in: membership(of: leaving))
      count(leaving, before: [])
    }
    guard let name = leaving.oldName ?? leaving.newName, leaving.oldName == nil || leaving.newName == nil else {
      return evicted.add(leaving.id, .pair)
    }
    var payload = leaving.old ?? leaving.new
    payload?.move(to: disk)
    evicted.add(leaving.id, .unpaired(leaving.onlySide, name: name, payload, leaving.countedUnpaired, table: tables))
  }

  private func finish() {
    expire()
    followers.notify()
  }

  // MARK: Judging

  /// Sets the decision that the page shows.
  private func decide(_ entry: inout LiveEntry) {
    if case .mirrored? = entry.decision { return }
    guard let name = entry.oldName ?? entry.newName else { return }
    if let carried = entry.carried.old ?? entry.carried.new {
      let unit: String?? = entry.isUnitKnown ? .some(entry.unit) : .none
      entry.decision =
        rollout?.decision(carried: carried, for: name, unit: unit) ?? .carried(carried, nil, by: nil)
    } else if entry.decision == nil, entry.isUnitKnown, entry.oldName != nil {
      entry.decision = rollout?.decision(for: name, unit: entry.unit)
    }
  }

  private func judge(_ entry: inout LiveEntry, _ fresh: Fresh) {
    if let name = entry.oldName ?? entry.newName, let counted = entry.countedUnpaired {
      // The fresh side is the one that was missing.
      let side: StreamSide = fresh.old == nil ? .old : .new
      parity?.takeBackUnpaired(
        side, named: side == .old ? entry.oldName ?? name : entry.newName ?? name, of: counted.unit,
        in: counted.membership)
      entry.countedUnpaired = nil
    }
    switch (entry.oldName, entry.newName) {
    case (let oldName?, let newName?): judgePair(&entry, oldName, newName, fresh)
    default: judgeUnpaired(&entry)
    }
  }

  private func judgePair(_ entry: inout LiveEntry, _ oldName: String, _ newName: String, _ fresh: Fresh) {
    let membership = membership(of: entry)
    let isMisplaced = membership.old == false || membership.new == false
    guard parity != nil, let old = fresh.old ?? entry.old?.members(on: disk),
      let new = fresh.new ?? entry.new?.members(on: disk)
    else {
      parity?.countUncompared(named: oldName, id: entry.id, of: entry.unit, in: membership)
      entry.place(isMisplaced ? .unexpected : nil, .uncompared)
      return
    }
    let pair = ParitySampling.Pair(
      old: TrackingEvent(id: entry.id, time: entry.time, name: oldName, payload: old),
      new: TrackingEvent(id: entry.id, time: entry.time, name: newName, payload: new))
    let isEqual = parity?.count(pair, of: entry.unit, in: membership).contains(.differingBeforeNoise) == false
    entry.place(isMisplaced ? .unexpected : nil, isEqual ? .matched : .differs)
  }

  private func judgeUnpaired(_ entry: inout LiveEntry) {
    let membership = membership(of: entry)
    switch membership.verdict(onUnpaired: entry.onlySide) {
    case .oneSided, .unexpected: settleUnpaired(&entry, in: membership)
    case .lost, .undecided, .withoutUnit:
      if entry.onlySide == .new, !expectsOldEvents {
        entry.state = .alone
      } else {
        entry.state = .waiting
        deadlines.add(entry.id, due: timeSource.uptime() + limits.lostAfter)
      }
    }
  }

  private func settleUnpaired(_ entry: inout LiveEntry, in membership: EventMembership) {
    entry.state = LiveEntry.State(membership.verdict(onUnpaired: entry.onlySide))
    guard let name = entry.oldName ?? entry.newName else { return }
    entry.countedUnpaired = CountedUnpaired(membership: membership, unit: entry.unit)
    parity?.countUnpaired(entry.onlySide, named: name, id: entry.id, of: entry.unit, in: membership)
  }

  /// Whether there is a source of old events.
  private var expectsOldEvents: Bool {
    hasOldLog || (sources[.mirror]?.events ?? 0) > 0
  }

  private func membership(of entry: LiveEntry) -> EventMembership {
    if case .mirrored(let outcome, _)? = entry.decision {
      return EventMembership(old: outcome.includesOldLogger, new: outcome.includesNewTracker, source: .decision)
    }
    guard let name = entry.oldName ?? entry.newName else { return .both }
    if entry.carried.old ?? entry.carried.new == nil, !entry.isUnitKnown {
      return rollout?.membership(of: name, on: entry.onlySide, time: entry.time) {
        appNames(old: entry.oldName, new: name)
      } ?? .both
    }
    return (rollout?.membership ?? .everywhere).membership(
      decisions: entry.carried, names: appNames(old: entry.oldName, new: name),
      unit: entry.isUnitKnown ? .known(entry.unit) : .unknown,
      time: entry.time, payload: [:])
  }

  /// The app's names of an event: that of its old side, or all that the table gives its new one.
  private func appNames(old: String?, new: String?) -> [String] {
    old.map { [$0] } ?? new.map { parity?.oldNames(of: $0) ?? [$0] } ?? []
  }

  private func judgeAgain(_ entry: inout LiveEntry) {
    if let oldName = entry.oldName, let newName = entry.newName {
      judgePair(&entry, oldName, newName, (nil, nil))
    } else if let counted = entry.countedUnpaired {
      settleUnpaired(&entry, in: counted.membership)
    }
  }

  /// Counts final states. The store counts waiting entries.
  private func count(_ entry: LiveEntry, before: [LiveEntry.State]) {
    for state in before where state != .waiting { settled[state, default: 0] -= 1 }
    for state in entry.states where state != .waiting { settled[state, default: 0] += 1 }
  }

  // MARK: Time

  /// Once a second: settles entries whose deadline has passed, applies schedules, records a parity point, and notifies
  /// the pages that follow.
  func tick() {
    rollout?.advance(to: timeSource.wallMilliseconds())
    expire()
    recordPoint()
    alarm.look(at: timeSource.wallMilliseconds(), sequence: store.sequence) { parityReport }
    followers.notify()
  }

  private func expire() {
    while let id = deadlines.next(at: timeSource.uptime()) {
      guard var entry = store[id], entry.state == .waiting else { continue }
      settleUnpaired(&entry, in: membership(of: entry))
      count(entry, before: [.waiting])
      keep(entry)
    }
    deadlines.compact(limit: 2 * limits.entries) { store[$0]?.state == .waiting }
  }

  private func recordPoint() {
    guard let total = table?.noise == nil ? parity?.total : parityReport?.total else { return }
    series.add(
      ParitySeries.Point(
        time: timeSource.wallMilliseconds(), judged: total.judged, failing: total.failing))
  }

  // MARK: Telling

  /// Whether events of a log can be added without evicting waiting ones. A log can be read later; a collector cannot
  /// wait.
  var hasRoomForLoggedEvents: Bool { (store.counts[.waiting] ?? 0) < limits.entries / 2 }

  /// The number of events by state, since the table came into force.
  var totals: EventValue {
    var members: [String: EventValue] = [:]
    for state in LiveEntry.State.allCases { members[state.rawValue] = .int(Int64(settled[state] ?? 0)) }
    members[LiveEntry.State.waiting.rawValue] = .int(Int64(store.counts[.waiting] ?? 0))
    return .object(members)
  }

  /// The comparison so far, without noise if that was measured; `nil` without a table.
  var parityReport: ParityReport? {
    guard let report = parity?.report else { return nil }
    return table?.noise.map(report.calibrated) ?? report
  }

  /// What differs between two recordings of the old stream; `nil` if noise was not measured.
  var noise: ParityReport? { table?.noise }

  /// A kept event.
  func entry(_ id: EventID) -> LiveEntry? { store[id] }

  /// Whether any event arrived.
  var hasEvents: Bool { sources.values.contains { $0.events > 0 } }

  /// How parity went.
  var parityPoints: [ParitySeries.Point] { series.points }
}
