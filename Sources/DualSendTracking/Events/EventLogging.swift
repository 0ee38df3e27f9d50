import DualSendCore

/// Takes the events of an app's call sites: the one protocol that they know, before, during and after a migration.
///
/// ```swift
/// let logger: any EventLogging = Tracker(endpoint: url)
/// logger.log(ScreenEvent.viewed(.today))
/// ```
///
/// A ``Tracker``, several sinks together (``SinkGroup``), the adapter of a migration (`DualSendTracker`) and a recording
/// double (`RecordingEventLogger` of `DualSendTesting`) conform, so that only the line that makes the object changes. No
/// form of `log` throws, waits or touches a disk; all are safe to use from any thread.
public protocol EventLogging: Sendable {
  /// Takes an event in whichever form the call site logged it. Returns at once and never throws.
  func log(_ call: EventCall)
}

extension EventLogging {
  /// Logs a typed event.
  ///
  /// ```swift
  /// logger.log(ScreenEvent.viewed(.today))
  /// ```
  ///
  /// A sink with new names gets the event's own new form if it is a ``DualTypedEvent``.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - scope: the sinks that may have it.
  ///   - delivery: when it leaves.
  public func log(_ event: some TypedEvent, to scope: Sink.Scope = .all, delivery: EventCall.Delivery = .buffered) {
    let newForm = (event as? any DualTypedEvent).map { dual in
      EventCall.NewForm(name: dual.newName, payload: .sendable(dual.newParameters))
    }
    log(
      EventCall(
        name: event.name, values: .sendable(event.parameters), newForm: newForm, event: event, scope: scope,
        delivery: delivery))
  }

  /// Logs an event by its name and parameters.
  ///
  /// A value that JSON cannot hold is left out and reported; the event still goes.
  public func log(
    _ name: String, _ parameters: [String: any Sendable] = [:], to scope: Sink.Scope = .all,
    delivery: EventCall.Delivery = .buffered
  ) {
    log(EventCall(name: name, values: .sendable(parameters), scope: scope, delivery: delivery))
  }

  /// Logs an event whose parameters are a value's coded properties, encoded on the caller's thread.
  ///
  /// A value that throws while it is encoded, or that is no object, costs its parameters, not the event, and is reported as
  /// an outcome with its type.
  public func log(
    _ name: String, encoding value: some Encodable, to scope: Sink.Scope = .all,
    delivery: EventCall.Delivery = .buffered
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
        name: name, values: .converted(parameters, issues: issues + converter.issues, plain: nil), scope: scope,
        delivery: delivery))
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
    _ fields: EventCall.Fields.Dictionary, to scope: Sink.Scope = .all, delivery: EventCall.Delivery = .buffered
  ) -> Bool {
    guard let fields = EventCall.Fields(fields) else { return false }
    log(
      EventCall(
        name: fields.eventName, values: .sendable(fields.parameters), time: fields.eventTime, scope: scope,
        delivery: delivery))
    return true
  }
}
