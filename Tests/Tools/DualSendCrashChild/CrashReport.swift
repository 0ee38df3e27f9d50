package import DualSendCore
package import DualSendTracking

/// A line that the killed process leaves behind.
package enum CrashReport: Sendable, Hashable {
  /// What became of every event, when the process started and after it drained the queue.
  case ledger(TrackingLedger)
  /// `persist()` said that the event with this number is on disk.
  case committed(Int64)
  /// An event is about to be sent.
  case sent(EventID, Int64)
  /// The event with this number was logged, at this uptime in milliseconds; nobody waited for its commit.
  case logged(Int64, at: Int64)
  /// How many early ends the breaker has counted, and whether it is open, when the process started.
  case breaker(earlyEnds: Int, isOpen: Bool)

  /// A line of another form.
  package struct Malformed: Error {
    let line: String

    package init(line: String) {
      self.line = line
    }
  }

  package var line: String {
    switch self {
    case .ledger(let ledger):
      (["ledger", "\(ledger.droppedTotal)"] + TrackingLedger.counters.map { "\(ledger[keyPath: $0.count])" })
        .joined(separator: " ")
    case .committed(let number): "committed \(number)"
    case .sent(let id, let number): "sent \(id) \(number)"
    case .logged(let number, let time): "logged \(number) \(time)"
    case .breaker(let earlyEnds, let isOpen): "breaker \(earlyEnds) \(isOpen ? 1 : 0)"
    }
  }

  /// Reads a line; every dropped event of a ledger comes back under one reason.
  package init(line: some StringProtocol) throws {
    let words = line.split(separator: " ")
    let numbers = words.compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("ledger", TrackingLedger.counters.count + 1):
      var ledger = TrackingLedger(dropped: numbers[0] == 0 ? [:] : [.purged: numbers[0]])
      for (number, (_, count)) in zip(numbers.dropFirst(), TrackingLedger.counters) { ledger[keyPath: count] = number }
      self = .ledger(ledger)
    case ("committed", 1): self = .committed(Int64(numbers[0]))
    case ("breaker", 2): self = .breaker(earlyEnds: numbers[0], isOpen: numbers[1] == 1)
    case ("logged", 2): self = .logged(Int64(numbers[0]), at: Int64(numbers[1]))
    case ("sent", 1):
      guard words.count == 3, let id = EventID(words[1]) else { throw Malformed(line: String(line)) }
      self = .sent(id, Int64(numbers[0]))
    default: throw Malformed(line: String(line))
    }
  }
}
