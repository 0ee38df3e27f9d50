import DualSendCore

/// The rollout in force and where its fetcher stands: the one place that holds either, readable from any thread.
///
/// Written by the fetcher alone, so that what it reads here has not changed when it writes.
final class CurrentRollout: Sendable {
  private struct State: Sendable {
    var rollout: VerifiedRollout
    var status: RemoteConfigFetcher.Status
  }

  private let state: Locked<State>
  private let changes: Multicast<RolloutSnapshot>

  init(_ rollout: VerifiedRollout) {
    changes = Multicast(current: rollout.snapshot)
    state = Locked(State(rollout: rollout, status: RemoteConfigFetcher.Status(of: rollout)))
  }

  var rollout: VerifiedRollout { state.withLock { $0.rollout } }
  var snapshot: RolloutSnapshot { state.withLock { $0.rollout.snapshot } }
  var status: RemoteConfigFetcher.Status { state.withLock { $0.status } }

  /// Puts a rollout in force, and tells everybody once the lock is released.
  func put(_ rollout: VerifiedRollout) {
    state.withLock { state in
      state.rollout = rollout
      state.status.adopt(rollout)
    }
    changes.send(rollout.snapshot)
  }

  /// Notes that the source of the rollout in force holds it now, be it in other bytes or with another signature.
  func confirm(_ text: VerifiedRollout.Text?) {
    state.withLock { state in
      state.rollout.text = text
      state.rollout.source = .fresh
      state.status.adopt(state.rollout)
    }
  }

  func updateStatus(_ change: (inout RemoteConfigFetcher.Status) -> Void) {
    state.withLock { change(&$0.status) }
  }

  /// The snapshot in force and every later one. Whoever is slow gets the newest only.
  func snapshots() -> AsyncStream<RolloutSnapshot> {
    changes.stream()
  }
}
