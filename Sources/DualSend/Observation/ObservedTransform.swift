import EventModel
import Tracking

/// Remaps events on the tracker's thread and shows each with what it was before.
final class ObservedTransform: EventTransform {
  private let remapping: RemappingTransform
  private let observer: ParitySampling.Observer

  init(_ remapping: RemappingTransform, observer: @escaping ParitySampling.Observer) {
    self.remapping = remapping
    self.observer = observer
  }

  func transformed(_ event: Event) -> Event {
    let remapped = remapping.transformed(event)
    observer(ParityObservation(old: event, new: remapped))
    return remapped
  }
}
