import DualSendCore

/// One thing that can happen to a store; a list of them and a quota are a whole test case.
enum QueueOperation: Sendable, Hashable {
  case append(count: Int, bytes: Int, dropped: Int)
  /// Takes a batch; it is the one in flight until the next.
  case batch(events: Int, bytes: Int)
  /// Answers the batch in flight: bit n of `delivered` and, where that is 0, of `refused` decides on its n-th event
  /// (on a group of events in a larger trial).
  case resolve(delivered: UInt64, refused: UInt64)
  case recordFailedAttempt
  case deleteAll
  case retryDeadLetters
  case wait(seconds: Int)
  /// Closes the store and opens it again, where it outlives that.
  case reopen

  static func random(using random: inout SplitMix64) -> QueueOperation {
    switch random.number(below: 16) {
    case 0..<5:
      .append(
        count: random.number(below: 12), bytes: random.number(below: 60), dropped: max(0, random.number(below: 6) - 3))
    case 5..<8: .batch(events: random.number(below: 12) + 1, bytes: random.number(below: 300))
    case 8..<11: .resolve(delivered: random.next(), refused: random.next())
    case 11: .recordFailedAttempt
    case 12: random.number(below: 4) == 0 ? .deleteAll : .recordFailedAttempt
    case 13: .retryDeadLetters
    case 14: .wait(seconds: random.number(below: 40))
    default: .reopen
    }
  }
}
