import DualSend
package import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPlan {
  /// The whole plan, units that stay as they are included.
  var json: EventValue {
    var members: [String: EventValue] = [
      "before": before.json, "after": after.json, "isReshuffle": .bool(isReshuffle),
      "events": .array(events.map(\.json)), "unchangedPatterns": .int(Int64(unchangedPatterns)),
      "evictsSomebody": .bool(evictsSomebody), "leavesSomebodyWithoutSink": .bool(leavesSomebodyWithoutSink),
    ]
    if !namedSinks.isEmpty {
      members["sinks"] = .array(sinks.map(\.json))
      members["evictingSinks"] = .array(evictingSinks.map { .string($0.id) })
    }
    return .object(members)
  }
}

extension RolloutPlan.Revision {
  fileprivate var json: EventValue {
    [
      "revision": .int(revision),
      "time": time.map { .string(Timestamp.text(milliseconds: $0)) } ?? .null,
    ]
  }
}

extension RolloutPlan.Events {
  fileprivate var json: EventValue {
    [
      "patterns": .array(patterns.map { .string($0.description) }), "changes": .array(changes.map(\.json)),
      "units": .array(
        units.map { unit in
          ["event": .string(unit.exampleEvent), "example": unit.example.json, "move": SinkMove(unit.move).json]
        }),
    ]
  }
}

extension RolloutPlan.Change {
  fileprivate var json: EventValue {
    [
      "exampleEvent": .string(exampleEvent), "before": before.json, "after": after.json,
      "withoutUnit": SinkMove(withoutUnit).json,
      "transitions": .array(
        transitions.map { transition in
          [
            "from": .string(transition.from.rawValue), "to": .string(transition.to.rawValue),
            "percentage": transition.share.json, "example": transition.example?.json ?? .null,
          ]
        }),
      "gainsOldLogger": gainsOldLogger.json, "losesOldLogger": losesOldLogger.json,
      "gainsNewTracker": gainsNewTracker.json, "losesNewTracker": losesNewTracker.json,
      "losesEverySink": losesEverySink.json,
    ]
  }
}

extension RolloutPlan.Setting {
  fileprivate var json: EventValue {
    [
      "oldLogger": oldLogger.json, "newTracker": newTracker.json,
      "decidedBy": .array(decidedBy.map { .string($0) }),
    ]
  }
}

extension PopulationShare {
  /// The percentage as a number; exact, for ten decimals fit a double's digits.
  package var json: EventValue { .double(Double(parts) / Double(Self.count / 100)) }
}

extension DecisionContext {
  package var json: EventValue {
    var members: [String: EventValue] = [:]
    if let unitID { members["unitID"] = .string(unitID) }
    for property in ContextProperty.ofApp { members[property.rawValue] = self[property].map { .string($0) } }
    if !attributes.isEmpty { members["attributes"] = .object(attributes.mapValues { .string($0) }) }
    return .object(members)
  }
}
