import DualSendCore

/// The rollout in force and the status of its fetcher, readable from any thread.
///
/// Only the fetcher writes it, so its reads and writes cannot interleave with others'.
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

  /// Puts a rollout in force, and notifies readers after unlocking.
  func put(_ rollout: VerifiedRollout) {
    state.withLock { state in
      state.rollout = rollout
      state.status.adopt(rollout)
    }
    changes.send(rollout.snapshot)
  }

  /// Marks the rollout in force as current at its source, possibly with other bytes or another signature.
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

  /// The snapshot in force and every later one. A slow reader gets only the newest.
  func snapshots() -> AsyncStream<RolloutSnapshot> {
    changes.stream()
  }
}
