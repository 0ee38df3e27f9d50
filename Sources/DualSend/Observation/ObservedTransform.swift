@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendTracking

/// Remaps events on the tracker's thread and shows each with what it was before.
final class ObservedTransform: EventTransform {
  private let remapping: RemappingTransform
  private let observer: ParitySampling.Observer

  init(_ remapping: RemappingTransform, observer: @escaping ParitySampling.Observer) {
    self.remapping = remapping
    self.observer = observer
  }

  func transformed(_ event: TrackingEvent) -> TrackingEvent {
    let remapped = remapping.transformed(event)
    observer(ParitySampling.Pair(old: event, new: remapped))
    return remapped
  }
}
