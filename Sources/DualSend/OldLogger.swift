public import DualSendCore
public import DualSendRemapping
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

// MARK: - The end of a migration

extension SinkGroup {
  /// Sinks that get the app's events with the table's names and keys, in the place of a ``DualSendTracker`` whose old logger is
  /// no longer used. No call site changes.
  ///
  /// ```swift
  /// let logger = SinkGroup([.tracker(.newTracker, Tracker(endpoint: collector))], remapping: table)
  /// ```
  ///
  /// The sinks get the events that the adapter's new side got. A typed event whose name has no entry in the table is new: it
  /// keeps its name and keys, and the rows of `*` do not apply to it. A tracker opens the database that the adapter's tracker
  /// had for the same collector, or at the same location, and sends the events that wait there.
  ///
  /// - Parameters:
  ///   - sinks: the sinks, with unique ids.
  ///   - remapping: maps the names and keys of call sites to those of the sinks.
  ///   - mutations: the mutations, in order. On the caller's thread they see a call site's names, in a sink the new ones.
  ///   - time: the clock that stamps events.
  public convenience init(
    _ sinks: [Sink], remapping: RemappingTable, mutations: [Mutation] = [], time: TimeSource = .system
  ) {
    let renaming = RemappingProcessor(remapping, skipsNewEvents: true)
    self.init(
      bindings: sinks.map { SinkBinding($0, form: .new, renaming: renaming) }, mutations: mutations, time: time)
  }
}

extension SinkGroup: OldLogger {
  /// Logs events to every sink, one for each dictionary, in order. Returns at once and never throws.
  ///
  /// Values are converted on this thread. One that JSON cannot hold is left out and reported; the rest of the event is sent.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    for payload in parameters { log(EventCall(name: name, original: payload)) }
  }
}
