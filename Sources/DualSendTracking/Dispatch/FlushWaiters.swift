/// Callers of a flush, each of whom waits until everything up to a sequence is answered for.
struct FlushWaiters {
  typealias Obstacle = Tracker.FlushReport.Obstacle

  /// What a caller holds while it waits.
  struct Ticket: Sendable {
    fileprivate let id: Int
    fileprivate let settled: AsyncStream<Never>

    /// Returns once the waiters have an answer for this ticket, or when the task is cancelled.
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
  /// Answers that their callers have not fetched yet.
  private var answers: [Int: Obstacle?] = [:]
  private var nextID = 0

  /// Whether nobody waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds a caller, who must ``leave(_:orElse:)`` in the end.
  mutating func add(upTo lastSequence: Int64) -> Ticket {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    defer { nextID += 1 }
    waiting.append(Waiter(id: nextID, lastSequence: lastSequence, settled: continuation))
    return Ticket(id: nextID, settled: stream)
  }

  /// Lets those go whose events are answered for, and all of them if something lasting stands in the way.
  ///
  /// - Parameter oldest: the oldest sequence in the store; `nil` if the store is empty.
  mutating func settle(oldest: Int64?, obstacle: Obstacle?) {
    release { waiter in
      if oldest.map({ $0 > waiter.lastSequence }) ?? true { return .some(nil) }
      return obstacle.map { .some($0) }
    }
  }

  /// Lets everybody go.
  mutating func settleAll(_ obstacle: Obstacle) {
    release { _ in .some(obstacle) }
  }

  /// Forgets a caller.
  ///
  /// - Returns: what stood in the way, if anything; `expiry` if the caller still waited.
  mutating func leave(_ ticket: Ticket, orElse expiry: @autoclosure () -> Obstacle) -> Obstacle? {
    if let answer = answers.removeValue(forKey: ticket.id) { return answer }
    waiting.removeAll { $0.id == ticket.id }
    return expiry()
  }

  /// Answers those for whom `verdict` has an answer: the obstacle, or none.
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
