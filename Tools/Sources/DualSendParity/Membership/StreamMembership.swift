package import DualSendCore

/// What a comparison is told about where events belong that do not say so themselves.
///
/// An event that carries its app's decision is judged by that; a rollout document then only checks the decision.
package enum StreamMembership: Sendable {
  /// Every event belongs in both streams.
  case everywhere
  /// The same, but events that only these streams have pass.
  case loneAllowed(in: Set<StreamSide>)
  /// Where rollout documents send an event.
  case rollout(RolloutMembership)

  /// Where an event belongs.
  ///
  /// - Parameters:
  ///   - stamps: what each side says that the event's app decided; `nil` for a side that is missing or does not say.
  ///   - names: the old names that the event may have.
  ///   - time: milliseconds since 1970; `nil` if it is not known.
  ///   - payload: the new payload, or what the table makes of the old one.
  package func membership(
    stamps: (old: DecisionStamp?, new: DecisionStamp?), names: [String], unit: RolloutMembership.Unit, time: Int64?,
    payload: [String: EventValue]
  ) -> EventMembership {
    guard let stamp = stamps.old ?? stamps.new else {
      guard case .rollout(let rollout) = self else { return .both }
      return rollout.membership(of: names, unit: unit, time: time, payload: payload)
    }
    var membership = EventMembership(stamp)
    if let other = stamps.new, other != stamp {
      membership.isContradicted = true
    } else if case .rollout(let rollout) = self {
      membership.isContradicted = rollout.contradicts(stamp, of: names, unit: unit, payload: payload)
    }
    return membership
  }

  /// Where an event belongs that only one stream has.
  func ofLone(
    _ side: StreamSide, _ record: LineRecord, stamp: DecisionStamp?, names: [String], payload: [String: EventValue]
  ) -> EventMembership {
    if stamp == nil, case .loneAllowed(let sides) = self, sides.contains(side) {
      return EventMembership(old: side == .old, new: side == .new)
    }
    return membership(
      stamps: (side == .old ? stamp : nil, side == .new ? stamp : nil), names: names,
      unit: unit(of: side == .old ? record.line : nil, payload: payload), time: record.line.milliseconds,
      payload: payload)
  }

  /// Where an event belongs that both streams have.
  func ofPair(
    named name: String, _ old: LineRecord, _ new: LineRecord, stamps: (old: DecisionStamp?, new: DecisionStamp?)
  ) -> EventMembership {
    var payload: [String: EventValue] = [:]
    if case .rollout(let rollout) = self {
      if rollout.readsPayload(of: old.line) { payload = new.line.payload ?? [:] }
    } else if stamps.old == nil, stamps.new == nil {
      return .both
    }
    return membership(
      stamps: stamps, names: [name], unit: unit(of: old.line, payload: payload), time: old.line.milliseconds,
      payload: payload)
  }

  private func unit(of old: EventLine?, payload: [String: EventValue]) -> RolloutMembership.Unit {
    if case .rollout(let rollout) = self { rollout.unit(of: old, payload: payload) } else { .unknown }
  }

  /// What a report keeps of this.
  package var summary: Summary {
    switch self {
    case .everywhere: .everywhere
    case .loneAllowed(let sides): .loneAllowed(in: sides)
    case .rollout(let rollout): .rollout(revisions: rollout.revisionNumbers, late: rollout.late)
    }
  }

  /// By what a report judged events that do not say themselves where they belong.
  package enum Summary: Sendable, Hashable {
    case everywhere
    case loneAllowed(in: Set<StreamSide>)
    /// The revisions in the order in which they were published, and how many milliseconds apps may go on with one after
    /// the next.
    case rollout(revisions: [Int64], late: Int64)
  }
}

extension StreamMembership.Summary: CustomStringConvertible {
  /// What a report says about it.
  package var description: String {
    switch self {
    case .everywhere: "events without a decision belong in both streams"
    case .loneAllowed(let sides):
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
  /// Milliseconds in the largest unit that leaves nothing over: `24 h`.
  fileprivate var asDuration: String {
    let units: [(name: String, milliseconds: Int64)] = [("h", 3_600_000), ("min", 60_000), ("s", 1000)]
    guard self != 0, let unit = units.first(where: { isMultiple(of: $0.milliseconds) }) else { return "\(self) ms" }
    return "\(self / unit.milliseconds) \(unit.name)"
  }
}
