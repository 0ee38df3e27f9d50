import DualSendCore
import DualSendTracking

/// One line at the call site, for apps that have typed events. All of it takes the way of
/// ``DualSendTracker/logEvents(name:sendableParameters:)``; nothing throws, waits or touches a disk.
extension DualSendTracker {
  /// Logs a typed event.
  ///
  /// ```swift
  /// logger.log(ScreenEvent.viewed(.today))
  /// ```
  ///
  /// The old side gets its name and parameters; the new side what the remapping table makes of them, or the event's own
  /// new form if it is a ``DualTypedEvent``.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - scope: the sinks that may have it, of those that the rollout selects.
  ///   - delivery: when it leaves.
  public func log(_ event: some TypedEvent, to scope: Sink.Scope = .all, delivery: Delivery = .buffered) {
    let (name, parameters) = (event.name, event.parameters)
    let newForm = (event as? any DualTypedEvent).map { dual in
      EventCall.NewForm(name: dual.newName, payload: .sendable(dual.newParameters))
    }
    log(EventCall(name, parameters, newForm: newForm, source: event, scope: scope, delivery: delivery))
  }

  /// Logs an event by its old name and parameters.
  public func log(
    _ name: String, _ parameters: [String: any Sendable] = [:], to scope: Sink.Scope = .all,
    delivery: Delivery = .buffered
  ) {
    log(EventCall(name, parameters, scope: scope, delivery: delivery))
  }

  /// Logs an event whose parameters are a value's coded properties, encoded on the caller's thread.
  ///
  /// A value that throws while it is encoded, or that is no object, costs its parameters, not the event, and is reported as
  /// an outcome with its type.
  public func log(
    _ name: String, encoding value: some Encodable, to scope: Sink.Scope = .all, delivery: Delivery = .buffered
  ) {
    var parameters: [String: EventValue] = [:]
    var issues: [EventValue.ConversionIssue] = []
    do { parameters = try EventValueEncoder().parameters(value) } catch {
      issues = [EventValue.ConversionIssue(path: EventPath(), reason: .encodingFailed("\(type(of: value))"))]
    }
    var converter = EventValueConverter()
    parameters = converter.convert(parameters)
    log(
      EventCall(
        name: name, parameters: .values(parameters),
        payload: .converted(parameters, issues: issues + converter.issues), scope: scope, delivery: delivery))
  }

  /// Logs an event whose fields are named by key path.
  ///
  /// ```swift
  /// logger.log([\.eventName: "home.view", \.parameters: ["item_id": 42]])
  /// ```
  ///
  /// - Returns: whether it was logged: not without a name, nor with a value of another type than its field's.
  @discardableResult
  public func log(
    _ fields: EventFields.Dictionary, to scope: Sink.Scope = .all, delivery: Delivery = .buffered
  ) -> Bool {
    guard let fields = EventFields(fields) else { return false }
    log(
      EventCall(
        fields.eventName, fields.parameters, time: fields.eventTime, scope: scope, delivery: delivery))
    return true
  }

  private func log(_ call: EventCall) {
    fanOut(call, by: router.route(for: call.name))
  }
}
