import DualSendCore
import DualSendRollout
import DualSendTracking
import Logging

/// Decides the route of events. Caches the state shared by the decisions for the last unit and rollout.
final class EventRouter: Sendable {
  private struct State: Sendable {
    var context: DecisionContext
    /// Counts the changes of the context.
    var generation = 0
    /// The subject for the last unit and rollout.
    var subject: RolloutSubject
    /// Whether that unit is in the observed sample.
    var isInSample = false
    /// Whether the breaker keeps events from the new side.
    var isBreakerOpen = false
    /// How many events had no unit where a share decides; `nil` after one with a unit, or when that was said.
    var withoutUnit: Int? = 0
  }

  /// After how many events that an adapter begins with it says that none has a unit.
  private static let eventsWithoutUnit = 100

  private let source: any RolloutSource
  private let unitID: @Sendable () -> String?
  private let sampling: ParitySampling?
  private let breaker: DualSendTracker.Breaker?
  private let logger: Logger
  private let state: Locked<State>

  init(
    _ source: any RolloutSource, context: DecisionContext, unitID: @escaping @Sendable () -> String?,
    sampling: ParitySampling? = nil, breaker: DualSendTracker.Breaker? = nil,
    logger: Logger = Logger(label: "dualsend.adapter")
  ) {
    self.source = source
    self.logger = logger
    self.unitID = unitID
    self.sampling = sampling
    self.breaker = breaker
    let snapshot = source.snapshot
    state = Locked(
      State(
        context: context, subject: snapshot.subject(context.with(unitID: nil)),
        isBreakerOpen: breaker?.isBreakerOpen(at: snapshot.revision) ?? false))
  }

  func route(for name: String) -> EventRoute {
    route(for: name, unitID: unitID())
  }

  func route(for name: String, unitID: String?) -> EventRoute {
    // Otherwise all who have an empty one would share a bucket.
    let unitID = unitID?.isEmpty == true ? nil : unitID
    let snapshot = source.snapshot
    let (subject, isInSample, isBreakerOpen, withoutUnit) = state.withLock { state in
      (state.subject, state.isInSample, state.isBreakerOpen, state.withoutUnit)
    }
    guard subject.belongs(to: snapshot), subject.isAbout(unitID) else {
      return route(for: name, newUnit: unitID, snapshot)
    }
    let route = EventRoute(snapshot, subject, event: name, isInSample: isInSample, isBreakerOpen: isBreakerOpen)
    if withoutUnit != nil, unitID == nil, route.decision.isWithoutUnit { noteWithoutUnit() }
    return route
  }

  private func noteWithoutUnit() {
    let isTime = state.withLock { state in
      guard let count = state.withoutUnit else { return false }
      state.withoutUnit = count + 1 < Self.eventsWithoutUnit ? count + 1 : nil
      return state.withoutUnit == nil
    }
    guard isTime else { return }
    logger.warning(
      "the first \(Self.eventsWithoutUnit) events have no unit, so `missingUnit` decides and no share does: see `unitID`"
    )
  }

  /// Makes and caches a subject for a new unit or rollout, unless the context has changed meanwhile.
  private func route(for name: String, newUnit unitID: String?, _ snapshot: RolloutSnapshot) -> EventRoute {
    let (context, generation) = state.withLock { ($0.context, $0.generation) }
    let subject = snapshot.subject(context.with(unitID: unitID))
    let isInSample = unitID.map { sampling?.includes(unitID: $0) ?? false } ?? false
    let isBreakerOpen = breaker?.isBreakerOpen(at: snapshot.revision) ?? false
    state.withLock { state in
      guard state.generation == generation else { return }
      state.isBreakerOpen = isBreakerOpen
      if unitID != nil { state.withoutUnit = nil }
      state.subject = subject
      state.isInSample = isInSample
    }
    return EventRoute(snapshot, subject, event: name, isInSample: isInSample, isBreakerOpen: isBreakerOpen)
  }

  /// Applies the breaker's new state. Decisions that are being made meanwhile are not cached.
  func breakerChanged() {
    state.withLock { state in
      state.generation += 1
      // Read under the lock, so that the newest answer is kept. The breaker calls the router without holding its own lock.
      state.isBreakerOpen = breaker?.opening != nil
    }
  }

  func set(_ context: DecisionContext) {
    let snapshot = source.snapshot
    state.withLock { state in
      state.context = context
      state.generation += 1
      state.subject = snapshot.subject(context.with(unitID: state.subject.context.unitID))
    }
  }
}

extension RolloutSubject {
  /// Whether it is about this unit. Compares bytes, because they determine the bucket.
  fileprivate func isAbout(_ unitID: String?) -> Bool {
    switch (context.unitID, unitID) {
    case (nil, nil): true
    case (let known?, let asked?): known.isExactly(asked)
    default: false
    }
  }
}

extension DecisionContext {
  fileprivate func with(unitID: String?) -> DecisionContext {
    var context = self
    context.unitID = unitID
    return context
  }
}

// MARK: - Event route

struct EventRoute: Sendable {
  /// What is needed to decide about sinks that the document names.
  struct Narrowing: Sendable {
    let snapshot: RolloutSnapshot
    let subject: RolloutSubject
    let event: String
  }

  /// The sides that receive it.
  let decision: SinkDecision
  /// The revision that decided; `nil` for plain booleans.
  let revision: Int64?
  /// Whether its unit is in the observed sample.
  let isInSample: Bool
  /// `nil` if every sink follows its side's flag.
  let narrowing: Narrowing?

  init(_ snapshot: RolloutSnapshot, _ subject: RolloutSubject, event: String, isInSample: Bool, isBreakerOpen: Bool) {
    let decided = snapshot.decision(for: event, subject: subject)
    decision = isBreakerOpen ? decided.withOpenBreaker : decided
    revision = snapshot.revision
    self.isInSample = isInSample
    narrowing = snapshot.namesSinks ? Narrowing(snapshot: snapshot, subject: subject, event: event) : nil
  }

  /// Whether the breaker gives the old logger what the new side would get, so also an event for the new tracker alone.
  var isForOldLoggerInstead: Bool { decision.newTrackerReason == .breaker }

  /// Whether to observe the pair of events, which requires both sides.
  var isObserved: Bool { isInSample && decision.outcome == .both }

  /// The sinks that may receive the event.
  var selection: SinkSelection {
    let (original, new) = (decision.outcome.includes(.old), decision.outcome.includes(.new))
    guard let narrowing else { return SinkSelection(original: original, new: new) }
    return SinkSelection(original: original, new: new) { [decision] sink, form in
      narrowing.snapshot.receives(
        sink.rawValue, on: form == .new ? .new : .old, event: narrowing.event, subject: narrowing.subject,
        decision: decision)
    }
  }
}
