import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import DualSendRolloutAnalysis

/// The decision for one event, as `dualsend explain` shows it.
package struct DecisionReport {
  private let document: RolloutDocument
  private let snapshot: RolloutSnapshot
  let event: String
  let context: DecisionContext
  let trace: RolloutTrace
  /// What the device does; the trace's own decision unless its breaker is open.
  let decision: SinkDecision
  let explanation: SinkDecision.Explanation
  /// The sinks that the document names, in order, each with the share of units that it receives.
  let sinks: [(explanation: SinkDecision.SinkExplanation, expectation: RolloutPercentage?)]

  /// - Parameter isSteppedBack: whether the device's breaker is open.
  package init(
    of document: RolloutDocument, at time: Int64, event: String, context: DecisionContext, isSteppedBack: Bool = false
  ) {
    self.document = document
    self.event = event
    self.context = context
    snapshot = RolloutSnapshot(document, at: time)
    trace = snapshot.trace(for: event, context: context)
    decision = isSteppedBack ? trace.decision.withOpenBreaker : trace.decision
    explanation = snapshot.explanation(of: decision)
    sinks = document.sinks.map(\.sink).sorted().map { [snapshot] sink in
      (
        snapshot.explanation(of: sink.id, on: sink.side, event: event, context: context, isSteppedBack: isSteppedBack),
        snapshot.reach(of: sink, event: event, context: context)?.share
      )
    }
  }

  var text: String {
    var lines = ["`\(event.printable())`: \(subject)"]
    if let time { lines.append("schedules are evaluated at \(time)") }
    lines.append("")
    lines.append(rules.text)
    lines.append(explanation.description)
    lines.append("so the event goes to: \(decision.outcome.destinations)")
    if let expectation = trace.expectation {
      let shares = SinkDecision.Outcome.allCases.filter { !expectation.buckets(of: $0).isEmpty }.map {
        "\($0.words) \(expectation.share(of: $0))"
      }
      lines.append("of all units that the same rules decide: " + shares.joined(separator: ", "))
    }
    for (sink, expectation) in sinks {
      lines.append(sink.description + (expectation.map { "; of all units that the same rules decide: \($0)" } ?? ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The time at which schedules are evaluated; `nil` if there are none, so that two runs print the same.
  var time: String? {
    document.changeTimes.isEmpty ? nil : snapshot.time.map { Timestamp.text(milliseconds: $0) }
  }

  private var subject: String {
    let unit = context.unitID.map { id in
      "unit `\(id.printable())`" + (trace.decision.bucket.map { " in bucket \($0)" } ?? "")
    }
    let rest = context.description
    return [unit ?? "no unit ID", rest.isEmpty ? nil : rest].compactMap { $0 }.joined(separator: ", ")
  }

  private var rules: TextTable {
    var table = TextTable([
      .numbers("#"), .words("rule"), .words("matches"), .numbers("old"), .numbers("new"), .words("decides"),
    ])
    for rule in trace.rules {
      let matches = rule.matches ? "yes" : "no: " + rule.obstacles.map(\.words).joined(separator: ", ")
      table.addRow([
        "\(rule.index + 1)", rule.name ?? "", matches, rule.oldLogger?.description ?? "",
        rule.newTracker?.description ?? "",
        decided(rule.decidesOldLogger, rule.decidesNewTracker, by: .rule(rule.index)),
      ])
    }
    table.addRow([
      "", "top level", "yes", topLevel(\.shouldSendLogToOldLogger, otherwise: .all).description,
      topLevel(\.shouldSendLogToNewTracker, otherwise: .none).description,
      decided(
        trace.decision.oldLoggerReason == .topLevel, trace.decision.newTrackerReason == .topLevel, by: .topLevel),
    ])
    return table
  }

  private func topLevel(
    _ flag: KeyPath<RolloutDocument, RolloutFlag>, otherwise: RolloutPercentage
  ) -> RolloutPercentage {
    document[keyPath: flag].percentage(at: snapshot.time) ?? otherwise
  }

  private func decided(_ old: Bool, _ new: Bool, by place: SinkDecision.Reason) -> String {
    ([old ? "old" : nil, new ? "new" : nil].compactMap { $0 } + sinks(decidedBy: place)).joined(separator: ", ")
  }

  /// The named sinks whose share this rule, or the top level, decides.
  func sinks(decidedBy place: SinkDecision.Reason) -> [String] {
    sinks.map(\.explanation).filter { $0.reason == place }.map(\.sink)
  }
}

extension SinkDecision.Outcome {
  var destinations: String {
    switch self {
    case .oldOnly: "the old logger only"
    case .both: "the old logger and the new tracker"
    case .newOnly: "the new tracker only"
    case .neither: "no sink"
    }
  }
}

// MARK: - JSON

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
