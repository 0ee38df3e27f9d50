import DualSendCore

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

  /// Where an event belongs that only one stream has.
  ///
  /// - Parameters:
  ///   - stamp: what the event's app decided; `nil` if the event does not say.
  ///   - names: the old names that it may have.
  ///   - payload: the new payload, or what the table makes of the old one.
  func ofLone(
    _ side: StreamSide, _ record: LineRecord, stamp: DecisionStamp?, names: [String], payload: [String: EventValue]
  ) -> EventMembership {
    let old = side == .old ? record.line : nil
    switch (stamp, self) {
    case (nil, .everywhere): return .both
    case (nil, .loneAllowed(let sides)):
      return sides.contains(side) ? EventMembership(old: side == .old, new: side == .new) : .both
    case (nil, .rollout(let rollout)):
      return rollout.membership(
        of: names, unit: rollout.unit(of: old, payload: payload), time: record.line.milliseconds, payload: payload)
    case (let stamp?, _): return membership(stamp, names: names, old: old, payload: payload)
    }
  }

  /// Where an event belongs that both streams have.
  ///
  /// - Parameter stamps: what each line says that the event's app decided.
  func ofPair(
    named name: String, _ old: LineRecord, _ new: LineRecord, stamps: (old: DecisionStamp?, new: DecisionStamp?)
  ) -> EventMembership {
    var payload: [String: EventValue] = [:]
    if case .rollout(let rollout) = self, rollout.readsPayload(of: old.line) { payload = new.line.payload ?? [:] }
    if let stamp = stamps.old ?? stamps.new {
      var membership = membership(stamp, names: [name], old: old.line, payload: payload)
      if let other = stamps.new, other != stamp { membership.isContradicted = true }
      return membership
    }
    guard case .rollout(let rollout) = self else { return .both }
    return rollout.membership(
      of: [name], unit: rollout.unit(of: old.line, payload: payload), time: old.line.milliseconds, payload: payload)
  }

  private func membership(
    _ stamp: DecisionStamp, names: [String], old: EventLine?, payload: [String: EventValue]
  ) -> EventMembership {
    var membership = EventMembership(stamp)
    if case .rollout(let rollout) = self {
      membership.isContradicted = rollout.contradicts(
        stamp, of: names, unit: rollout.unit(of: old, payload: payload), payload: payload)
    }
    return membership
  }

  /// What a report keeps of this.
  var summary: Summary {
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
