public import DualSendTracking

/// The logger that an app has before the migration.
///
/// ``DualSendTracker`` calls it on the caller's thread with the call site's name and parameters, as before the
/// migration. ``DualSendTracker`` conforms as well, so that it can replace the old logger.
public protocol OldLogger: Sendable {
  /// Logs events with one name.
  ///
  /// - Parameters:
  ///   - name: the events' old name.
  ///   - parameters: one dictionary for each event, with old keys.
  func logEvents(name: String, parameters: [[String: Any]])
}

extension OldLogger {
  /// Logs one event.
  public func logEvents(name: String, parameters: [String: Any] = [:]) {
    logEvents(name: name, parameters: [parameters])
  }
}

extension Sink {
  /// A logger like the old one, called on the caller's thread. On the old side it gets the call site's event, and only
  /// mutations on the caller's thread apply. On the new side it gets the new name and parameters, with all mutations.
  public static func logger(_ id: Sink.ID, _ logger: any OldLogger) -> Sink {
    .plain(id) { name, parameters in logger.logEvents(name: name, parameters: [parameters]) }
  }
}

extension SinkGroup {
  /// Only the old logger, for typed call sites before the migration. It gets each event in its original form.
  public convenience init(oldLogger: any OldLogger) {
    self.init(bindings: [SinkBinding(.logger(.oldLogger, oldLogger), form: .original)], mutations: [], time: .system)
  }
}
