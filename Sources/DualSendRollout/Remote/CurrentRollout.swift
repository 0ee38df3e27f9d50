@_spi(Tools) import DualSendCore

/// What is in force, readable from any thread, and who wants to hear of changes.
final class CurrentRollout: Sendable {
  private struct State: Sendable {
    var snapshot: RolloutSnapshot
    var status: RemoteConfigFetcher.Status
    var watchers: [Int: AsyncStream<RolloutSnapshot>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let state: Locked<State>

  init(_ snapshot: RolloutSnapshot, _ status: RemoteConfigFetcher.Status) {
    state = Locked(State(snapshot: snapshot, status: status))
  }

  deinit {
    for watcher in state.current.watchers.values { watcher.finish() }
  }

  var snapshot: RolloutSnapshot { state.withLock { $0.snapshot } }
  var status: RemoteConfigFetcher.Status { state.withLock { $0.status } }

  /// Puts a snapshot in force, and tells everybody once the lock is released.
  func publish(_ snapshot: RolloutSnapshot, _ status: RemoteConfigFetcher.Status) {
    let watchers = state.withLock { state in
      state.snapshot = snapshot
      state.status = status
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield(snapshot) }
  }

  func set(_ status: RemoteConfigFetcher.Status) {
    state.withLock { $0.status = status }
  }

  /// The snapshot in force and every later one. Whoever is slow gets the newest only.
  func snapshots() -> AsyncStream<RolloutSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: RolloutSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = continuation
      // Under the lock, so that no newer one can come before it. Nobody reads the stream yet, so nothing is called out.
      continuation.yield(state.snapshot)
      return state.nextWatcher
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers[number] = nil } }
    return stream
  }
}
