import DualSendCore

/// What a comparison is told about where events belong.
package enum StreamMembership: Sendable {
  /// Every event belongs in both streams.
  case everywhere
  /// The same, but nobody minds an event that only these streams have.
  case loneAllowed(in: Set<StreamSide>)
  /// Where the rollout document sends an event.
  case rollout(RolloutMembership)

  /// Where an event belongs that only one stream has.
  ///
  /// - Parameters:
  ///   - names: the old names that it may have.
  ///   - payload: the new payload, or what the table makes of the old one.
  func ofLone(
    _ side: StreamSide, _ record: LineRecord, names: [String], payload: [String: EventValue]
  ) -> EventMembership {
    switch self {
    case .everywhere: return .both
    case .loneAllowed(let sides):
      return sides.contains(side) ? EventMembership(old: side == .old, new: side == .new) : .both
    case .rollout(let rollout):
      return rollout.membership(
        of: names, unit: rollout.unit(of: side == .old ? record.line : nil, payload: payload),
        time: record.line.milliseconds, payload: payload)
    }
  }

  /// Where an event belongs that both streams have.
  func ofPair(named name: String, _ old: LineRecord, _ new: LineRecord) -> EventMembership {
    guard case .rollout(let rollout) = self else { return .both }
    let payload = rollout.readsPayload(of: old.line) ? new.line.payload ?? [:] : [:]
    return rollout.membership(
      of: [name], unit: rollout.unit(of: old.line, payload: payload), time: old.line.milliseconds, payload: payload)
  }

  /// What a report keeps of this.
  var summary: Summary {
    switch self {
    case .everywhere: .everywhere
    case .loneAllowed(let sides): .loneAllowed(in: sides)
    case .rollout(let rollout): .rollout(revision: rollout.revision)
    }
  }

  /// By what a report judged lone events.
  package enum Summary: Sendable, Hashable {
    case everywhere
    case loneAllowed(in: Set<StreamSide>)
    case rollout(revision: Int64)
  }
}

extension StreamMembership.Summary: CustomStringConvertible {
  /// What a report says about it.
  package var description: String {
    switch self {
    case .everywhere: "every event belongs in both streams"
    case .loneAllowed(let sides):
      "events that only the " + StreamSide.allCases.filter(sides.contains).map(\.word).joined(separator: " or the ")
        + " stream has were let pass"
    case .rollout(let revision): "revision \(revision) of the rollout says where an event belongs"
    }
  }
}
