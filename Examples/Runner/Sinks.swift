import DualSend
import DualSendCollector
import DualSendCore
import Foundation

/// An event without what makes it unique, so that two visits can be compared.
struct SeenEvent: Hashable {
  let name: String
  let payload: [String: EventValue]
}

/// Both places where events end up.
struct Sinks {
  /// What each place holds.
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

  /// What came since this was asked for last, in order.
  mutating func arrivals() async throws -> Contents {
    let old = try Data(contentsOf: oldLog).split(separator: UInt8(ascii: "\n")).map { line in
      let event = try LegacyEvent(reading: line)
      return SeenEvent(name: event.name, payload: event.parameters)
    }
    let new = await collector.events.map { SeenEvent(name: $0.name, payload: $0.payload) }
    defer { seen = Contents(old: old, new: new) }
    return Contents(old: Array(old.dropFirst(seen.old.count)), new: Array(new.dropFirst(seen.new.count)))
  }
}
