/// The logger that an app has today.
///
/// ``DualSendTracker`` calls it on the thread of the call site, with the name and the parameters that the call site
/// gave, exactly as before the migration. ``DualSendTracker`` conforms too, so that it drops into the old one's place.
public protocol OldLogger: Sendable {
  /// Logs events of one name.
  ///
  /// - Parameters:
  ///   - name: the events' name as the old logger knows it.
  ///   - parameters: one dictionary an event, keys as the old logger knows them.
  func logEvents(name: String, parameters: [[String: Any]])
}

extension OldLogger {
  /// Logs one event.
  public func logEvents(name: String, parameters: [String: Any] = [:]) {
    logEvents(name: name, parameters: [parameters])
  }
}
