import DualSendCore

/// The mutations of one sink, or of the caller's thread, in order.
struct MutationChain: Sendable {
  private let mutations: [Mutation]
  private let failures: MutationFailures

  var isEmpty: Bool { mutations.isEmpty }

  init(_ mutations: [Mutation], failures: MutationFailures) {
    self.mutations = mutations
    self.failures = failures
  }

  /// Those that run off the caller's thread for a sink.
  func narrowed(to sink: Sink.ID) -> MutationChain {
    MutationChain(mutations.filter { $0.place == .sink && $0.scope.includes(sink) }, failures: failures)
  }

  /// Those that run on the caller's thread.
  var onCaller: MutationChain {
    MutationChain(mutations.filter { $0.place == .caller }, failures: failures)
  }

  func apply(to event: inout Mutation.Event) {
    for mutation in mutations {
      let before = event.parameters
      do { try mutation.body(&event) } catch {
        event.parameters = before
        failures.count(mutation.name)
      }
    }
  }
}

/// How often each mutation threw.
final class MutationFailures: Sendable {
  private let counts = Locked<[String: Int]>([:])

  var current: [String: Int] { counts.current }

  func count(_ name: String) {
    counts.withLock { $0[name, default: 0] += 1 }
  }
}
