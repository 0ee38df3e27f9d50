import DualSendCore
public import Logging

// Sinks for debugging. They show values: do not ship them in release builds.
extension Sink {
  /// A swift-log logger: one line per event, with the name as the message and the values as metadata.
  ///
  /// Called on the caller's thread. Control characters are escaped and long values cut, so that no value can forge a
  /// line.
  public static func log(_ id: Sink.ID = "log", to logger: Logger, level: Logger.Level = .info) -> Sink {
    .closure(id) { event in
      guard logger.logLevel <= level else { return }
      var metadata: Logger.Metadata = [:]
      for (key, value) in event.payload {
        metadata[key.printable()] = .string(value.printed)
      }
      logger.log(level: level, "\(event.name.printable())", metadata: metadata)
    }
  }

  /// Prints each event over several lines: its time, its name, and its values by key.
  ///
  /// ```
  /// 2026-01-01T00:00:00.000Z home.like.tap
  ///   is_liked   true
  ///   position   3
  /// ```
  ///
  /// Called on the caller's thread. Control characters are escaped and long values cut, so that no value can forge a
  /// line.
  ///
  /// - Parameters:
  ///   - id: the sink's id.
  ///   - print: receives the text of one event; prints it to standard output by default.
  public static func debugPrinter(
    _ id: Sink.ID = "debug", print: @escaping @Sendable (String) -> Void = { Swift.print($0) }
  ) -> Sink {
    .closure(id) { event in print(event.printed) }
  }
}

extension EventValue {
  /// Strings unchanged, other values as canonical JSON; escaped for a terminal.
  fileprivate var printed: String {
    if case .string(let text) = self { return text.printable() }
    return canonicalText.printable()
  }
}

extension TrackingEvent {
  fileprivate var printed: String {
    let rows = payload.map { (key: $0.key.printable(), value: $0.value.printed) }
      .inOrder { String.byteOrder($0.key, $1.key) }
    let width = rows.map(\.key.count).max() ?? 0
    let lines = rows.map { key, value in "  " + key.padding(to: width) + "  " + value }
    return ([Timestamp.text(milliseconds: time) + " " + name.printable()] + lines).joined(separator: "\n")
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
