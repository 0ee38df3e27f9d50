import DualSend
import DualSendCollector
import DualSendCore
import Foundation

/// An event without id, decision and time, so that two visits can be compared.
struct SeenEvent: Hashable {
  let name: String
  let payload: [String: EventValue]
}

/// The old log and the collector.
struct Sinks {
  /// The events in each sink.
  struct Contents {
    var old: [SeenEvent] = []
    var new: [SeenEvent] = []
  }

  let oldLog: URL
  let collector: CollectorServer
  private var seen = Contents()

  init(oldLog: URL, collector: CollectorServer) {
    self.oldLog = oldLog
    self.collector = collector
  }

  /// The events since the last call, in order.
  mutating func arrivals() async throws -> Contents {
    let old = try Data(contentsOf: oldLog).split(separator: UInt8(ascii: "\n")).map { line in
      let event = try LegacyEvent(reading: line)
      let ofDualSend: Set = ["dual_id", CarriedDecision.key]
      return SeenEvent(name: event.name, payload: event.parameters.filter { !ofDualSend.contains($0.key) })
    }
    let new = await collector.events.map { SeenEvent(name: $0.name, payload: $0.payload) }
    defer { seen = Contents(old: old, new: new) }
    return Contents(old: Array(old.dropFirst(seen.old.count)), new: Array(new.dropFirst(seen.new.count)))
  }
}
