import DualSendCore
import DualSendRollout

/// Where one revision of a rollout sends events.
struct RevisionMembership: Sendable {
  let revision: Int64
  /// When apps could first get it, in milliseconds since 1970; `nil` if it was there before any event.
  let since: Int64?
  private let document: RolloutDocument
  /// The document at the one time, or before any step of its schedules.
  private let first: RolloutSnapshot
  /// The document after each step, and since when it holds; the last step first.
  private let later: [(start: Int64, snapshot: RolloutSnapshot)]
  private let namedUnits: [String]

  /// - Parameter time: reads schedules at one time, in milliseconds since 1970; `nil` reads them at each event's own.
  init(_ published: PublishedRollout, at time: Int64?) {
    document = published.document
    since = published.since
    revision = document.revision
    first = RolloutSnapshot(document, at: time)
    let changes = time == nil ? document.changeTimes : []
    later = changes.reversed().map { [document] in (start: $0, snapshot: RolloutSnapshot(document, at: $0)) }
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }).sorted()
  }

  /// Where the revision can send an event that it knows by one of these names.
  ///
  /// - Parameter time: milliseconds since 1970; `nil` is before any step of a schedule.
  func membership(
    of names: [String], unit: RolloutMembership.Unit, time: Int64?, _ context: DecisionContext
  ) -> EventMembership {
    let snapshot = later.first { $0.start <= time ?? .min }?.snapshot ?? first
    return EventMembership(
      names.flatMap { outcomes(for: $0, unit, context, snapshot).map { EventMembership($0) } }, source: .document)
  }

  /// Whether an app with this revision can have decided what a stamp says.
  ///
  /// Schedules follow a clock that the event does not show, so every step of theirs counts.
  ///
  /// - Parameter context: what is known about the app. Where a rule asks for more, any decision is possible.
  func canDecide(
    _ stamp: DecisionStamp, for names: [String], unit: RolloutMembership.Unit, _ context: DecisionContext
  ) -> Bool {
    if names.contains(where: { asksForMore(than: context, about: $0) }) { return true }
    let unit = stamp.reason == .missingUnit ? .known(nil) : unit
    let possible = Set(
      names.flatMap { name in
        ([first] + later.map(\.snapshot)).flatMap { outcomes(for: name, unit, context, $0) }
      })
    return possible.contains { outcome in
      let decided = SinkDecision.Outcome(oldLogger: stamp.oldLogger, newTracker: stamp.newTracker)
      switch stamp.reason {
      case nil, .missingUnit?: return outcome == decided
      // A breaker decides only about events that the new tracker would have got.
      case .breaker?: return !stamp.newTracker && outcome.includesNewTracker
      // A call that names its sinks can only take some away; so may a reason of a later version.
      default:
        return (outcome.includesOldLogger || !stamp.oldLogger) && (outcome.includesNewTracker || !stamp.newTracker)
      }
    }
  }

  /// Every outcome that the event's unit can have; every unit's, and that of none, if it is not known.
  private func outcomes(
    for name: String, _ unit: RolloutMembership.Unit, _ context: DecisionContext, _ snapshot: RolloutSnapshot
  ) -> [SinkDecision.Outcome] {
    var context = context
    func outcome(of unitID: String?) -> SinkDecision.Outcome {
      context.unitID = unitID
      return snapshot.decision(for: name, context: context).outcome
    }
    if case .known(let unitID) = unit { return [outcome(of: unitID)] }
    let intervals = snapshot.expectation(for: name, context: context)
    let anyUnit = SinkDecision.Outcome.allCases.filter { !(intervals?.buckets(of: $0).isEmpty ?? true) }
    return anyUnit + ([nil] + namedUnits).map(outcome)
  }

  /// Whether a rule that can match the event asks for something about the app that is not known.
  private func asksForMore(than context: DecisionContext, about name: String) -> Bool {
    document.rules.map(\.match).contains { match in
      match.covers(name)
        && match.conditions.contains { $0.key != .property(.unitID) && context[$0.key] == nil }
    }
  }
}
