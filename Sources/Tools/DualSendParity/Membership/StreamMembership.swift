package import DualSendCore

/// How a comparison determines the streams in which events belong.
///
/// An event that carries a decision is judged by it; a rollout document only checks the decision. The cases apply to all
/// other events.
package enum StreamMembership: Sendable {
  /// Every event belongs in both streams.
  case everywhere
  /// Every event belongs in both streams, but events that only these streams have are allowed.
  case oneSidedAllowed(in: Set<StreamSide>)
  /// Rollout documents determine the streams.
  case rollout(RolloutMembership)

  /// The membership of an event.
  ///
  /// - Parameters:
  ///   - decisions: the decision that each line carries; `nil` if there is none.
  ///   - names: the possible old names.
  ///   - time: in milliseconds since 1970; `nil` if unknown.
  ///   - payload: the new payload, or the old one after the table.
  package func membership(
    decisions: (old: CarriedDecision?, new: CarriedDecision?), names: [String], unit: RolloutMembership.Unit,
    time: Int64?,
    payload: [String: EventValue]
  ) -> EventMembership {
    guard let decision = decisions.old ?? decisions.new else {
      guard case .rollout(let rollout) = self else { return .both }
      return rollout.membership(of: names, unit: unit, time: time, payload: payload)
    }
    var membership = EventMembership(decision)
    if let other = decisions.new, other != decision {
      membership.isContradicted = true
    } else if case .rollout(let rollout) = self {
      membership.isContradicted = rollout.contradicts(decision, of: names, unit: unit, payload: payload)
    }
    return membership
  }

  /// The membership of an event that only one stream has.
  func ofUnpaired(
    _ side: StreamSide, _ record: LineRecord, decision: CarriedDecision?, names: [String], payload: [String: EventValue]
  ) -> EventMembership {
    if decision == nil, case .oneSidedAllowed(let sides) = self, sides.contains(side) {
      return EventMembership(old: side == .old, new: side == .new)
    }
    return membership(
      decisions: (side == .old ? decision : nil, side == .new ? decision : nil), names: names,
      unit: unit(of: side == .old ? record.line : nil, payload: payload), time: record.line.milliseconds,
      payload: payload)
  }

  /// The membership of an event that both streams have.
  func ofPair(
    named name: String, _ old: LineRecord, _ new: LineRecord, decisions: (old: CarriedDecision?, new: CarriedDecision?)
  ) -> EventMembership {
    var payload: [String: EventValue] = [:]
    if case .rollout(let rollout) = self {
      if rollout.readsPayload(of: old.line) { payload = new.line.payload ?? [:] }
    } else if decisions.old == nil, decisions.new == nil {
      return .both
    }
    return membership(
      decisions: decisions, names: [name], unit: unit(of: old.line, payload: payload), time: old.line.milliseconds,
      payload: payload)
  }

  private func unit(of old: EventLine?, payload: [String: EventValue]) -> RolloutMembership.Unit {
    if case .rollout(let rollout) = self { rollout.unit(of: old, payload: payload) } else { .unknown }
  }

  /// The summary for a report.
  package var summary: Summary {
    switch self {
    case .everywhere: .everywhere
    case .oneSidedAllowed(let sides): .oneSidedAllowed(in: sides)
    case .rollout(let rollout): .rollout(revisions: rollout.revisionNumbers, late: rollout.late)
    }
  }

  /// How a report judged events without a decision.
  package enum Summary: Sendable, Hashable {
    case everywhere
    case oneSidedAllowed(in: Set<StreamSide>)
    /// The revisions in the order of publication, and ``RolloutMembership/late``.
    case rollout(revisions: [Int64], late: Int64)
  }
}

extension StreamMembership.Summary: CustomStringConvertible {
  /// The summary as text for reports.
  package var description: String {
    switch self {
    case .everywhere: "events without a decision belong in both streams"
    case .oneSidedAllowed(let sides):
      "events without a decision pass that only the "
        + StreamSide.allCases.filter(sides.contains).map(\.word).joined(separator: " or the ") + " stream has"
    case .rollout(let revisions, let late):
      "events without a decision are judged by "
        + (revisions.count == 1
          ? "revision \(revisions[0]) of the rollout"
          : "revisions \(revisions.map(String.init).joined(separator: ", ")) of the rollout, at most \(late.asDuration) late")
    }
  }
}

extension Int64 {
  /// Milliseconds in the largest unit without a remainder: `24 h`.
  fileprivate var asDuration: String {
    let units: [(name: String, milliseconds: Int64)] = [("h", 3_600_000), ("min", 60_000), ("s", 1000)]
    guard self != 0, let unit = units.first(where: { isMultiple(of: $0.milliseconds) }) else { return "\(self) ms" }
    return "\(self / unit.milliseconds) \(unit.name)"
  }
}
