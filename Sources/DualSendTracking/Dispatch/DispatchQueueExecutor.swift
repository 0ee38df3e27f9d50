import Dispatch
import DualSendCore

/// Runs an actor on its own serial queue at utility priority, so that blocking calls into SQLite never block a thread
/// of the cooperative pool.
final class DispatchQueueExecutor: SerialExecutor {
  private struct State: Sendable {
    /// How many jobs have not begun.
    var waitingJobs = 0
    /// Entered while the queue's thread rests. The code that takes it leaves it.
    var rest: DispatchGroup?

    mutating func takeRest() -> DispatchGroup? {
      defer { rest = nil }
      return rest
    }
  }

  let queue: DispatchQueue
  private let state = Locked(State())

  init(label: String) {
    queue = DispatchQueue(label: label, qos: .utility)
  }

  func enqueue(_ job: UnownedJob) {
    let rest = state.withLock { state in
      state.waitingJobs += 1
      return state.takeRest()
    }
    queue.async {
      self.state.withLock { $0.waitingJobs -= 1 }
      job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
    // Not through `self`, which the job may have released.
    rest?.leave()
  }

  /// Blocks the queue's thread until this uptime, or until a job waits. Called by a job.
  ///
  /// On Linux, a timer of libdispatch or of the concurrency runtime wakes three to six threads; a blocked thread wakes
  /// once. A group, because the timeout of a semaphore follows the wall clock there.
  func rest(until end: Duration, by time: TimeSource) {
    let rest = DispatchGroup()
    rest.enter()
    let mayRest = state.withLock { state in
      state.rest = rest
      return state.waitingJobs == 0
    }
    if mayRest { time.block(end, rest) }
    state.withLock { $0.takeRest() }?.leave()
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
