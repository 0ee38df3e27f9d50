/// A sink as a front has it: which form of an event it gets, and what is done to the event on the way.
package struct SinkPlace: Sendable {
  package let sink: Sink
  package let form: EventCall.Form
  /// Gives an event the sink's names; `nil` where they are the event's own.
  let renaming: (any EventTransform)?
  /// Sees the events whose pairs are observed.
  let observer: EventPairObserver?
  /// The sink's tracker, so that the path of every event need not look into the sink.
  let tracker: Tracker?

  package init(
    _ sink: Sink, form: EventCall.Form, renaming: (any EventTransform)? = nil, observer: EventPairObserver? = nil
  ) {
    self.sink = sink
    self.form = form
    self.renaming = renaming
    self.observer = observer
    tracker = sink.tracker
  }
}
