import DualSend
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension BreakerReach {
  /// One block: whom breakers can bring back to the old logger.
  var text: String {
    guard !events.isEmpty else {
      return "breakers: the new document gives nothing to the new side, so none can step back"
    }
    let lines = events.map { events in
      var parts = [
        "up to \(events.steppingBack) can step back, of which up to \(events.returning) come back to the old logger"
      ]
      if !events.namedUnits.isEmpty { parts.append("\(events.namedUnits.count.counted("named unit")) can") }
      if events.withoutUnit { parts.append("so can events without a unit ID") }
      return "    \(PlanWords.list(events.patterns)): " + parts.joined(separator: "; ")
    }
    return
      (["breakers, whatever opens them, with the new document (shares of all units):"] + lines + [
        "    a breaker leaves no unit without a sink: the old logger gets what the new tracker would get"
      ]).joined(separator: "\n")
  }

  var json: EventValue {
    .array(
      events.map { events in
        [
          "patterns": .array(events.patterns.map { .string($0.description) }),
          "steppingBack": events.steppingBack.json, "returning": events.returning.json,
          "namedUnits": .array(events.namedUnits.map { .string($0) }), "withoutUnit": .bool(events.withoutUnit),
        ]
      })
  }
}
