import DualSendCore

/// Mutations in order, as they were in force at one moment.
package final class MutationChain: Sendable {
  private let mutations: [Mutation]
  private let failures: MutationFailures

  var isEmpty: Bool { mutations.isEmpty }

  init(_ mutations: [Mutation], failures: MutationFailures) {
    self.mutations = mutations
    self.failures = failures
  }

  /// Applies them. One that throws changes nothing and is counted.
  ///
  /// - Returns: the event as they leave it; `nil` if one of them dropped it.
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

  /// Applies them to an event on its way to one sink.
  ///
  /// - Parameter original: the typed event that was logged, if it was one.
  /// - Returns: `nil` if one of them dropped it.
  func applied(to event: TrackingEvent, sink: Sink.ID, original: (any TypedEvent)?) -> TrackingEvent? {
    let mutable = Mutation.Event(
      name: event.name, parameters: event.payload, id: event.id, time: event.time, sink: sink, original: original)
    guard let mutated = applied(to: mutable) else { return nil }
    // A mutation may set a value that JSON cannot hold.
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
