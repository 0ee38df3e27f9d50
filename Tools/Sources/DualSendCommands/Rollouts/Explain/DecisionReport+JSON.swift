import DualSend
package import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension DecisionReport {
  /// The decision with everything that led to it.
  package var json: EventValue {
    var members: [String: EventValue] = [
      "event": .string(event), "outcome": .string(decision.outcome.rawValue),
      "shouldSendLogToOldLogger": explanation.oldLogger.json,
      "shouldSendLogToNewTracker": explanation.newTracker.json, "rules": .array(trace.rules.map(json)),
    ]
    if let time { members["time"] = .string(time) }
    if let unitID = context.unitID { members["unitID"] = .string(unitID) }
    if let bucket = trace.decision.bucket { members["bucket"] = .int(Int64(bucket)) }
    if let expectation = trace.expectation {
      members["expectation"] = .object(
        Dictionary(
          uniqueKeysWithValues: SinkDecision.Outcome.allCases.map { ($0.rawValue, expectation.share(of: $0).json) }))
    }
    if !sinks.isEmpty { members["sinks"] = .array(sinks.map { $0.explanation.json(expecting: $0.expectation) }) }
    return .object(members)
  }
}

extension DecisionReport {
  private func json(_ rule: RolloutTrace.Rule) -> EventValue {
    var members = rule.members
    if !sinks.isEmpty { members["decidesSinks"] = .array(sinks(decidedBy: .rule(rule.index)).map { .string($0) }) }
    return .object(members)
  }
}

extension SinkDecision.SinkExplanation {
  fileprivate func json(expecting expectation: RolloutPercentage?) -> EventValue {
    var members: [String: EventValue] = [
      "sink": .string(sink), "side": .string(side.rawValue), "isOn": .bool(isOn), "because": .string(description),
    ]
    if let percentage { members["percentage"] = percentage.json }
    if let threshold { members["threshold"] = .string(threshold) }
    if let expectation { members["expectation"] = expectation.json }
    return .object(members)
  }
}

extension RolloutPercentage {
  /// The percentage as a number.
  package var json: EventValue { .double(Double(thousandths) / 1000) }
}

extension RolloutTrace.Rule {
  fileprivate var members: [String: EventValue] {
    var members: [String: EventValue] = [
      "rule": .int(Int64(index + 1)), "matches": .bool(matches),
      "obstacles": .array(obstacles.map { .string($0.words) }), "decidesOldLogger": .bool(decidesOldLogger),
      "decidesNewTracker": .bool(decidesNewTracker),
    ]
    if let name { members["name"] = .string(name) }
    if let oldLogger { members["oldLogger"] = oldLogger.json }
    if let newTracker { members["newTracker"] = newTracker.json }
    return members
  }
}

extension SinkDecision.Explanation.Flag {
  fileprivate var json: EventValue {
    var members: [String: EventValue] = ["isOn": .bool(isOn), "because": .string(description)]
    if let percentage { members["percentage"] = percentage.json }
    if let threshold { members["threshold"] = .string(threshold) }
    return .object(members)
  }
}
