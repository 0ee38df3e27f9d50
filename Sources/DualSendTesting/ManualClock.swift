import Dispatch
public import DualSendCore

/// A clock that tests advance manually.
///
/// Pass ``timeSource`` to the code under test, then call ``advance(by:)``. Waits that become due end in order of their
/// times. Their continuations run concurrently, so a test must await an outcome.
public final class ManualClock: Sendable {
  private struct Sleeper: Sendable {
    let due: Duration
    /// Called once, with an error if the wait was cancelled.
    let end: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct State: Sendable {
    var uptime = Duration.seconds(1_000)
    var wallMilliseconds: Int64
    var sleepers: [Int: Sleeper] = [:]
    var cancelledBeforeSleep: Set<Int> = []
    var nextID = 0
    var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Locked<State>

  /// Creates a clock.
  ///
  /// - Parameter wallMilliseconds: the wall clock's time, by default 2026-01-01T00:00:00Z.
  public init(wallMilliseconds: Int64 = 1_767_225_600_000) {
    state = Locked(State(wallMilliseconds: wallMilliseconds))
  }

  /// The clock as a `TimeSource`.
  public var timeSource: TimeSource {
    TimeSource(
      wallMilliseconds: { self.state.withLock { $0.wallMilliseconds } },
      uptime: { self.state.withLock { $0.uptime } },
      sleep: { try await self.sleep(for: $0) },
      block: { self.block(until: $0, or: $1) }
    )
  }

  /// Advances both clocks and ends the waits that become due.
  public func advance(by duration: Duration) {
    let due = state.withLock { state -> [Sleeper] in
      state.uptime += duration
      state.wallMilliseconds += duration.inMilliseconds
      let due = state.sleepers.filter { $0.value.due <= state.uptime }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.due < $1.due }
    }
    for sleeper in due { sleeper.end(.success(())) }
  }

  /// Changes only the wall clock, as a user may, forward or back.
  public func jumpWall(by duration: Duration) {
    state.withLock { $0.wallMilliseconds += duration.inMilliseconds }
  }

  /// The remaining times of all active waits, shortest first.
  public var pendingWaits: [Duration] {
    state.withLock { state in state.sleepers.values.map { $0.due - state.uptime }.sorted() }
  }

  /// Suspends until at least this many waits are active.
  public func untilWaits(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.observers.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  private func sleep(for duration: Duration) async throws {
    let id = nextID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(id, { $0 + duration }) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func block(until due: Duration, or group: DispatchGroup) {
    let id = nextID()
    let end = DispatchSemaphore(value: 0)
    group.notify(queue: .global()) { self.cancel(id) }
    begin(id, { _ in due }) { _ in end.signal() }
    end.wait()
  }

  private func nextID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  /// - Parameter due: the uptime at which the wait ends, from the present one.
  private func begin(
    _ id: Int, _ due: (Duration) -> Duration, end: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    enum Start: Sendable { case cancelled, over, waits([CheckedContinuation<Void, Never>]) }
    let start = state.withLock { state -> Start in
      if state.cancelledBeforeSleep.remove(id) != nil { return .cancelled }
      let due = due(state.uptime)
      if due <= state.uptime { return .over }
      state.sleepers[id] = Sleeper(due: due, end: end)
      let count = state.sleepers.count
      let met = state.observers.filter { $0.count <= count }.map(\.continuation)
      state.observers.removeAll { $0.count <= count }
      return .waits(met)
    }
    switch start {
    case .cancelled: end(.failure(CancellationError()))
    case .over: end(.success(()))
    case .waits(let observers): for observer in observers { observer.resume() }
    }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
      state.cancelledBeforeSleep.insert(id)
      return nil
    }
    sleeper?.end(.failure(CancellationError()))
  }
}
