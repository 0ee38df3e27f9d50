import DualSend
import DualSendCore
package import DualSendRollout
package import DualSendTracking

/// The outcomes of the events of one old name.
package struct ReplayCounts: Sendable, Hashable {
  package var seen = 0
  package var outcomes: [SinkDecision.Outcome: Int] = [:]
  var delivered = 0
  var deadLettered = 0
  var pending = 0

  static func + (left: ReplayCounts, right: ReplayCounts) -> ReplayCounts {
    ReplayCounts(
      seen: left.seen + right.seen, outcomes: left.outcomes.merging(right.outcomes, uniquingKeysWith: +),
      delivered: left.delivered + right.delivered, deadLettered: left.deadLettered + right.deadLettered,
      pending: left.pending + right.pending)
  }
}

/// Counts a replay by old event name; fed by the reader of the file and by the tracker's outcomes.
package final class ReplayTally: Sendable {
  private struct State: Sendable {
    var counts: [ExactText: ReplayCounts] = [:]
    /// The old names of the undelivered events.
    var waiting: [EventID: String] = [:]
    /// The old names of the dead letters, which the tracker may put back into the queue.
    var refused: [EventID: String] = [:]
    /// The fates of events whose old names are not known yet: the tracker may send the events of an earlier run before
    /// their lines are read.
    var unnamed: [EventID: Fate] = [:]
    var storeFailure: TrackingStoreError?
    var isDatabaseSetAside = false

    mutating func settle(_ id: EventID, _ name: String, _ fate: Fate) {
      switch fate {
      case .delivered: counts[ExactText(name), default: ReplayCounts()].delivered += 1
      case .deadLettered:
        counts[ExactText(name), default: ReplayCounts()].deadLettered += 1
        refused[id] = name
      }
    }
  }

  private enum Fate: Sendable, Hashable {
    case delivered, deadLettered
  }

  private let state = Locked(State())

  package init() {}

  /// Counts a line that was sent.
  func sent(_ event: LegacyEvent, _ decision: SinkDecision) {
    state.withLock { state in
      let name = ExactText(event.name)
      state.counts[name, default: ReplayCounts()].seen += 1
      state.counts[name, default: ReplayCounts()].outcomes[decision.outcome, default: 0] += 1
    }
  }

  /// Notes the old name of an event that is handed to the tracker, or that the tracker has.
  func expect(_ id: EventID, name: String) {
    state.withLock { state in
      if let fate = state.unnamed.removeValue(forKey: id) {
        state.settle(id, name, fate)
      } else {
        state.waiting[id] = name
      }
    }
  }

  /// Whether an event was delivered or refused before it was expected.
  func hasSettled(_ id: EventID) -> Bool {
    state.withLock { $0.unnamed[id] != nil }
  }

  /// Forgets an event that the tracker does not get.
  func dismiss(_ id: EventID) {
    state.withLock { _ = $0.waiting.removeValue(forKey: id) }
  }

  package func observe(_ outcome: TrackingOutcome) {
    switch outcome {
    case .delivered(let events): settle(events.map(\.id), .delivered)
    case .deadLettered(let event, _): settle([event.id], .deadLettered)
    case .stored(let events): putBack(events.map(\.id))
    case .storeFailed(let error): state.withLock { $0.storeFailure = error }
    case .databaseSetAside: state.withLock { $0.isDatabaseSetAside = true }
    default: break
    }
  }

  private func putBack(_ ids: [EventID]) {
    state.withLock { state in
      guard !(state.refused.isEmpty && state.unnamed.isEmpty) else { return }
      for id in ids {
        if state.unnamed[id] == .deadLettered { state.unnamed[id] = nil }
        guard let name = state.refused.removeValue(forKey: id) else { continue }
        state.waiting[id] = name
        state.counts[ExactText(name), default: ReplayCounts()].deadLettered -= 1
      }
    }
  }

  /// Whether a damaged database was set aside.
  var isDatabaseSetAside: Bool { state.current.isDatabaseSetAside }

  /// The last failure of the tracker's store.
  var storeFailure: TrackingStoreError? { state.current.storeFailure }

  private func settle(_ ids: [EventID], _ fate: Fate) {
    state.withLock { state in
      for id in ids {
        if let name = state.waiting.removeValue(forKey: id) {
          state.settle(id, name, fate)
        } else {
          state.unnamed[id] = fate
        }
      }
    }
  }

  /// The counts by old name; undelivered events count as pending.
  var counts: [ExactText: ReplayCounts] {
    let state = state.current
    var counts = state.counts
    for name in state.waiting.values { counts[ExactText(name), default: ReplayCounts()].pending += 1 }
    return counts
  }
}
