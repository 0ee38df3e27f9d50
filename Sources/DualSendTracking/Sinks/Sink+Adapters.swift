public import DualSendCore
public import Foundation
import Logging

// What a sink can be. Those with a store first.
extension Sink {
  /// A tracker of its own: another collector, or any receiver.
  ///
  /// Its store must be its own. By default each destination has one; give two trackers for the same destination names
  /// with `.applicationSupport(name:)`.
  public static func tracker(_ id: Sink.ID, _ tracker: Tracker) -> Sink {
    Sink(id, .tracker(tracker))
  }

  /// A receiver behind a store of its own, in the app's support folder unless the configuration is changed.
  ///
  /// Lines of its log have the id as `sink` in their metadata.
  ///
  /// - Parameters:
  ///   - id: what tells it apart; its store is named after it.
  ///   - receiver: gets the events.
  ///   - start: when what waits is handed over.
  ///   - configure: changes whatever else of the tracker's configuration.
  public static func buffered(
    _ id: Sink.ID, to receiver: any EventReceiver,
    start: TrackerConfiguration.FlowControl = TrackerConfiguration.Digest().start,
    configure: (inout TrackerConfiguration) -> Void = { _ in }
  ) -> Sink {
    var configuration = TrackerConfiguration(
      destination: .receiver(receiver), storage: .applicationSupport(name: "sink-" + id.fileName),
      digest: TrackerConfiguration.Digest(start: start))
    configuration.logger[metadataKey: "sink"] = .string(id.rawValue.printable())
    configuration.sinkID = id
    configure(&configuration)
    return Sink(id, .tracker(Tracker(configuration: configuration)))
  }

  /// A closure behind a store of its own; see ``buffered(_:to:start:configure:)``.
  public static func buffered(
    _ id: Sink.ID, start: TrackerConfiguration.FlowControl = TrackerConfiguration.Digest().start,
    configure: (inout TrackerConfiguration) -> Void = { _ in },
    receive: @escaping @Sendable ([TrackingData]) async throws(EventReceiverFailure) -> Void
  ) -> Sink {
    buffered(id, to: ClosureReceiver(body: receive), start: start, configure: configure)
  }

  /// A file that gets each event as a line of JSON in its wire form, behind a store of its own.
  ///
  /// The file is made, readable by its owner only, if it is not there; lines are appended, and every batch ends on the disk.
  public static func jsonLines(
    _ id: Sink.ID, file: URL, start: TrackerConfiguration.FlowControl = TrackerConfiguration.Digest().start,
    configure: (inout TrackerConfiguration) -> Void = { _ in }
  ) -> Sink {
    buffered(id, to: JSONLinesReceiver(file: file), start: start, configure: configure)
  }

  /// A closure that is called as an old logger is: on the thread of the call site, with a name and plain values.
  ///
  /// Nothing is counted for it. On the old side of a migration it gets the very objects that the call site gave, and only
  /// mutations on the caller's thread reach it.
  public static func plain(
    _ id: Sink.ID, _ log: @escaping @Sendable (_ name: String, _ parameters: [String: Any]) -> Void
  ) -> Sink {
    Sink(id, .plain(log))
  }

  /// A closure, called on the thread of the call site with each event.
  ///
  /// What it throws costs only this sink the event, which is counted as dropped (`sinkFailed`).
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
  /// A file name that no other id has: letters, digits, `_` and `-` as they are, every other byte as `%` and two digits.
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
