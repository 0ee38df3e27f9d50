import DualSendCore

/// A document at one time, compiled for fast decisions. Immutable. A class, so that a subject can compare it by identity.
public final class CompiledRollout: Sendable {
  /// The document's revision.
  let revision: Int64
  /// Whether any share depends on the time.
  let hasSchedules: Bool
  let events: EventIndex
  /// The conditions of each rule.
  let conditions: [[ContextCondition]]
  /// Assigns units to buckets with the document's salt.
  public let bucketing: RolloutBucketing
  let missingUnit: SinkDecision.Outcome
  let topLevel: RuleShares
  /// The shares of each rule.
  let shares: [RuleShares]
  /// The named sinks, sorted.
  let sinks: [CompiledSink]
  /// Stored, because it is read for each event.
  let namesSinks: Bool

  /// Creates a rollout from its binary form, whose indices the caller has checked.
  init(
    revision: Int64, events: EventIndex, conditions: [[ContextCondition]], salt: String,
    missingUnit: SinkDecision.Outcome,
    topLevel: RuleShares, shares: [RuleShares], sinks: [CompiledSink]
  ) {
    self.revision = revision
    hasSchedules = false
    self.events = events
    self.conditions = conditions
    bucketing = RolloutBucketing(salt: salt)
    self.missingUnit = missingUnit
    self.topLevel = topLevel
    self.shares = shares
    self.sinks = sinks
    namesSinks = !sinks.isEmpty
  }

  init(_ document: RolloutDocument, at time: Int64?) {
    revision = document.revision
    hasSchedules = document.hasSchedules
    let conditions = document.rules.map(\.match.conditions)
    let shares = document.rules.map { rule in
      RuleShares(
        oldLogger: rule.shouldSendLogToOldLogger?.percentage(at: time)?.thousandths,
        newTracker: rule.shouldSendLogToNewTracker?.percentage(at: time)?.thousandths)
    }
    let indexed = document.rules.indices.map { index in
      IndexedRule(
        events: document.rules[index].match.events, flags: shares[index].flags,
        isUnconditional: conditions[index].isEmpty)
    }
    var builder = EventIndexBuilder(indexed)
    events = builder.index()
    self.conditions = conditions
    self.shares = shares
    bucketing = RolloutBucketing(salt: document.salt)
    missingUnit = document.missingUnit.outcome
    topLevel = RuleShares(
      oldLogger: document.shouldSendLogToOldLogger.percentage(at: time)?.thousandths ?? RolloutBucket.count,
      newTracker: document.shouldSendLogToNewTracker.percentage(at: time)?.thousandths ?? 0)
    sinks = document.sinks.inOrder { $0.sink < $1.sink }.map { CompiledSink($0, in: document, conditions, at: time) }
    namesSinks = !sinks.isEmpty
  }

  /// The flags that a rule sets at this time.
  func flags(ofRule index: Int) -> FlagSet {
    shares[index].flags
  }

  /// The shares that two places set; negative for a flag that its place does not set.
  public func shares(_ places: FlagPlaces) -> FlagShares {
    var result = FlagShares(oldLogger: Int(topLevel.oldLogger), newTracker: Int(topLevel.newTracker))
    if case .rule(let index) = places.oldLogger { result.oldLogger = Int(shares[index].oldLogger) }
    if case .rule(let index) = places.newTracker { result.newTracker = Int(shares[index].newTracker) }
    return result
  }

  /// The place that decides each flag of an event: the first rule that matches and sets it, else the top level.
  @inline(__always)
  func places(for eventName: String, matches: (Int) -> Bool) -> FlagPlaces {
    var places = FlagPlaces()
    var open = FlagSet.both
    for position in events.candidateRange(for: eventName) {
      let index = Int(events.candidates[position])
      let decided = flags(ofRule: index).intersection(open)
      guard !decided.isEmpty, matches(index) else { continue }
      if decided.contains(.oldLogger) { places.oldLogger = .rule(index) }
      if decided.contains(.newTracker) { places.newTracker = .rule(index) }
      open.subtract(decided)
      if open.isEmpty { break }
    }
    return places
  }

  /// Decides for a subject, which may belong to another snapshot.
  ///
  /// Not inlined: a call through an optional then does not retain the rollout, which would take a third of the time.
  @inline(never)
  func decision(for eventName: String, subject: RolloutSubject) -> SinkDecision {
    guard subject.owner === self else { return decision(for: eventName, context: subject.context) }
    return decision(places(for: eventName) { subject.matches(rule: $0) }, bucket: subject.bucket)
  }

  func decision(for eventName: String, context: DecisionContext) -> SinkDecision {
    decision(
      places(for: eventName, context: context), bucket: context.unitID.map { bucketing.bucket(of: $0) })
  }

  package func places(for eventName: String, context: DecisionContext) -> FlagPlaces {
    places(for: eventName) { conditions[$0].hold(for: context) }
  }

  /// The decision of two places for a bucket; without one, that of an event without a unit.
  @inline(__always)
  public func decision(_ places: FlagPlaces, bucket: RolloutBucket?) -> SinkDecision {
    let shares = shares(places)
    let outcome: SinkDecision.Outcome
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
}

/// The shares that a rule sets, in buckets; -1 for a flag that it does not set.
struct RuleShares: Sendable {
  let oldLogger: Int32
  let newTracker: Int32

  init(oldLogger: Int?, newTracker: Int?) {
    self.oldLogger = Int32(oldLogger ?? -1)
    self.newTracker = Int32(newTracker ?? -1)
  }

  init(oldLogger: Int32, newTracker: Int32) {
    self.oldLogger = oldLogger
    self.newTracker = newTracker
  }

  var flags: FlagSet {
    FlagSet(rawValue: (oldLogger < 0 ? 0 : 1) | (newTracker < 0 ? 0 : 2))
  }
}
