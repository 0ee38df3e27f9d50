package import DualSendCore
package import DualSendRollout

/// One decision with its numbers, for the log and for `tell`.
package struct GuardDecision: Sendable, Hashable {
  /// The kinds of decisions.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// Publishes the first step, or starts at a live one.
    case begin
    case wait
    case advance
    /// The last step keeps its bounds.
    case done
    case hold
    case back
    case kill
    /// Somebody else changed the document.
    case conflict
    /// Lines that came late ended a breach; the step begins again.
    case withdraw

    /// Whether a bound was broken.
    package var isBreach: Bool { [.hold, .back, .kill].contains(self) }
    /// Whether it takes the new side from units.
    var lowersShare: Bool { [.back, .kill].contains(self) }
  }

  /// The number of the decision. A decision to wait has the number of the previous decision.
  package var number: Int64
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64
  package var action: Action
  package var from: RolloutPercentage
  package var to: RolloutPercentage
  package var why: String
  /// The judged series.
  package var series: EventValue = []

  /// The decision if its share cannot be published.
  func unpublished(_ reason: String) -> GuardDecision {
    var decision = self
    (decision.to, decision.why) = (from, "\(why); cannot publish: \(reason)")
    return decision
  }

  /// The decision as one object.
  package var json: EventValue {
    [
      "number": .int(number), "time": .string(Timestamp.text(milliseconds: time)), "action": .string(action.rawValue),
      "from": .int(Int64(from.thousandths)), "to": .int(Int64(to.thousandths)), "why": .string(why), "series": series,
    ]
  }

  /// The decision on one line.
  package var text: String {
    let share = from == to ? "\(from)" : "\(from) → \(to)"
    return "\(Timestamp.text(milliseconds: time))  \(action.rawValue)  \(share)  \(why)"
  }
}

extension GuardDecision {
  /// - Returns: `nil` for anything but what ``json`` makes.
  package init?(_ value: EventValue) {
    guard let number = value["number"]?.number,
      let time = value["time"]?.text.flatMap({ Timestamp.milliseconds(text: $0) }),
      let action = value["action"]?.text.flatMap(Action.init), let why = value["why"]?.text,
      let from = value["from"]?.number.flatMap({ RolloutPercentage(thousandths: Int(clamping: $0)) }),
      let to = value["to"]?.number.flatMap({ RolloutPercentage(thousandths: Int(clamping: $0)) })
    else { return nil }
    self.init(number: number, time: time, action: action, from: from, to: to, why: why, series: value["series"] ?? [])
  }
}
