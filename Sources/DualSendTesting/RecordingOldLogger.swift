public import DualSend
import DualSendCore

/// An old logger that records events.
public final class RecordingOldLogger: OldLogger {
  /// One recorded event.
  public struct Entry: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The converted parameters, without values that JSON cannot hold.
    public let parameters: [String: EventValue]

    /// Creates an entry for comparison.
    public init(name: String, parameters: [String: EventValue] = [:]) {
      self.name = name
      self.parameters = parameters
    }
  }

  private let recorded = Locked<[Entry]>([])
  private let onLog: (@Sendable (String) -> Void)?

  /// Creates a logger without entries.
  ///
  /// - Parameter onLog: called with the name of each event before it is recorded, on the caller's thread.
  public init(onLog: (@Sendable (String) -> Void)? = nil) {
    self.onLog = onLog
  }

  /// Records events.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    onLog?(name)
    let entries = parameters.map { payload in
      var converter = EventValueConverter()
      return Entry(name: name, parameters: converter.convert(payload))
    }
    recorded.withLock { $0 += entries }
  }

  /// The recorded events, in order.
  public var entries: [Entry] {
    recorded.current
  }
}
