import DualSend
import DualSendCommandLine
package import DualSendCore
import DualSendRollout
package import DualSendTracking

extension Replay.Report {
  /// The sum over all names.
  package var total: ReplayCounts {
    counts.values.reduce(ReplayCounts(), +)
  }

  /// One row per event name, then the totals, then the ledger.
  package var text: String {
    var table = TextTable(
      [.words("event")]
        + ["seen", "old only", "new only", "both", "neither", "delivered", "dead-lettered", "pending"].map {
          TextTable.Column.numbers($0)
        })
    for (name, counts) in counts.sorted(by: { $0.key < $1.key }) { table.addRow([name.text] + counts.cells) }
    table.addRule()
    table.addRow(["total"] + total.cells)
    return table.text + "ledger: \(ledger)\n"
  }

  package var json: EventValue {
    let events = counts.sorted { $0.key < $1.key }.map { name, counts in
      EventValue.object(counts.members.merging(["name": .string(name.text)], uniquingKeysWith: { $1 }))
    }
    var members: [String: EventValue] = [
      "events": .array(events), "total": .object(total.members), "skippedLines": .int(Int64(skippedLines)),
      "malformedLines": .int(Int64(malformed.count)), "ledger": ledger.json,
    ]
    if let lastLine { members["lastLine"] = .int(Int64(lastLine)) }
    return .object(members)
  }
}

extension ReplayCounts {
  private var numbers: [Int] {
    let shares = [SinkDecision.Outcome.oldOnly, .newOnly, .both, .neither].map { outcomes[$0] ?? 0 }
    return [seen] + shares + [delivered, deadLettered, pending]
  }

  var cells: [String] { numbers.map(\.grouped) }

  var members: [String: EventValue] {
    let keys = ["seen", "oldOnly", "newOnly", "both", "neither", "delivered", "deadLettered", "pending"]
    return Dictionary(uniqueKeysWithValues: zip(keys, numbers.map { .int(Int64($0)) }))
  }
}

extension TrackingLedger {
  package var json: EventValue {
    let reasons = dropped.map { ($0.key.rawValue, EventValue.int(Int64($0.value))) }
    var members: [String: EventValue] = [
      "dropped": .object(Dictionary(uniqueKeysWithValues: reasons)), "isBalanced": .bool(isBalanced),
    ]
    for (name, count) in Self.counters { members[name] = .int(Int64(self[keyPath: count])) }
    return .object(members)
  }
}

extension Tracker.FlushReport.Obstacle {
  /// The obstacle in one line.
  package var text: String {
    switch self {
    case .cancelled: "it was cancelled"
    case .timedOut: "the time limit was reached"
    case .consent: "consent is not granted"
    case .paused(let reason): String(describing: reason)
    case .failing(let reason): String(describing: reason)
    case .store(let error): String(describing: error)
    }
  }
}

extension Tracker.FlushReport.Wait {
  /// What was waited for, in one line.
  package var text: String {
    let seconds = max(1, Int(duration.inSeconds.rounded(.up))).grouped
    return isAskedByServer
      ? "the collector asks to wait for \(seconds) s more (Retry-After)"
      : "the next attempt is due in \(seconds) s (back-off)"
  }
}
