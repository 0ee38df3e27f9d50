/// A sink of a front, with the form of its events and their renaming and observer.
package final class SinkBinding: Sendable {
  package let sink: Sink
  package let form: EventCall.Form
  /// Renames events for the sink; `nil` if the names stay.
  let renaming: (any EventTransform)?
  /// Receives the pairs of observed events.
  let observer: EventPairObserver?

  package init(
    _ sink: Sink, form: EventCall.Form, renaming: (any EventTransform)? = nil, observer: EventPairObserver? = nil
  ) {
    self.sink = sink
    self.form = form
    self.renaming = renaming
    self.observer = observer
  }
}

/// The sinks of a front that may receive an event. The event's own scope narrows them further.
package struct SinkSelection: Sendable {
  /// Whether sinks with original names may receive it.
  private let original: Bool
  /// Whether sinks with new names may receive it.
  private let new: Bool
  /// Decides about each of these sinks; `nil` if all may receive it.
  private let narrowing: (@Sendable (Sink.ID, EventCall.Form) -> Bool)?

  package static let all = SinkSelection(original: true, new: true)

  package init(
    original: Bool, new: Bool, narrowing: (@Sendable (Sink.ID, EventCall.Form) -> Bool)? = nil
  ) {
    self.original = original
    self.new = new
    self.narrowing = narrowing
  }

  func includes(_ binding: SinkBinding, _ scope: Sink.Scope) -> Bool {
    guard binding.form == .new ? new : original else { return false }
    if case .all = scope {} else if !scope.includes(binding.sink.id) { return false }
    return narrowing.map { $0(binding.sink.id, binding.form) } ?? true
  }
}
