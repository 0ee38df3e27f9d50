package import DualSendCore

/// An immutable list of mutations.
package final class MutationChain: Sendable {
  /// The state that one mutation read.
  package typealias Captured = [String: EventValue]

  private let mutations: [Mutation]
  private let failures: MutationFailures
  /// Whether a mutation reads the state of the app when an event is logged.
  let needsCapture: Bool

  var isEmpty: Bool { mutations.isEmpty }

  init(_ mutations: [Mutation], failures: MutationFailures) {
    self.mutations = mutations
    self.failures = failures
    needsCapture = mutations.contains { $0.capture != nil }
  }

  /// What the mutations read of the app's state, for ``applied(to:captured:)``; `nil` if they need none. Called on the
  /// caller's thread.
  func capture() -> [Captured]? {
    needsCapture ? mutations.compactMap { $0.capture?() } : nil
  }

  /// Applies the mutations. One that throws is undone and counted.
  ///
  /// - Parameter captured: what ``capture()`` returned when the event was logged; `nil` to read the state now.
  /// - Returns: the changed event; `nil` if a mutation dropped it.
  func applied(to event: Mutation.Event, captured: [Captured]? = nil) -> Mutation.Event? {
    var event = event
    var states = (captured ?? capture() ?? [])[...]
    for mutation in mutations {
      let before = event
      let state = mutation.capture == nil ? [:] : states.popFirst() ?? [:]
      do { try mutation.body(&event, state) } catch {
        event = before
        failures.count(mutation.name)
      }
      if event.isDropped { return nil }
    }
    return event
  }

  /// Applies the mutations to an event for one sink.
  ///
  /// - Parameters:
  ///   - original: the typed event that was logged, if it was one.
  ///   - captured: what ``capture()`` returned when the event was logged; `nil` to read the state now.
  /// - Returns: the changed event; `nil` if a mutation dropped it.
  func applied(
    to event: TrackingEvent, sink: Sink.ID, original: (any TypedEvent)?, captured: [Captured]?
  ) -> TrackingEvent? {
    let mutable = Mutation.Event(
      name: event.name, parameters: event.payload, id: event.id, time: event.time, sink: sink, original: original)
    guard let mutated = applied(to: mutable, captured: captured) else { return nil }
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

// MARK: - Changes

/// The current mutations of a front or a tracker.
final class CurrentMutations: Sendable {
  /// The list whose change is under way in this task or thread.
  @TaskLocal private static var changing: ObjectIdentifier?

  let failures = MutationFailures()
  private let mutations: Locked<[Mutation]>
  /// Serialises changes, without a lock on the mutations, so that a change may log and read.
  private let order = Locked(())

  init(_ mutations: [Mutation]) {
    self.mutations = Locked(mutations)
  }

  var all: [Mutation] { mutations.current }

  /// Changes the mutations, and then calls `apply`. A change inside a change does nothing: the outer one's list counts.
  func change(_ change: (inout [Mutation]) -> Void, apply: ([Mutation]) -> Void) {
    guard Self.changing != ObjectIdentifier(self) else { return }
    order.withLock { _ in
      var changed = all
      Self.$changing.withValue(ObjectIdentifier(self)) { change(&changed) }
      mutations.withLock { [changed] in $0 = changed }
      apply(changed)
    }
  }
}
