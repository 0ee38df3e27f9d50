@_spi(Tools) import DualSendCore

/// The rollout in force and where its fetcher stands: the one place that holds either, readable from any thread.
///
/// Written by the fetcher alone, so that what it reads here has not changed when it writes.
final class CurrentRollout: Sendable {
  private struct State: Sendable {
    var rollout: VerifiedRollout
    var status: RemoteConfigFetcher.Status
    var watchers: [Int: AsyncStream<RolloutSnapshot>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let state: Locked<State>

  init(_ rollout: VerifiedRollout) {
    state = Locked(State(rollout: rollout, status: RemoteConfigFetcher.Status(of: rollout)))
  }

  deinit {
    for watcher in state.current.watchers.values { watcher.finish() }
  }

  var rollout: VerifiedRollout { state.withLock { $0.rollout } }
  var snapshot: RolloutSnapshot { state.withLock { $0.rollout.snapshot } }
  var status: RemoteConfigFetcher.Status { state.withLock { $0.status } }

  /// Puts a rollout in force, and tells everybody once the lock is released.
  func put(_ rollout: VerifiedRollout) {
    let watchers = state.withLock { state in
      state.rollout = rollout
      state.status.adopt(rollout)
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield(rollout.snapshot) }
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
    let (stream, continuation) = AsyncStream.makeStream(
      of: RolloutSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = continuation
      // Under the lock, so that no newer one can come before it. Nobody reads the stream yet, so nothing is called out.
      continuation.yield(state.rollout.snapshot)
      return state.nextWatcher
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers[number] = nil } }
    return stream
  }
}
