import DualSendCore

/// Decides whether a rollout must be activated at once because it may be a kill: units lose the new tracker or a named sink
/// of its side, or are left without a sink.
///
/// Compares the documents rule by rule, not unit by unit as `dualsend plan` does. A change is recognised as harmless if the
/// salt stays, no share falls, and the rules differ in one place: an added rule gives at least what any place gave before,
/// and any place now gives at least what a removed rule gave. Each other change counts as a kill: applying a change early
/// does no harm, delaying a kill does.
struct KillCheck {
  /// A place that decides a share: the conditions of a rule; the last place is the top level, which matches everything.
  fileprivate struct Place {
    let match: RolloutMatch
    /// In buckets.
    let share: Int
    let allowsNeither: Bool
  }

  private let before: RolloutSnapshot
  private let after: RolloutSnapshot

  /// Whether replacing a rollout by another may be a kill.
  static func mayBeKill(from before: RolloutSnapshot, to after: RolloutSnapshot) -> Bool {
    let check = KillCheck(before: before, after: after)
    return check.isReshuffle || check.mayTakeNewSide || check.mayTakeEverySink || check.mayTakeFromEventsWithoutUnit
  }

  private var isReshuffle: Bool {
    guard let before = before.document, let after = after.document else { return false }
    return !before.salt.isExactly(after.salt)
  }

  private var mayTakeNewSide: Bool {
    let sinks = [before, after].flatMap { $0.document?.sinks ?? [] }.map(\.sink).filter { $0.side == .new }
    return !all(\.newTracker) { $0.share <= $1.share }
      || sinks.contains { sink in !Self.all(before.places(of: sink), after.places(of: sink)) { $0.share <= $1.share } }
  }

  /// A unit has neither sink only where a place that decides allows it. It had neither before if that place allowed it, too,
  /// and neither share was higher.
  private var mayTakeEverySink: Bool {
    let placesAfter = after.places(\.oldLogger) + after.places(\.newTracker)
    guard placesAfter.contains(where: \.allowsNeither) else { return false }
    return !all(\.oldLogger) { $0.share <= $1.share && (!$1.allowsNeither || $0.allowsNeither) }
      || !all(\.newTracker) { !$1.allowsNeither || $0.allowsNeither }
  }

  /// Without a unit, `missingUnit` decides unless both shares are 0 % or 100 %. The new share does not fall, so such an
  /// event can lose the new tracker only if that changes: by another `missingUnit`, or through the old share.
  private var mayTakeFromEventsWithoutUnit: Bool {
    func isWhole(_ share: Int) -> Bool { share == 0 || share == RolloutBucket.count }
    let outcomes = [before, after].map { $0.document?.missingUnit.outcome.includesNewTracker }
    switch (outcomes[0] ?? outcomes[1] ?? false, outcomes[1] ?? outcomes[0] ?? false) {
    case (true, false): return true
    case (false, true): return false
    case (true, true):
      return !all(\.oldLogger) { isWhole($0.share) || !isWhole($1.share) }
    case (false, false):
      return before.places(\.newTracker).contains { $0.share == RolloutBucket.count }
        && !all(\.oldLogger) { !isWhole($0.share) || isWhole($1.share) }
    }
  }

  /// Whether a relation holds for the places that decide a flag before and after, for every event, context and unit.
  private func all(_ flag: KeyPath<FlagShares, Int>, _ holds: (Place, Place) -> Bool) -> Bool {
    Self.all(before.places(flag), after.places(flag), holds)
  }

  /// Places at the start and at the end that match the same decide for the same events, before and after. One that was
  /// removed may be followed by any place, and one that was added may follow any.
  private static func all(_ before: [Place], _ after: [Place], _ holds: (Place, Place) -> Bool) -> Bool {
    let start = zip(before, after).prefix { $0.match == $1.match }.count
    let (restBefore, restAfter) = (before.dropFirst(start), after.dropFirst(start))
    let end = zip(restBefore.reversed(), restAfter.reversed()).prefix { $0.match == $1.match }.count
    return zip(before, after).prefix(start).allSatisfy { holds($0, $1) }
      && zip(before.suffix(end), after.suffix(end)).allSatisfy { holds($0, $1) }
      && restBefore.dropLast(end).allSatisfy { removed in after.allSatisfy { holds(removed, $0) } }
      && restAfter.dropLast(end).allSatisfy { added in before.allSatisfy { holds($0, added) } }
  }
}

extension RolloutSnapshot {
  /// The rules that set a flag, in order, and the top level.
  fileprivate func places(_ flag: KeyPath<FlagShares, Int>) -> [KillCheck.Place] {
    guard let compiled else {
      let outcome = decision(for: "", context: DecisionContext()).outcome
      let shares = FlagShares(
        oldLogger: outcome.includesOldLogger ? RolloutBucket.count : 0,
        newTracker: outcome.includesNewTracker ? RolloutBucket.count : 0)
      return [
        KillCheck.Place(match: .everything, share: shares[keyPath: flag], allowsNeither: outcome == .neither)
      ]
    }
    return compiled.document.places { place in
      let share = compiled.shares(FlagPlaces(oldLogger: place, newTracker: place))[keyPath: flag]
      return share < 0 ? nil : share
    }
  }

  /// The rules that narrow a sink, in order, and the top level.
  fileprivate func places(of sink: RolloutSink) -> [KillCheck.Place] {
    guard let document else {
      return [KillCheck.Place(match: .everything, share: RolloutBucket.count, allowsNeither: false)]
    }
    return document.places { place in
      switch place {
      case .topLevel: document.sinks.flag(of: sink)?.percentage(at: time)?.thousandths ?? RolloutBucket.count
      case .rule(let index): document.rules[index].sinks.flag(of: sink)?.percentage(at: time)?.thousandths
      }
    }
  }
}

extension RolloutDocument {
  /// - Parameter share: the share that a place sets, in buckets; `nil` if none.
  fileprivate func places(_ share: (FlagPlace) -> Int?) -> [KillCheck.Place] {
    (rules.indices.map(FlagPlace.rule) + [.topLevel]).compactMap { place in
      let match = if case .rule(let index) = place { rules[index].match } else { RolloutMatch.everything }
      return share(place).map { KillCheck.Place(match: match, share: $0, allowsNeither: allowsNeither(at: place)) }
    }
  }
}
