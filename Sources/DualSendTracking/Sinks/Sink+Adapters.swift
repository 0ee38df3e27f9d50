public import DualSendCore
public import Foundation
public import Logging

// The kinds of sinks, those with a store first.
extension Sink {
  /// Another tracker, with its own collector or receiver.
  ///
  /// It must have its own store. By default each destination has one; give two trackers for the same destination
  /// different names with `.applicationSupport(name:)`.
  public static func tracker(_ id: Sink.ID, _ tracker: Tracker) -> Sink {
    Sink(id, .tracker(tracker))
  }

  /// A receiver with its own store, by default in the app's support folder.
  ///
  /// Its log lines have the id as `sink` in their metadata.
  ///
  /// - Parameters:
  ///   - id: the sink's id, which also names its store.
  ///   - receiver: receives the events.
  ///   - start: when pending events are delivered.
  ///   - configure: changes the rest of the tracker's configuration.
  ///   - fileID: the file of the call, by which two sinks with one id keep their stores apart.
  ///   - line: the line of the call.
  public static func buffered(
    _ id: Sink.ID, to receiver: any EventReceiver,
    start: TrackerConfiguration.FlowControl = TrackerConfiguration.Digest().start,
    configure: (inout TrackerConfiguration) -> Void = { _ in }, fileID: String = #fileID, line: Int = #line
  ) -> Sink {
    var configuration = TrackerConfiguration(
      destination: .receiver(receiver), storage: .applicationSupport(name: "sink-" + id.fileName)
    ) {
      $0.digest = TrackerConfiguration.Digest(start: start)
    }
    configuration.logger[metadataKey: "sink"] = .string(id.rawValue.printable())
    configuration.sinkID = id
    configuration.sinkOrigin = "\(fileID):\(line)"
    configure(&configuration)
    return Sink(id, .tracker(Tracker(configuration: configuration)))
  }

  /// A closure with its own store; see ``buffered(_:to:start:configure:fileID:line:)``.
  public static func buffered(
    _ id: Sink.ID, start: TrackerConfiguration.FlowControl = TrackerConfiguration.Digest().start,
    configure: (inout TrackerConfiguration) -> Void = { _ in }, fileID: String = #fileID, line: Int = #line,
    receive: @escaping @Sendable ([TrackingData]) async throws(EventReceiverFailure) -> Void
  ) -> Sink {
    buffered(
      id, to: ClosureReceiver(body: receive), start: start, configure: configure, fileID: fileID, line: line)
  }

  /// A file with its own store. Each event is appended as a line of JSON in wire form.
  ///
  /// The file is created if necessary, readable by its owner only. Each batch is synced to disk.
  public static func jsonLines(
    _ id: Sink.ID, file: URL, start: TrackerConfiguration.FlowControl = TrackerConfiguration.Digest().start,
    configure: (inout TrackerConfiguration) -> Void = { _ in }, fileID: String = #fileID, line: Int = #line
  ) -> Sink {
    buffered(
      id, to: JSONLinesReceiver(file: file), start: start, configure: configure, fileID: fileID, line: line)
  }

  /// A closure that is called like an old logger: on the caller's thread, with a name and plain values.
  ///
  /// It has no statistics. On the old side of a migration it gets the call site's original objects, and only mutations
  /// on the caller's thread apply.
  public static func plain(
    _ id: Sink.ID, _ log: @escaping @Sendable (_ name: String, _ parameters: [String: Any]) -> Void
  ) -> Sink {
    Sink(id, .plain(log))
  }

  /// A closure that is called on the caller's thread with each event.
  ///
  /// If it throws, only this sink loses the event and counts it as dropped (`sinkFailed`).
  public static func closure(_ id: Sink.ID, _ body: @escaping @Sendable (TrackingEvent) throws -> Void) -> Sink {
    Sink(id, .direct(DirectSink(body)))
  }
}

private struct ClosureReceiver: EventReceiver {
  let body: @Sendable ([TrackingData]) async throws(EventReceiverFailure) -> Void

  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    try await body(events)
  }
}

extension Sink.ID {
  /// A file name unique to the id: letters, digits, `_` and `-` unchanged, other bytes as `%` and two hexadecimal
  /// digits.
  var fileName: String {
    rawValue.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}

// MARK: - Printing

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
