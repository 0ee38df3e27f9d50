import DualSendCore

/// An immutable list of mutations.
package final class MutationChain: Sendable {
  private let mutations: [Mutation]
  private let failures: MutationFailures

  var isEmpty: Bool { mutations.isEmpty }

  init(_ mutations: [Mutation], failures: MutationFailures) {
    self.mutations = mutations
    self.failures = failures
  }

  /// Applies the mutations. One that throws is undone and counted.
  ///
  /// - Returns: the changed event; `nil` if a mutation dropped it.
  func applied(to event: Mutation.Event) -> Mutation.Event? {
    var event = event
    for mutation in mutations {
      let before = event
      do { try mutation.body(&event) } catch {
        event = before
        failures.count(mutation.name)
      }
      if event.isDropped { return nil }
    }
    return event
  }

  /// Applies the mutations to an event for one sink.
  ///
  /// - Parameter original: the typed event that was logged, if it was one.
  /// - Returns: the changed event; `nil` if a mutation dropped it.
  func applied(to event: TrackingEvent, sink: Sink.ID, original: (any TypedEvent)?) -> TrackingEvent? {
    let mutable = Mutation.Event(
      name: event.name, parameters: event.payload, id: event.id, time: event.time, sink: sink, original: original)
    guard let mutated = applied(to: mutable) else { return nil }
    // Mutations may set values that JSON cannot hold.
    var converter = EventValueConverter()
    return event.with(name: mutated.name, payload: converter.convert(mutated.parameters))
  }
}

/// How often each mutation threw, by its name.
final class MutationFailures: Sendable {
  private let counts = Locked<[String: Int]>([:])

  var current: [String: Int] { counts.current }

  func count(_ name: String) {
    counts.withLock { $0[name, default: 0] += 1 }
  }
}
