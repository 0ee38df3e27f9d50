import DualSendCore
import DualSendTracking

/// What happens to an event between its capture and one sink: new names, somebody who watches the pair, mutations.
final class SinkTransform: EventTransform {
  private let sink: Sink.ID
  /// `nil` where the event comes in the form that the sink gets.
  private let remapping: RemappingTransform?
  private let observer: ParitySampling.Observer?
  private let mutations: MutationChain

  init(_ sink: Sink.ID, remapping: RemappingTransform?, observer: ParitySampling.Observer?, mutations: MutationChain) {
    self.sink = sink
    self.remapping = remapping
    self.observer = observer
    self.mutations = mutations
  }

  func transformed(_ event: TrackingEvent, source: (any Sendable)?) -> TrackingEvent {
    let inNewForm = remapping?.transformed(event, source: source) ?? event
    observer?(ParitySampling.Pair(old: Self.oldForm(of: event, source), new: inNewForm))
    guard !mutations.isEmpty else { return inNewForm }
    var mutable = Mutation.Event(
      name: inNewForm.name, parameters: inNewForm.payload, id: event.id, time: event.time, sink: sink,
      original: source as? any TypedEvent)
    mutations.apply(to: &mutable)
    // What a mutation sets may be what JSON cannot hold.
    var converter = EventValueConverter()
    return TrackingEvent(
      id: event.id, time: event.time, name: inNewForm.name, payload: converter.convert(mutable.parameters))
  }

  /// An event that brought its new form has its old one beside.
  private static func oldForm(of event: TrackingEvent, _ source: (any Sendable)?) -> TrackingEvent {
    guard let dual = source as? any DualTypedEvent else { return event }
    var converter = EventValueConverter()
    return TrackingEvent(
      id: event.id, time: event.time, name: dual.name, payload: converter.convert(dual.parameters))
  }
}

/// The transforms of one sink, made once. `nil` is one that changes nothing.
struct SinkTransforms: Sendable {
  private let plain: [(any EventTransform)?]

  /// - Parameter isNewSide: whether the sink gets new names.
  init(
    _ sink: Sink.ID, isNewSide: Bool, remapping: RemappingTransform, observer: ParitySampling.Observer?,
    mutations: MutationChain
  ) {
    func transform(remaps: Bool, isObserved: Bool) -> (any EventTransform)? {
      let observer = isObserved ? observer : nil
      if mutations.isEmpty, observer == nil { return remaps ? remapping : nil }
      return SinkTransform(sink, remapping: remaps ? remapping : nil, observer: observer, mutations: mutations)
    }
    plain = [false, true].flatMap { remaps in
      [false, true].map { transform(remaps: remaps && isNewSide, isObserved: $0) }
    }
  }

  /// What an event takes.
  ///
  /// - Parameter bringsNewForm: whether it comes in the form that the new side gets.
  func transform(bringsNewForm: Bool, isObserved: Bool) -> (any EventTransform)? {
    plain[(bringsNewForm ? 0 : 2) + (isObserved ? 1 : 0)]
  }
}
