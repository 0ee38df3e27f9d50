import DualSendCore

/// A document at one time, compiled for fast decisions. Immutable. A class, so that a subject can compare it by identity.
package final class CompiledRollout: Sendable {
  /// The document.
  package let document: RolloutDocument
  /// The time at which schedules were evaluated, in milliseconds since 1970-01-01T00:00:00Z; `nil` for before all of them.
  package let time: Int64?
  /// Whether any share depends on the time.
  let hasSchedules: Bool
  private let events: EventIndex
  /// The conditions of each rule.
  let conditions: [[ContextCondition]]
  /// Assigns units to buckets with the document's salt.
  package let bucketing: RolloutBucketing
  private let missingUnit: SinkDecision.Outcome
  private let topLevel: RuleShares
  /// The shares of each rule.
  private let shares: [RuleShares]
  /// The named sinks, sorted.
  private let sinks: [CompiledSink]
  /// Stored, because it is read for each event.
  let namesSinks: Bool

  /// Compiles a document for a time.
  package init(_ document: RolloutDocument, at time: Int64?) {
    self.document = document
    self.time = time
    hasSchedules = document.hasSchedules
    let conditions = document.rules.map(\.match.conditions)
    let shares = document.rules.map { rule in
      RuleShares(
        oldLogger: rule.shouldSendLogToOldLogger?.percentage(at: time)?.thousandths,
        newTracker: rule.shouldSendLogToNewTracker?.percentage(at: time)?.thousandths)
    }
    events = EventIndex(
      document.rules.indices.map { index in
        EventIndex.Rule(
          events: document.rules[index].match.events, flags: shares[index].flags,
          isUnconditional: conditions[index].isEmpty)
      })
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

  /// The compiled document of a snapshot; `nil` if plain booleans are in force.
  package static func of(_ snapshot: RolloutSnapshot) -> CompiledRollout? { snapshot.compiled }

  /// A snapshot that decides by this document.
  package var snapshot: RolloutSnapshot { RolloutSnapshot(self) }

  /// The number of entries of all indexes, which bounds the work of compiling the document.
  package var size: Int { sinks.reduce(events.size) { $0 + $1.events.size } }

  // MARK: - The two flags

  /// The flags that a rule sets at this time.
  package func flags(ofRule index: Int) -> FlagSet {
    shares[index].flags
  }

  /// The shares that two places set; negative for a flag that its place does not set.
  package func shares(_ places: FlagPlaces) -> FlagShares {
    var result = FlagShares(oldLogger: Int(topLevel.oldLogger), newTracker: Int(topLevel.newTracker))
    if case .rule(let index) = places.oldLogger { result.oldLogger = Int(shares[index].oldLogger) }
    if case .rule(let index) = places.newTracker { result.newTracker = Int(shares[index].newTracker) }
    return result
  }

  /// The place that decides each flag of an event: the first rule that matches and sets it, else the top level.
  @inline(__always)
  private func places(for eventName: String, matches: (Int) -> Bool) -> FlagPlaces {
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

  /// The place that decides each flag of an event in a context.
  package func places(for eventName: String, context: DecisionContext) -> FlagPlaces {
    places(for: eventName) { conditions[$0].hold(for: context) }
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

  /// The decision of two places for a bucket; without one, that of an event without a unit.
  @inline(__always)
  package func decision(_ places: FlagPlaces, bucket: RolloutBucket?) -> SinkDecision {
    let shares = shares(places)
    let outcome: SinkDecision.Outcome
    if let bucket {
      outcome = shares.sinks(in: bucket)
    } else if shares.needNoBucket {
      outcome = shares.sinks(in: .first)
    } else {
      return SinkDecision(missingUnit, bucket: nil, oldLogger: .missingUnit, newTracker: .missingUnit)
    }
    let newTracker = places.newTracker.reason
    if outcome == .neither, !allowsNeither(places) {
      return SinkDecision(.oldOnly, bucket: bucket, oldLogger: .noSink, newTracker: newTracker)
    }
    return SinkDecision(outcome, bucket: bucket, oldLogger: places.oldLogger.reason, newTracker: newTracker)
  }

  /// The shares by which units are decided: where the document gives a unit neither sink and does not allow that, the old
  /// logger has it.
  package func decidedShares(_ places: FlagPlaces) -> FlagShares {
    var shares = shares(places)
    if !allowsNeither(places) { shares.oldLogger = max(shares.oldLogger, RolloutBucket.count - shares.newTracker) }
    return shares
  }

  @inline(never)
  private func allowsNeither(_ places: FlagPlaces) -> Bool {
    document.allowsNeither(at: places.oldLogger) || document.allowsNeither(at: places.newTracker)
  }

  // MARK: - Named sinks

  /// The compiled shares of a sink; `nil` if the document does not name it.
  func sink(_ id: String, on side: RolloutSide) -> CompiledSink? {
    sinks.first { $0.sink.isNamed(id, on: side) }
  }

  /// Whether a sink receives a decided event: its side receives it, and the unit is in the sink's share.
  ///
  /// Not inlined, to keep the path of documents without sinks short.
  @inline(never)
  func receives(
    _ id: String, on side: RolloutSide, event: String, subject: RolloutSubject, decision: SinkDecision
  ) -> Bool {
    guard decision.outcome.includes(side) else { return false }
    guard let sink = sink(id, on: side) else { return true }
    let isOwn = subject.owner === self
    let share = sink.share(for: event) {
      isOwn ? subject.matches(rule: $0) : conditions[$0].hold(for: subject.context)
    }
    return CompiledSink.holds(share.buckets, on: side, bucket: decision.bucket)
  }

  /// The place that decides about a named sink, and its share in buckets; `nil` if the document does not name the sink.
  package func share(
    ofSink id: String, on side: RolloutSide, event: String, context: DecisionContext
  ) -> (place: FlagPlace, buckets: Int)? {
    sink(id, on: side)?.share(for: event) { conditions[$0].hold(for: context) }
  }
}

/// The shares that a rule sets, in buckets; -1 for a flag that it does not set.
private struct RuleShares: Sendable {
  let oldLogger: Int32
  let newTracker: Int32

  init(oldLogger: Int?, newTracker: Int?) {
    self.oldLogger = Int32(oldLogger ?? -1)
    self.newTracker = Int32(newTracker ?? -1)
  }

  var flags: FlagSet {
    FlagSet(rawValue: (oldLogger < 0 ? 0 : 1) | (newTracker < 0 ? 0 : 2))
  }
}

/// The shares of one sink at one time, compiled for fast decisions.
///
/// Indexes only the rules that narrow this sink, so that sinks do not slow down the decision of the flags. A class, so that
/// a lookup retains one reference instead of one for each array.
final class CompiledSink: Sendable {
  let sink: RolloutSink
  /// The top level's share, in buckets.
  private let topLevel: Int32
  /// Maps an event's name to positions in ``rules``.
  let events: EventIndex
  /// The rules that narrow the sink at this time, by their positions in the document, in order.
  private let rules: [Int32]
  /// The share of each rule in ``rules``, in buckets.
  private let shares: [Int32]

  init(
    _ share: RolloutSinkShare, in document: RolloutDocument, _ conditions: [[ContextCondition]], at time: Int64?
  ) {
    var rules: [Int32] = []
    var shares: [Int32] = []
    var indexed: [EventIndex.Rule] = []
    for (index, rule) in document.rules.enumerated() {
      // A schedule before its first step does not set the share, so later rules decide.
      guard let percentage = rule.sinks.flag(of: share.sink)?.percentage(at: time) else { continue }
      rules.append(Int32(index))
      shares.append(Int32(percentage.thousandths))
      indexed.append(
        EventIndex.Rule(events: rule.match.events, flags: .sink, isUnconditional: conditions[index].isEmpty))
    }
    sink = share.sink
    topLevel = Int32(share.flag.percentage(at: time)?.thousandths ?? RolloutBucket.count)
    events = EventIndex(indexed)
    self.rules = rules
    self.shares = shares
  }

  /// The place that decides about an event, and its share in buckets: the first rule that matches, else the top level.
  @inline(__always)
  func share(for eventName: String, matches: (Int) -> Bool) -> (place: FlagPlace, buckets: Int) {
    for position in events.candidateRange(for: eventName) {
      let index = Int(events.candidates[position])
      let rule = Int(rules[index])
      if matches(rule) { return (.rule(rule), Int(shares[index])) }
    }
    return (.topLevel, Int(topLevel))
  }

  /// Whether a share includes a unit, without regard to the side's flag.
  ///
  /// - Parameters:
  ///   - share: the share, in buckets.
  ///   - side: the side of the sink.
  ///   - bucket: the unit's bucket; without one, only a share of 100 % receives.
  @inline(__always)
  static func holds(_ share: Int, on side: RolloutSide, bucket: Int?) -> Bool {
    guard let bucket else { return share == RolloutBucket.count }
    switch side {
    case .old: return bucket >= RolloutBucket.count - share
    case .new: return bucket < share
    }
  }
}

// MARK: - Flag place

/// The part of a document that decides a flag.
package enum FlagPlace: Hashable, Sendable {
  /// The document's top level.
  case topLevel
  /// The rule at this position, counted from 0.
  case rule(Int)

  /// The place as the reason of a decision.
  package var reason: SinkDecision.Reason {
    switch self {
    case .topLevel: .topLevel
    case .rule(let index): .rule(index)
    }
  }
}

/// The places that decide the two flags.
package struct FlagPlaces: Hashable, Sendable {
  /// The place that decides about the old logger.
  package var oldLogger: FlagPlace
  /// The place that decides about the new tracker.
  package var newTracker: FlagPlace

  /// Creates places; the top level decides by default.
  package init(oldLogger: FlagPlace = .topLevel, newTracker: FlagPlace = .topLevel) {
    self.oldLogger = oldLogger
    self.newTracker = newTracker
  }
}

/// The shares in force for each of the two flags, as numbers of buckets.
package struct FlagShares: Hashable, Sendable {
  /// Buckets that keep the old logger.
  package internal(set) var oldLogger: Int
  /// Buckets that have the new tracker.
  package internal(set) var newTracker: Int

  /// The lowest bucket that has the old logger.
  package var oldThreshold: Int { RolloutBucket.count - oldLogger }
  /// The lowest bucket that does not have the new tracker.
  package var newThreshold: Int { newTracker }

  /// Whether both flags are 0 % or 100 %, so that every bucket has the same outcome.
  var needNoBucket: Bool {
    (oldLogger == 0 || oldLogger == RolloutBucket.count) && (newTracker == 0 || newTracker == RolloutBucket.count)
  }

  func sinks(in bucket: RolloutBucket) -> SinkDecision.Outcome {
    SinkDecision.Outcome(oldLogger: bucket.index >= oldThreshold, newTracker: bucket.index < newThreshold)
  }
}

/// A set of flags that rules decide: the two flags and one sink's share, of one document or of two that are compared.
package struct FlagSet: OptionSet, Hashable, Sendable {
  /// One bit for each flag.
  package let rawValue: UInt8

  /// Creates a set from its bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `shouldSendLogToOldLogger`.
  package static let oldLogger = FlagSet(rawValue: 1)
  /// `shouldSendLogToNewTracker`.
  package static let newTracker = FlagSet(rawValue: 2)
  /// The share of the named sink under examination.
  package static let sink = FlagSet(rawValue: 4)
  /// Both flags of one document.
  package static let both: FlagSet = [.oldLogger, .newTracker]
}
