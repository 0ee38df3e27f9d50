import DualSendCore

/// Gets an event as both streams have it.
package typealias EventPairObserver = @Sendable (_ old: TrackingEvent, _ new: TrackingEvent) -> Void

/// What happens to an event between its capture and one sink: new names, an observer of the pair, mutations.
final class SinkTransform: EventTransform {
  private let sink: Sink.ID
  /// `nil` where the event comes in the form that the sink gets.
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
    observer?(Self.originalForm(of: event, source), inNewForm)
    return mutations.isEmpty ? inNewForm : mutations.applied(to: inNewForm, sink: sink, original: source)
  }

  /// An event that brought its new form has its original one beside.
  private static func originalForm(of event: TrackingEvent, _ source: (any TypedEvent)?) -> TrackingEvent {
    guard let dual = source as? any DualTypedEvent else { return event }
    var converter = EventValueConverter()
    return event.with(name: dual.name, payload: converter.convert(dual.parameters))
  }
}
