import DualSendCore

/// Receives both forms of an event.
package typealias EventPairObserver = @Sendable (_ old: TrackingEvent, _ new: TrackingEvent) -> Void

/// Transforms an event for one sink: renames it, calls the observer of the pair, and applies mutations.
final class SinkTransform: EventTransform {
  private let sink: Sink.ID
  /// `nil` if the names stay.
  private let renaming: (any EventTransform)?
  private let observer: EventPairObserver?
  private let mutations: MutationChain

  init(_ sink: Sink.ID, renaming: (any EventTransform)?, observer: EventPairObserver?, mutations: MutationChain) {
    self.sink = sink
    self.renaming = renaming
    self.observer = observer
    self.mutations = mutations
  }

  func transformed(_ event: TrackingEvent, source: (any TypedEvent)?) -> TrackingEvent? {
    var inNewForm = event
    if let renaming {
      guard let renamed = renaming.transformed(event, source: source) else { return nil }
      inNewForm = renamed
    }
    observer?(event, inNewForm)
    return mutations.isEmpty ? inNewForm : mutations.applied(to: inNewForm, sink: sink, original: source)
  }
}
