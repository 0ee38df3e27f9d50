/// A sink as a front has it: which form of an event it gets, and what is done to the event on the way.
package final class SinkPlace: Sendable {
  package let sink: Sink
  package let form: EventCall.Form
  /// Gives an event the sink's names; `nil` where they are the event's own.
  let renaming: (any EventTransform)?
  /// Sees the events whose pairs are observed.
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

/// The sinks of a front that may have an event. The event's own scope narrows them further.
package struct SinkSelection: Sendable {
  /// Whether sinks with original names may have it.
  private let original: Bool
  /// Whether sinks with new names may have it.
  private let new: Bool
  /// Decides about each sink of these; `nil` where all of them may have it.
  private let narrowing: (@Sendable (Sink.ID, EventCall.Form) -> Bool)?

  package static let all = SinkSelection(original: true, new: true)

  package init(
    original: Bool, new: Bool, narrowing: (@Sendable (Sink.ID, EventCall.Form) -> Bool)? = nil
  ) {
    self.original = original
    self.new = new
    self.narrowing = narrowing
  }

  func includes(_ place: SinkPlace, _ scope: Sink.Scope) -> Bool {
    guard place.form == .new ? new : original else { return false }
    if case .all = scope {} else if !scope.includes(place.sink.id) { return false }
    return narrowing.map { $0(place.sink.id, place.form) } ?? true
  }
}
