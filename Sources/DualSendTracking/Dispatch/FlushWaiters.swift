/// Callers of `flush`, each waiting until all events up to a sequence are delivered or dead-lettered.
struct FlushWaiters {
  typealias Obstacle = Tracker.FlushReport.Obstacle

  /// A caller's place in the queue.
  struct Ticket: Sendable {
    fileprivate let id: Int
    fileprivate let settled: AsyncStream<Never>

    /// Returns when the wait is over or the task is cancelled.
    func wait() async {
      for await _ in settled {}
    }
  }

  private struct Waiter {
    let id: Int
    let lastSequence: Int64
    let settled: AsyncStream<Never>.Continuation
  }

  private var waiting: [Waiter] = []
  /// Results that their callers have not fetched yet.
  private var answers: [Int: Obstacle?] = [:]
  private var nextID = 0

  /// Whether there are no waiting callers.
  var isEmpty: Bool { waiting.isEmpty }

  /// Whether a caller may be done when the events up to a sequence are.
  func mayBeSettled(upTo sequence: Int64) -> Bool {
    waiting.contains { $0.lastSequence <= sequence }
  }

  /// Adds a caller, which must call ``leave(_:orElse:)`` in the end.
  mutating func add(upTo lastSequence: Int64) -> Ticket {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    defer { nextID += 1 }
    waiting.append(Waiter(id: nextID, lastSequence: lastSequence, settled: continuation))
    return Ticket(id: nextID, settled: stream)
  }

  /// Resumes the callers whose events are done, and all callers if there is a lasting obstacle.
  ///
  /// - Parameter oldest: the oldest sequence in the store; `nil` if the store is empty.
  mutating func settle(oldest: Int64?, obstacle: Obstacle?) {
    release { waiter in
      if oldest.map({ $0 > waiter.lastSequence }) ?? true { return .some(nil) }
      return obstacle.map { .some($0) }
    }
  }

  /// Resumes all callers.
  mutating func settleAll(_ obstacle: Obstacle) {
    release { _ in .some(obstacle) }
  }

  /// Removes a caller.
  ///
  /// - Returns: the obstacle, if any; `expiry` if the caller was still waiting.
  mutating func leave(_ ticket: Ticket, orElse expiry: @autoclosure () -> Obstacle) -> Obstacle? {
    if let answer = answers.removeValue(forKey: ticket.id) { return answer }
    waiting.removeAll { $0.id == ticket.id }
    return expiry()
  }

  /// Resumes the callers for which `verdict` returns a result: the obstacle, or none.
  private mutating func release(_ verdict: (Waiter) -> Obstacle??) {
    var remaining: [Waiter] = []
    for waiter in waiting {
      if let obstacle = verdict(waiter) {
        answers.updateValue(obstacle, forKey: waiter.id)
        waiter.settled.finish()
      } else {
        remaining.append(waiter)
      }
    }
    waiting = remaining
  }
}
