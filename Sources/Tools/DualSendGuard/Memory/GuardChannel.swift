package import DualSendCore

extension Guard {
  /// A way by which decisions are reported.
  package struct Channel: Sendable {
    /// Its identity in the state.
    let name: String
    let tell: @Sendable (GuardDecision) async throws -> Void

    package init(_ name: String, tell: @escaping @Sendable (GuardDecision) async throws -> Void) {
      (self.name, self.tell) = (name, tell)
    }
  }
}

extension GuardState {
  /// How far a channel reported the decisions.
  package struct Queue: Sendable, Hashable {
    /// The number of its last decision; 0 if it reported none.
    var told: Int64 = 0
    /// The reason that it could not report the next one.
    var failure: String?
  }

  /// Reports decisions, by each channel in order. A channel that fails is tried again at the next look, and stops no other.
  ///
  /// - Returns: a finding for each channel that failed.
  mutating func tell(by channels: [Guard.Channel], keeping memory: any GuardMemory) async throws -> [DocumentDiagnostic]
  {
    let before = self
    for channel in channels {
      var queue = queues[channel.name] ?? Queue()
      do {
        for decision in untold where decision.number > queue.told {
          try await channel.tell(decision)
          queue = Queue(told: decision.number)
          queues[channel.name] = queue
          try memory.keep(self)
        }
      } catch  where !(error is CancellationError) {
        queue.failure = "\(error)"
        queues[channel.name] = queue
      }
    }
    queues = queues.filter { name, _ in channels.contains { $0.name == name } }
    let told = channels.map { queues[$0.name]?.told ?? 0 }.min() ?? .max
    untold.removeAll { $0.number <= told }
    if self != before { try memory.keep(self) }
    return queues.sorted { $0.key < $1.key }.compactMap { name, queue in
      guard let failure = queue.failure, let next = untold.first(where: { $0.number > queue.told }) else { return nil }
      return DocumentDiagnostic(
        .warning, .guardUntold, "decision \(next.number) could not be told by the \(name): \(failure)",
        help: "check `tell` of the policy; the next look tries again")
    }
  }
}

extension GuardState.Queue {
  package var json: EventValue { ["told": .int(told), "failure": failure.map { .string($0) } ?? .null] }

  /// - Returns: `nil` for anything but what ``json`` makes.
  init?(_ value: EventValue) {
    guard let told = value["told"]?.number else { return nil }
    self.init(told: told, failure: value["failure"]?.text)
  }
}
