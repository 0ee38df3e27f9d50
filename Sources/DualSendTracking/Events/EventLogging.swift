import DualSendCore

/// The logger of an app's call sites: the only type that they use, before, during and after a migration.
///
/// ```swift
/// let logger: any EventLogging = Tracker(endpoint: url)
/// logger.log(ScreenEvent.viewed(.today))
/// ```
///
/// ``Tracker``, ``SinkGroup`` (several sinks), `DualSendTracker` (the adapter of a migration) and
/// `RecordingEventLogger` (a test double in `DualSendTesting`) conform, so only the line that creates the logger
/// changes. All forms of `log` are safe to use from any thread. None throws, waits or accesses the disk.
public protocol EventLogging: Sendable {
  /// Logs an event. Returns at once and never throws.
  func log(_ call: EventCall)
}

extension EventLogging {
  /// Logs a typed event.
  ///
  /// ```swift
  /// logger.log(ScreenEvent.viewed(.today))
  /// ```
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - scope: the sinks that may receive it.
  ///   - delivery: when to deliver it.
  public func log(_ event: some TypedEvent, to scope: Sink.Scope = .all, delivery: EventCall.Delivery = .buffered) {
    log(
      EventCall(
        name: event.name, values: .sendable(event.parameters), event: event, scope: scope, delivery: delivery))
  }

  /// Logs an event by its name and parameters.
  ///
  /// A value that JSON cannot hold is left out and reported; the rest of the event is logged.
  public func log(
    _ name: String, parameters: [String: any Sendable] = [:], to scope: Sink.Scope = .all,
    delivery: EventCall.Delivery = .buffered
  ) {
    log(EventCall(name: name, values: .sendable(parameters), scope: scope, delivery: delivery))
  }

  /// Logs an event whose parameters are an `Encodable` value, encoded on the caller's thread.
  ///
  /// If the encoding throws or does not give an object, the event is logged without parameters, and an outcome reports
  /// the value's type.
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
        name: name, values: .converted(parameters, issues: issues + converter.issues), scope: scope,
        delivery: delivery))
  }
}

// MARK: - Typed event
