import Platform
import Rollout

/// The one snapshot that decides, and the context it decides for.
///
/// An event's lock covers the copy of a few references; its decision is made after the release.
final class RolloutInForce: Sendable {
  private struct State: Sendable {
    var snapshot: RolloutSnapshot
    var context: DecisionContext
    /// Made for the unit that was asked for last.
    var subject: RolloutSubject
    /// Counts the changes of snapshot and context.
    var generation = 0
  }

  private let unitID: @Sendable () -> String?
  private let state: Locked<State>

  init(_ snapshot: RolloutSnapshot, context: DecisionContext, unitID: @escaping @Sendable () -> String?) {
    self.unitID = unitID
    state = Locked(State(snapshot: snapshot, context: context, subject: snapshot.subject(context.with(unitID: nil))))
  }

  var snapshot: RolloutSnapshot { state.withLock { $0.snapshot } }

  func decision(for name: String) -> SinkDecision {
    decision(for: name, unitID: unitID())
  }

  func decision(for name: String, unitID: String?) -> SinkDecision {
    let (snapshot, subject) = state.withLock { ($0.snapshot, $0.subject) }
    if subject.context.unitID == unitID { return snapshot.decision(for: name, subject: subject) }
    return decision(for: name, newUnit: unitID)
  }

  /// Makes a subject for a unit that was not asked for before, and keeps it if nothing changed meanwhile.
  private func decision(for name: String, newUnit unitID: String?) -> SinkDecision {
    let (snapshot, context, generation) = state.withLock { ($0.snapshot, $0.context, $0.generation) }
    let subject = snapshot.subject(context.with(unitID: unitID))
    state.withLock { state in
      if state.generation == generation { state.subject = subject }
    }
    return snapshot.decision(for: name, subject: subject)
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
