import DualSendCore
import DualSendParity

/// The events that fail more often than the limit allows, in the last 5 or 60 minutes.
///
/// An hour without failures ends an alarm, and a rare burst raises one, whatever was counted in the days before.
struct LiveAlarm: Sendable {
  private struct Counts: Sendable {
    var judged = 0
    var failing = 0
  }

  private static let windows: [Int64] = [5, 60]
  private static let minute: Int64 = 60_000
  /// The time between two looks. A report of many events is expensive.
  private static let interval: Int64 = 5_000
  private static let namedEvents = 20

  /// The counts so far at one time a minute, oldest first; the first one is as old as the longest window.
  private var samples: [(time: Int64, counts: [String: Counts])] = []
  private var counts: [String: Counts] = [:]
  private var looked: (time: Int64, sequence: Int64)?
  private let gate: ParityGate
  private var broken: [(name: String, recent: [Counts])] = []

  init(_ gate: ParityGate) { self.gate = gate }

  /// Looks at the counts, if it is time to.
  ///
  /// - Parameters:
  ///   - sequence: that of the last change of an event; without another one, `report` is not called.
  ///   - report: the comparison so far; `nil` without a table.
  mutating func look(
    at now: Int64, sequence: Int64, _ report: () -> ParityReport?
  ) {
    if let looked, now - looked.time < Self.interval, now >= looked.time { return }
    if samples.isEmpty { samples = [(now, [:])] }
    if looked?.sequence != sequence, let report = report() {
      counts = Dictionary(
        report.events.filter { $0.judged > 0 }.map { ($0.name, Counts(judged: $0.judged, failing: $0.failing)) },
        uniquingKeysWith: { first, _ in first })
    }
    looked = (now, sequence)
    let bases = Self.windows.map { window in
      samples.last { $0.time <= now - window * Self.minute }?.counts ?? samples[0].counts
    }
    broken = counts.compactMap { name, counts -> (name: String, recent: [Counts])? in
      let recent = bases.map { base in
        // A late side takes back that it was lost.
        Counts(
          judged: max(0, counts.judged - (base[name]?.judged ?? 0)),
          failing: max(0, counts.failing - (base[name]?.failing ?? 0)))
      }
      return recent.contains { gate.limit.isExceeded(by: $0.failing, of: $0.judged) } ? (name, recent) : nil
    }
    guard now - (samples.last?.time ?? 0) >= Self.minute else { return }
    samples.append((now, counts))
    let hour = now - 60 * Self.minute
    while samples.count > 1, samples[1].time <= hour { samples.removeFirst() }
  }

  /// The alarm for the page.
  ///
  /// - Parameters:
  ///   - canStop: whether an event can be stopped by a name.
  ///   - stops: those in force.
  func json(canStop: (String) -> Bool, stops: EventValue) -> EventValue {
    let worst = broken.sorted { ($1.recent[1].failing, $0.name) < ($0.recent[1].failing, $1.name) }
    return [
      "limit": .double(gate.limit.fraction), "count": .int(Int64(broken.count)), "stops": stops,
      "events": .array(
        worst.prefix(Self.namedEvents).map { name, recent in
          [
            "name": .string(name), "canStop": .bool(canStop(name)),
            "recent": .array(
              zip(Self.windows, recent).map { minutes, counts in
                [
                  "minutes": .int(minutes), "judged": .int(Int64(counts.judged)),
                  "failing": .int(Int64(counts.failing)), "rate": gate.rateJSON(counts.failing, of: counts.judged),
                ]
              }),
          ]
        }),
    ]
  }
}
