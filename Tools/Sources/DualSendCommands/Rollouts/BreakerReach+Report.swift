import DualSend
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension BreakerReach {
  /// One block: the units that breakers can return to the old logger.
  var text: String {
    guard !events.isEmpty else {
      return "breakers: the document gives nothing to the new side, so no device can step back"
    }
    let lines = events.map { events in
      var parts = ["up to \(events.steppingBack) can step back", "up to \(events.returning) have only the new tracker"]
      if !events.namedUnits.isEmpty { parts.append("\(events.namedUnits.count.counted("named unit")) can") }
      if events.withoutUnit { parts.append("events without a unit ID can") }
      return "    \(PlanWords.list(events.patterns)): " + parts.joined(separator: "; ")
    }
    let proof = leavesUnitsWithoutSink ? "units can be left without a sink" : "no unit is left without a sink"
    return (["breakers (shares of all units):"] + lines + ["    while a breaker is open, " + proof])
      .joined(separator: "\n")
  }

  var json: EventValue {
    [
      "events": .array(events.map(\.json)), "leavesUnitsWithoutSink": .bool(leavesUnitsWithoutSink),
    ]
  }
}

extension BreakerReach.Events {
  fileprivate var json: EventValue {
    [
      "patterns": .array(patterns.map { .string($0.description) }),
      "steppingBack": steppingBack.json, "returning": returning.json,
      "namedUnits": .array(namedUnits.map { .string($0) }), "withoutUnit": .bool(withoutUnit),
    ]
  }
}

/// The units that breakers can return to the old logger, before every schedule of a document and after each step that
/// changes them.
struct BreakerReaches {
  private let name: String
  private let phases: [(from: Int64?, reach: BreakerReach)]

  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  init(of document: RolloutDocument, name: String) throws(DocumentError) {
    self.name = name.hidingSecrets
    var phases: [(from: Int64?, reach: BreakerReach)] = []
    for time in document.provedTimes {
      let reach = try BreakerReach(of: document, at: time)
      if phases.last?.reach != reach { phases.append((time, reach)) }
    }
    self.phases = phases
  }

  var text: String {
    let blocks = phases.map { from, reach in
      (from.map { "from \(Timestamp.text(milliseconds: $0)) on, " } ?? "") + reach.text
    }
    return (["\(name.printable()):"] + blocks).joined(separator: "\n")
  }

  var json: EventValue {
    [
      "file": .string(name),
      "phases": .array(
        phases.map { from, reach in
          ["from": from.map { .string(Timestamp.text(milliseconds: $0)) } ?? .null, "reach": reach.json]
        }),
    ]
  }
}
