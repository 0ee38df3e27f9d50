@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout

/// The one snapshot that decides, and the context it decides for.
///
/// An event's lock covers the copy of a few references; its decision is made after the release. Whether a unit belongs to
/// the sample of pairs is found once for the unit, so that an event costs no more for it.
final class RolloutInForce: Sendable {
  private struct State: Sendable {
    var snapshot: RolloutSnapshot
    var context: DecisionContext
    /// Made for the unit that was asked for last.
    var subject: RolloutSubject
    /// Whether that unit's pairs are observed.
    var isInSample = false
    /// Counts the changes of snapshot and context.
    var generation = 0
  }

  private let unitID: @Sendable () -> String?
  private let sampling: ParitySampling?
  private let state: Locked<State>

  init(
    _ snapshot: RolloutSnapshot, context: DecisionContext, unitID: @escaping @Sendable () -> String?,
    sampling: ParitySampling? = nil
  ) {
    self.unitID = unitID
    self.sampling = sampling
    state = Locked(State(snapshot: snapshot, context: context, subject: snapshot.subject(context.with(unitID: nil))))
  }

  var snapshot: RolloutSnapshot { state.withLock { $0.snapshot } }

  func route(for name: String) -> EventRoute {
    route(for: name, unitID: unitID())
  }

  func route(for name: String, unitID: String?) -> EventRoute {
    let (snapshot, subject, isInSample) = state.withLock { ($0.snapshot, $0.subject, $0.isInSample) }
    guard subject.context.unitID == unitID else { return route(for: name, newUnit: unitID) }
    return EventRoute(decision: snapshot.decision(for: name, subject: subject), isInSample: isInSample)
  }

  /// Makes a subject for a unit that was not asked for before, and keeps it if nothing changed meanwhile.
  private func route(for name: String, newUnit unitID: String?) -> EventRoute {
    let (snapshot, context, generation) = state.withLock { ($0.snapshot, $0.context, $0.generation) }
    let subject = snapshot.subject(context.with(unitID: unitID))
    let isInSample = unitID.map { sampling?.includes(unitID: $0) ?? false } ?? false
    state.withLock { state in
      guard state.generation == generation else { return }
      state.subject = subject
      state.isInSample = isInSample
    }
    return EventRoute(decision: snapshot.decision(for: name, subject: subject), isInSample: isInSample)
  }

  func set(_ snapshot: RolloutSnapshot) {
    change { $0.snapshot = snapshot }
  }

  func set(_ context: DecisionContext) {
    change { $0.context = context }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      let unitID = state.subject.context.unitID
      body(&state)
      state.generation += 1
      state.subject = state.snapshot.subject(state.context.with(unitID: unitID))
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
