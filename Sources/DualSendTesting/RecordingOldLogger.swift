public import DualSend
import DualSendCore

/// An old logger that keeps what it is given.
public final class RecordingOldLogger: OldLogger {
  /// One event as the old logger got it.
  public struct Entry: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The parameters, converted; what JSON cannot hold is missing.
    public let parameters: [String: EventValue]

    /// Creates an entry, to compare with.
    public init(name: String, parameters: [String: EventValue] = [:]) {
      self.name = name
      self.parameters = parameters
    }
  }

  private let recorded = Locked<[Entry]>([])
  private let onLog: (@Sendable (String) -> Void)?

  /// Creates an empty record.
  ///
  /// - Parameter onLog: called with the name of each event before it is kept, on the caller's thread.
  public init(onLog: (@Sendable (String) -> Void)? = nil) {
    self.onLog = onLog
  }

  /// Keeps the events.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    onLog?(name)
    let entries = parameters.map { payload in
      var converter = EventValueConverter()
      return Entry(name: name, parameters: converter.convert(payload))
    }
    recorded.withLock { $0 += entries }
  }

  /// Everything so far, in order.
  public var entries: [Entry] {
    recorded.current
  }
}
