import DualSendCore
import DualSendRollout

/// Decides which way an event goes. What is in force is the source's to say; this keeps only what the decisions for the
/// unit that was asked for last have in common.
final class EventRouter: Sendable {
  private struct State: Sendable {
    var context: DecisionContext
    /// Counts the changes of the context.
    var generation = 0
    /// Made for the unit and the rollout that were asked for last.
    var subject: RolloutSubject
    /// Whether that unit's pairs are observed.
    var isInSample = false
  }

  private let source: any RolloutSource
  private let unitID: @Sendable () -> String?
  private let sampling: ParitySampling?
  private let state: Locked<State>

  init(
    _ source: any RolloutSource, context: DecisionContext, unitID: @escaping @Sendable () -> String?,
    sampling: ParitySampling? = nil
  ) {
    self.source = source
    self.unitID = unitID
    self.sampling = sampling
    state = Locked(State(context: context, subject: source.snapshot.subject(context.with(unitID: nil))))
  }

  func route(for name: String) -> EventRoute {
    route(for: name, unitID: unitID())
  }

  func route(for name: String, unitID: String?) -> EventRoute {
    let snapshot = source.snapshot
    let (subject, isInSample) = state.withLock { ($0.subject, $0.isInSample) }
    guard subject.belongs(to: snapshot), subject.isAbout(unitID) else {
      return route(for: name, newUnit: unitID, snapshot)
    }
    return EventRoute(snapshot, subject, event: name, isInSample: isInSample)
  }

  /// Makes a subject for a unit or a rollout that was not asked for before, and keeps it if the context is still the same.
  private func route(for name: String, newUnit unitID: String?, _ snapshot: RolloutSnapshot) -> EventRoute {
    let (context, generation) = state.withLock { ($0.context, $0.generation) }
    let subject = snapshot.subject(context.with(unitID: unitID))
    let isInSample = unitID.map { sampling?.includes(unitID: $0) ?? false } ?? false
    state.withLock { state in
      guard state.generation == generation else { return }
      state.subject = subject
      state.isInSample = isInSample
    }
    return EventRoute(snapshot, subject, event: name, isInSample: isInSample)
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
  /// Whether it was made for this unit, byte by byte, for the bytes decide the bucket.
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
