import DualSendCore

/// The dispatcher's one timer.
struct WakeUpTimer: Sendable {
  private var pending: (due: Duration, task: Task<Void, Never>)?

  /// Sets the timer to this uptime, unless it fires earlier already.
  ///
  /// - Parameter fire: called with `due` at that time. It calls ``hasFired(due:)`` to check that the timer was not
  ///   changed.
  mutating func set(due: Duration, time: TimeSource, fire: @escaping @Sendable (Duration) async -> Void) {
    let now = time.uptime()
    if let pending, pending.due <= due, pending.due > now { return }
    stop()
    let wait = max(.zero, due - now)
    let task = Task {
      guard (try? await time.sleep(wait)) != nil else { return }
      await fire(due)
    }
    pending = (due, task)
  }

  mutating func stop() {
    pending?.task.cancel()
    pending = nil
  }

  /// Records that the timer has fired.
  ///
  /// - Returns: whether it was still set to this time.
  mutating func hasFired(due: Duration) -> Bool {
    guard pending?.due == due else { return false }
    pending = nil
    return true
  }
}
