import DualSendCore

/// Wakes the dispatcher when there are events to commit. Signals are combined until it waits again.
///
/// Not an `AsyncStream`: waiting for its next element leaves the actor, so that each signal wakes two more threads.
final class InboxSignal: Sendable {
  private struct State: Sendable {
    var isRaised = false
    var isFinished = false
    var waiter: CheckedContinuation<Bool, Never>?
  }

  private let state = Locked(State())

  /// Resumes the waiting dispatcher, or lets its next wait return at once.
  func raise() {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      defer { state.waiter = nil }
      if state.waiter == nil { state.isRaised = true }
      return state.waiter
    }
    waiter?.resume(returning: true)
  }

  /// No signal follows. A raised one is still received.
  func finish() {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      defer { state.waiter = nil }
      state.isFinished = true
      return state.waiter
    }
    waiter?.resume(returning: false)
  }

  /// Waits for a signal on the executor of the caller. Called by one task at a time.
  ///
  /// - Returns: `false` when the signals have ended.
  func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if state.isRaised {
          state.isRaised = false
          return true
        }
        if state.isFinished { return false }
        state.waiter = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
