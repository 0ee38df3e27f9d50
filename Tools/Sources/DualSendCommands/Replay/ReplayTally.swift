import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout
@_spi(Tools) import DualSendTracking

/// What became of the events of one old name.
struct ReplayCounts: Sendable, Hashable {
  var seen = 0
  var outcomes: [SinkDecision.Outcome: Int] = [:]
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
final class ReplayTally: Sendable {
  private struct State: Sendable {
    var counts: [ExactText: ReplayCounts] = [:]
    /// The old names of the events that are on their way to the collector.
    var waiting: [EventID: String] = [:]
    /// The old names of the dead letters: the tracker may put them back.
    var refused: [EventID: String] = [:]
    var storeFailure: TrackingStoreError?
    var isDatabaseSetAside = false
  }

  private let state = Locked(State())

  /// Counts a line that was sent.
  func sent(_ event: LegacyEvent, _ decision: SinkDecision) {
    state.withLock { state in
      let name = ExactText(event.name)
      state.counts[name, default: ReplayCounts()].seen += 1
      state.counts[name, default: ReplayCounts()].outcomes[decision.outcome, default: 0] += 1
    }
  }

  /// Notes the old name of an event before it is handed to the tracker.
  func expect(_ id: EventID, name: String) {
    state.withLock { $0.waiting[id] = name }
  }

  /// Forgets an event that was not for the tracker after all.
  func dismiss(_ id: EventID) {
    state.withLock { _ = $0.waiting.removeValue(forKey: id) }
  }

  func observe(_ outcome: TrackingOutcome) {
    switch outcome {
    case .delivered(let events): settle(events.map(\.id)) { $0.delivered += 1 }
    case .deadLettered(let event, _):
      state.withLock { state in state.refused[event.id] = state.waiting[event.id] }
      settle([event.id]) { $0.deadLettered += 1 }
    case .stored(let events): putBack(events.map(\.id))
    case .storeFailed(let error): state.withLock { $0.storeFailure = error }
    case .databaseSetAside: state.withLock { $0.isDatabaseSetAside = true }
    default: break
    }
  }

  private func putBack(_ ids: [EventID]) {
    state.withLock { state in
      guard !state.refused.isEmpty else { return }
      for id in ids {
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

  private func settle(_ ids: [EventID], _ count: (inout ReplayCounts) -> Void) {
    state.withLock { state in
      for id in ids {
        guard let name = state.waiting.removeValue(forKey: id) else { continue }
        count(&state.counts[ExactText(name), default: ReplayCounts()])
      }
    }
  }

  /// The counts by old name; what is still on its way counts as pending.
  var counts: [ExactText: ReplayCounts] {
    let state = state.current
    var counts = state.counts
    for name in state.waiting.values { counts[ExactText(name), default: ReplayCounts()].pending += 1 }
    return counts
  }
}
