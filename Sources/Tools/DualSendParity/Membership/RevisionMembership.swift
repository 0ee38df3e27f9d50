import DualSendCore
import DualSendRollout

/// The membership of events under one revision of a rollout.
struct RevisionMembership: Sendable {
  let revision: Int64
  /// When it was published, in milliseconds since 1970; `nil` for before all events.
  let since: Int64?
  private let document: RolloutDocument
  /// The document at a fixed time, or before all steps of its schedules.
  private let first: RolloutSnapshot
  /// The document after each step of its schedules, with the time of the step; the last step first.
  private let later: [(start: Int64, snapshot: RolloutSnapshot)]
  private let namedUnits: [String]

  /// - Parameter time: a fixed time for schedules, in milliseconds since 1970; `nil` for each event's own time.
  init(_ published: PublishedRollout, at time: Int64?) {
    document = published.document
    since = published.since
    revision = document.revision
    first = RolloutSnapshot(document, at: time)
    let changes = time == nil ? document.changeTimes : []
    later = changes.reversed().map { [document] in (start: $0, snapshot: RolloutSnapshot(document, at: $0)) }
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }).sorted()
  }

  /// The membership of an event with one of these names.
  ///
  /// - Parameter time: in milliseconds since 1970; `nil` for before all steps of schedules.
  func membership(
    of names: [String], unit: RolloutMembership.Unit, time: Int64?, _ context: DecisionContext
  ) -> EventMembership {
    let snapshot = later.first { $0.start <= time ?? .min }?.snapshot ?? first
    return EventMembership(
      names.flatMap { outcomes(for: $0, unit, context, snapshot).map { EventMembership($0) } }, source: .document)
  }

  /// Whether an app with this revision can have made a decision.
  ///
  /// Considers all steps of schedules, because the device's clock is unknown.
  ///
  /// - Parameter context: the known context of the app. If a rule depends on anything else, any decision is possible.
  func canDecide(
    _ decision: CarriedDecision, for names: [String], unit: RolloutMembership.Unit, _ context: DecisionContext
  ) -> Bool {
    if names.contains(where: { asksForMore(than: context, about: $0) }) { return true }
    let unit = decision.reason == .missingUnit ? .known(nil) : unit
    let possible = Set(
      names.flatMap { name in
        ([first] + later.map(\.snapshot)).flatMap { outcomes(for: name, unit, context, $0) }
      })
    return possible.contains { outcome in
      let decided = SinkDecision.Outcome(oldLogger: decision.oldLogger, newTracker: decision.newTracker)
      switch decision.reason {
      case nil, .missingUnit?: return outcome == decided
      // A breaker only changes events that the new tracker would have received.
      case .breaker?: return !decision.newTracker && outcome.includesNewTracker
      // A call that names its sinks can only remove some. A reason of a later version may do the same.
      default:
        return (outcome.includesOldLogger || !decision.oldLogger)
          && (outcome.includesNewTracker || !decision.newTracker)
      }
    }
  }

  /// The possible outcomes for the event's unit. If it is unknown: for all units, and for no unit.
  private func outcomes(
    for name: String, _ unit: RolloutMembership.Unit, _ context: DecisionContext, _ snapshot: RolloutSnapshot
  ) -> [SinkDecision.Outcome] {
    var context = context
    func outcome(of unitID: String?) -> SinkDecision.Outcome {
      context.unitID = unitID
      return snapshot.decision(for: name, context: context).outcome
    }
    if case .known(let unitID) = unit { return [outcome(of: unitID)] }
    guard let rollout = CompiledRollout.of(snapshot) else { return [outcome(of: nil)] }
    let places = rollout.places(for: name, context: context)
    let shares = rollout.shares(places)
    // The first buckets of all stretches with one outcome.
    let anyUnit = [0, shares.newThreshold, shares.oldThreshold].compactMap(RolloutBucket.init)
      .map { rollout.decision(places, bucket: $0).outcome }
    return anyUnit + ([nil] + namedUnits).map(outcome)
  }

  /// Whether a rule that can match the event has a condition on an unknown property.
  private func asksForMore(than context: DecisionContext, about name: String) -> Bool {
    document.rules.map(\.match).contains { match in
      match.covers(name)
        && match.conditions.contains { $0.key != .property(.unitID) && context[$0.key] == nil }
    }
  }
}
