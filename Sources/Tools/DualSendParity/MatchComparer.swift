import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// A judged event of a unit.
struct KeptTrial {
  let event: String
  let unit: UInt64
  /// Identifies the event.
  let key: UInt64
  let trial: UnitSample.Trial
}

/// Compares the matches of two streams, and counts the results.
struct MatchComparer {
  /// The most bytes of equal pairs to learn from, over all events. Bounds the memory.
  private static let maximumLearnedBytes = 4 << 20

  private let comparer: ParityComparer
  private let payloads: PayloadComparer
  private let keys: LineKeys
  private let oldNames: OldNames
  /// Whether equal pairs can be recognised by their text: only the table changes them, and no field is ignored.
  private let recognisesEqualPairs: Bool
  private var learnedBytes = 0
  private var reader: EventReader
  private var counts: ParityCounts
  private var days = DayTally()
  private var revisions = RevisionTally()
  private var affected = AffectedUnits()
  /// Whether ``trials`` has each judged event of a unit.
  var keepsTrials = false
  var trials: [KeptTrial] = []
  /// The number of lines since the last report of progress.
  private var unreported = 0

  init(_ comparer: ParityComparer, _ keys: LineKeys) {
    self.comparer = comparer
    self.keys = keys
    payloads = PayloadComparer(comparer.normalisation)
    recognisesEqualPairs =
      keys.form(of: .new) == .wire && !comparer.normalisation.changesPayloads && comparer.normalisation.ignored.isEmpty
      && !comparer.join.hasIDInPayload
    oldNames = OldNames(comparer.table)
    reader = EventReader(comparer, keys)
    counts = ParityCounts(comparer.table)
  }

  var report: ParityReport {
    var report = counts.report(of: comparer)
    (report.days, report.revisions, report.affected) = (days, revisions, affected)
    return report
  }

  mutating func count(_ match: LineMatch, _ meter: ProgressMeter) {
    if let period = comparer.period, !countTime(of: match, in: period) { return }
    switch match {
    case .pair(let old, let new, let isAmbiguous):
      countPair(old, new, isAmbiguous: isAmbiguous)
      unreported += 2
    case .unpaired(let record):
      if let event = event(record) { countUnpaired(event) }
      unreported += 1
    case .duplicate(let record, let isOther):
      countDuplicate(record, isOther: isOther)
      unreported += 1
    }
    if unreported >= ProgressMeter.step {
      meter.add(compared: unreported)
      unreported = 0
    }
  }

  /// Whether an event is of the period, by its old line if there is one. Notes its time if it is.
  private mutating func countTime(of match: LineMatch, in period: ClosedRange<Int64>) -> Bool {
    let line: EventLine
    let sides: [StreamSide]
    switch match {
    case .pair(let old, _, _): (line, sides) = (old.line, [.old, .new])
    case .unpaired(let record), .duplicate(let record, _): (line, sides) = (record.line, [record.header.side])
    }
    guard let time = line.milliseconds, period.contains(time) else { return false }
    for side in sides { counts.countTime(time, of: side) }
    return true
  }

  /// Parses a line. Counts it as malformed if it is not a valid event.
  private mutating func event(_ record: LineRecord) -> ParsedEvent? {
    if let event = reader.event(record) {
      if event.hasUnreadableDecision { counts.countUnreadableDecision(record.header.side, record.header.line) }
      return event
    }
    counts.countMalformed(record.header.side, record.header.line)
    return nil
  }

  private mutating func countDuplicate(_ record: LineRecord, isOther: Bool) {
    guard let name = record.line.eventName, record.line.payload != nil else {
      return counts.countMalformed(record.header.side, record.header.line)
    }
    counts.tally(names(name, record.header.side).single).count(
      MatchVerdict(duplicateOf: record.header.side, isOther: isOther),
      id: record.line.eventID ?? record.header.place)
  }

  /// The possible names in the old stream.
  private func names(_ name: String, _ side: StreamSide) -> OldNames.Names {
    keys.form(of: side) == .wire ? oldNames[name] : OldNames.Names(all: [name], single: name)
  }

  private mutating func countUnpaired(_ event: ParsedEvent, isBesideBroken: Bool = false) {
    let side = event.record.header.side
    let names = names(event.name, side)
    let tally = counts.tally(names.single)
    let membership = comparer.membership.ofUnpaired(
      side, event.record, decision: event.decision, names: names.all, payload: event.payload)
    let verdict = tally.count(
      MatchVerdict(unpaired: side, membership, isBesideBroken: isBesideBroken), id: event.id)
    place(verdict, in: tally, event.record, event.decision) { event.payload }
  }

  /// Adds a match to its revision and day, and to its unit if it was judged.
  ///
  /// - Parameters:
  ///   - record: the old line if there is one.
  ///   - payload: the new payload, or the old one after the table.
  private mutating func place(
    _ verdict: MatchVerdict, in tally: EventTally, _ record: LineRecord, _ decision: CarriedDecision?,
    payload: () -> [String: EventValue]?
  ) {
    if let decision { revisions.add(decision.revision) }
    guard comparer.countsDays || comparer.samplesUnits else { return }
    let time = record.line.plainMilliseconds ?? record.line.milliseconds
    if comparer.countsDays { days.add(verdict, at: time, event: tally.name, revision: decision?.revision) }
    guard comparer.samplesUnits, let outcome = UnitSample.Outcome(verdict) else { return }
    let ofOldLine = comparer.clusterKey == nil && record.header.side == .old ? record.line.unitID : nil
    let path = comparer.clusterKey ?? comparer.unitKey
    let id = ofOldLine ?? path.flatMap { path in payload().flatMap { path.value(in: $0)?.unitID } }
    if comparer.listsAffectedUnits { affected.add(verdict, of: id, event: tally.name, at: time) }
    let unit = id.map { TextHash($0).low }
    let trial = UnitSample.Trial(since: time ?? 0, outcome: outcome)
    guard keepsTrials, let unit else { return tally.sample(trial, of: unit) }
    trials.append(KeptTrial(event: tally.name, unit: unit, key: record.header.key.low, trial: trial))
  }

  private mutating func countPair(_ old: LineRecord, _ new: LineRecord, isAmbiguous: Bool) {
    if recognisesEqualPairs, !isAmbiguous, let tally = counts.tally(of: old.line),
      tally.countFields(ofEqual: old.line, new.line)
    {
      return countEqualPair(old, new, in: tally)
    }
    let events = (event(old), event(new))
    guard let oldEvent = events.0, let newEvent = events.1 else {
      if let one = events.0 ?? events.1 { countUnpaired(one, isBesideBroken: true) }
      return
    }
    let tally = counts.tally(oldEvent.name)
    if isAmbiguous {
      let membership = comparer.membership.ofPair(
        named: oldEvent.name, old, new, decisions: (oldEvent.decision, newEvent.decision))
      let verdict = tally.count(MatchVerdict(uncomparedPair: membership), id: oldEvent.id)
      return place(verdict, in: tally, old, oldEvent.decision ?? newEvent.decision) { newEvent.payload }
    }
    tally.countDelay(from: old.line.plainMilliseconds, to: new.line.plainMilliseconds)
    let verdict = tally.countPair(
      id: oldEvent.id, hasExpectedName: oldEvent.newName.isExactly(newEvent.newName),
      in: comparer.membership.ofPair(named: oldEvent.name, old, new, decisions: (oldEvent.decision, newEvent.decision))
    ) { payloads.compare(expected: oldEvent.payload, actual: newEvent.payload, visitor: &$0) }
    if !verdict.contains(.differingBeforeNoise), recognisesEqualPairs, learnedBytes < Self.maximumLearnedBytes {
      learnedBytes += tally.learn(old: old.line, new: new.line, named: oldEvent.name, comparer.table)
    }
    place(verdict, in: tally, old, oldEvent.decision ?? newEvent.decision) { newEvent.payload }
  }

  /// Counts a pair that its text shows to be equal.
  private mutating func countEqualPair(_ old: LineRecord, _ new: LineRecord, in tally: EventTally) {
    tally.countDelay(from: old.line.plainMilliseconds, to: new.line.plainMilliseconds)
    let decisions = (reader.decision(of: old.line), reader.decision(of: new.line))
    let membership = comparer.membership.ofPair(named: tally.name, old, new, decisions: decisions)
    let verdict = tally.count(MatchVerdict(pair: membership), id: old.line.eventID ?? old.header.place)
    place(verdict, in: tally, old, decisions.0 ?? decisions.1) { new.line.payload }
  }
}
