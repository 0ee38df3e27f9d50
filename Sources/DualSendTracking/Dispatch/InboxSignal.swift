import DualSendCore

/// Starts work on the dispatcher when there are events to commit.
///
/// Each signal is a task that starts on the dispatcher's executor, which wakes one thread. A dispatcher that waits for
/// signals would wake two: a continuation and an `AsyncStream` resume on the global executor before they return to the
/// actor.
final class InboxSignal: Sendable {
  typealias Work = @isolated(any) @Sendable () async -> Void

  private struct Receiver: Sendable {
    let eventsArrived: Work
    let ended: Work
  }

  private struct State: Sendable {
    var isRaised = false
    var isFinished = false
    /// Retains the dispatcher until the signals end.
    var receiver: Receiver?
  }

  private let state = Locked(State())

  /// Starts `eventsArrived`, or lets ``connect(eventsArrived:ended:)`` do so.
  func raise() {
    let work = state.withLock { state -> Work? in
      if state.receiver == nil { state.isRaised = true }
      return state.receiver?.eventsArrived
    }
    if let work { start(work) }
  }

  /// Starts `ended`. No signal follows.
  func finish() {
    let work = state.withLock { state -> Work? in
      defer { state.receiver = nil }
      state.isFinished = true
      return state.receiver?.ended
    }
    if let work { start(work) }
  }

  /// Sets the receiver, and starts what was signalled before.
  ///
  /// - Parameters:
  ///   - eventsArrived: started for each signal, on the actor that creates the closure.
  ///   - ended: started once, after the last signal.
  func connect(
    @_inheritActorContext eventsArrived: @escaping Work, @_inheritActorContext ended: @escaping Work
  ) {
    let (isRaised, isFinished) = state.withLock { state in
      if !state.isFinished { state.receiver = Receiver(eventsArrived: eventsArrived, ended: ended) }
      return (state.isRaised, state.isFinished)
    }
    if isFinished { start(ended) } else if isRaised { start(eventsArrived) }
  }

  /// Not detached, because a metrics factory may be a task-local value.
  private func start(_ work: @escaping Work) {
    Task(priority: .utility, operation: work)
  }
}
