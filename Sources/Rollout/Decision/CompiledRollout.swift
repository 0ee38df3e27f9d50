/// A document at one time, taken apart for deciding. Immutable; a class so that a subject can tell whose it is.
final class CompiledRollout: Sendable {
  let events: EventIndex
  let conditions: [RuleConditions]
  let bucketing: Bucketing
  let missingUnit: SinkOutcome
  private let topLevel: FlagShares
  /// By rule, in buckets; -1 where the rule leaves the flag alone.
  private let oldLoggerShares: [Int]
  private let newTrackerShares: [Int]

  init(_ document: RolloutDocument, at time: Int64?) {
    conditions = document.rules.map { RuleConditions($0.match) }
    oldLoggerShares = document.rules.map { $0.shouldSendLogToOldLogger.share(at: time) }
    newTrackerShares = document.rules.map { $0.shouldSendLogToNewTracker.share(at: time) }
    var indexed: [IndexedRule] = []
    for (index, rule) in document.rules.enumerated() {
      indexed.append(
        IndexedRule(
          events: rule.match.events,
          flags: (oldLoggerShares[index] < 0 ? [] : FlagSet.oldLogger)
            .union(newTrackerShares[index] < 0 ? [] : .newTracker),
          isUnconditional: conditions[index].isEmpty))
    }
    var builder = EventIndexBuilder(indexed)
    events = builder.index()
    bucketing = Bucketing(salt: document.salt)
    missingUnit = document.missingUnit.outcome
    topLevel = FlagShares(
      oldLogger: document.shouldSendLogToOldLogger.percentage(at: time)?.thousandths ?? Bucket.count,
      newTracker: document.shouldSendLogToNewTracker.percentage(at: time)?.thousandths ?? 0)
  }

  /// The flags that a rule sets at this time.
  func flags(ofRule index: Int) -> FlagSet {
    var flags: FlagSet = []
    if oldLoggerShares[index] >= 0 { flags.insert(.oldLogger) }
    if newTrackerShares[index] >= 0 { flags.insert(.newTracker) }
    return flags
  }

  func shares(_ places: FlagPlaces) -> FlagShares {
    FlagShares(
      oldLogger: share(places.oldLogger, topLevel.oldLogger, oldLoggerShares),
      newTracker: share(places.newTracker, topLevel.newTracker, newTrackerShares))
  }

  /// Decides one event: for each flag, the first rule that matches and sets it, else the top level.
  @inline(__always)
  func decision(for eventName: String, bucket: Bucket?, matches: (Int) -> Bool) -> SinkDecision {
    var places = FlagPlaces()
    var open = FlagSet.both
    for index in events.candidates(for: eventName) {
      let decided = flags(ofRule: index).intersection(open)
      guard !decided.isEmpty, matches(index) else { continue }
      if decided.contains(.oldLogger) { places.oldLogger = .rule(index) }
      if decided.contains(.newTracker) { places.newTracker = .rule(index) }
      open.subtract(decided)
      if open.isEmpty { break }
    }
    return decision(places, bucket: bucket)
  }

  func decision(_ places: FlagPlaces, bucket: Bucket?) -> SinkDecision {
    let shares = shares(places)
    let outcome: SinkOutcome
    if let bucket {
      outcome = shares.sinks(in: bucket)
    } else if shares.needNoBucket {
      outcome = shares.sinks(in: .first)
    } else {
      return SinkDecision(missingUnit, bucket: nil, oldLogger: .missingUnit, newTracker: .missingUnit)
    }
    return SinkDecision(
      outcome, bucket: bucket, oldLogger: places.oldLogger.reason, newTracker: places.newTracker.reason)
  }

  @inline(__always)
  private func share(_ place: FlagPlace, _ topLevel: Int, _ byRule: [Int]) -> Int {
    switch place {
    case .topLevel: topLevel
    case .rule(let index): byRule[index]
    }
  }
}

extension SinkDecision {
  init(_ outcome: SinkOutcome, bucket: Bucket?, oldLogger: Reason, newTracker: Reason) {
    self.init(
      shouldSendLogToOldLogger: outcome.includesOldLogger, shouldSendLogToNewTracker: outcome.includesNewTracker,
      bucket: bucket, oldLoggerReason: oldLogger, newTrackerReason: newTracker)
  }
}

extension RolloutFlag? {
  /// The share in buckets; -1 where the flag says nothing.
  fileprivate func share(at time: Int64?) -> Int {
    self?.percentage(at: time)?.thousandths ?? -1
  }
}
