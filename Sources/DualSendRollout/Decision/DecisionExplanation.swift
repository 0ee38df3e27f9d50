import DualSendCore

extension SinkDecision {
  /// A decision in names and numbers.
  package struct Explanation: Sendable, Hashable {
    /// The reason why a flag is on or off.
    package struct Flag: Sendable, Hashable {
      /// The flag's key in a document.
      package let key: String
      /// Whether the sink receives the event.
      package let isOn: Bool
      /// The place that decided.
      package let reason: SinkDecision.Reason
      /// The name of the rule that decided; `nil` if no rule did or it has no name.
      package let ruleName: String?
      /// The share that decided; `nil` if no share did.
      package let percentage: RolloutPercentage?
      /// The condition on the bucket, such as `bucket < 5000`; `nil` if no share decided.
      package let threshold: String?
      /// The unit's bucket, `0..<100_000`.
      package let bucket: Int?
    }

    /// The reason for the old logger's flag.
    package let oldLogger: Flag
    /// The reason for the new tracker's flag.
    package let newTracker: Flag
  }
}

extension SinkDecision.Explanation: CustomStringConvertible {
  /// One line for each flag.
  package var description: String {
    "\(oldLogger)\n\(newTracker)"
  }
}

extension SinkDecision.Explanation.Flag: CustomStringConvertible {
  /// One line: `shouldSendLogToNewTracker is on: rule 1 "home first" sets 25 %, bucket < 25000, and the bucket is 4711`.
  package var description: String {
    var text = "\(key) is \(isOn ? "on" : "off"): "
    switch reason {
    case .fixed: text += "set by the app"
    case .missingUnit: text += "there is no unit ID, so `missingUnit` decides"
    case .breaker: text += "the breaker on the device keeps the new side off"
    case .noSink: text += "neither share includes the unit, and the document does not allow that"
    case .topLevel: text += "the top level"
    case .rule(let index): text += "rule \(index + 1)" + (ruleName.map { " \"\($0.printable())\"" } ?? "")
    }
    if let percentage { text += " sets \(percentage)" }
    if let threshold, let bucket { text += ", which asks for \(threshold), and the bucket is \(bucket)" }
    return text
  }
}

extension RolloutSnapshot {
  /// Explains a decision of this snapshot.
  ///
  /// - Parameter decision: a decision of this snapshot. For another snapshot's decision, rule names and shares are wrong.
  package func explanation(of decision: SinkDecision) -> SinkDecision.Explanation {
    let shares = compiled?.shares(
      FlagPlaces(
        oldLogger: FlagPlace(decision.oldLoggerReason) ?? .topLevel,
        newTracker: FlagPlace(decision.newTrackerReason) ?? .topLevel))
    func flag(_ key: String, _ isOn: Bool, _ reason: SinkDecision.Reason, _ share: Int?, _ threshold: String)
      -> SinkDecision.Explanation.Flag
    {
      let place = FlagPlace(reason)
      return SinkDecision.Explanation.Flag(
        key: key, isOn: isOn, reason: reason, ruleName: place.flatMap(ruleName),
        percentage: place == nil ? nil : share.flatMap(RolloutPercentage.init(thousandths:)),
        threshold: place == nil ? nil : threshold, bucket: decision.bucket)
    }
    return SinkDecision.Explanation(
      oldLogger: flag(
        "shouldSendLogToOldLogger", decision.shouldSendLogToOldLogger, decision.oldLoggerReason, shares?.oldLogger,
        "bucket >= \(shares?.oldThreshold ?? 0)"),
      newTracker: flag(
        "shouldSendLogToNewTracker", decision.shouldSendLogToNewTracker, decision.newTrackerReason,
        shares?.newTracker, "bucket < \(shares?.newThreshold ?? 0)"))
  }

  /// The name of the rule at a place; `nil` for the top level and for rules without a name.
  private func ruleName(_ place: FlagPlace) -> String? {
    guard case .rule(let index) = place, let rules = document?.rules, rules.indices.contains(index) else { return nil }
    return rules[index].name
  }
}

extension FlagPlace {
  init?(_ reason: SinkDecision.Reason) {
    switch reason {
    case .rule(let index): self = .rule(index)
    case .topLevel: self = .topLevel
    case .missingUnit, .fixed, .breaker, .noSink: return nil
    }
  }
}
