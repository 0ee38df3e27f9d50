package import DualSendCore
package import DualSendRollout

/// One of the two streams.
package enum StreamSide: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case old, new

  var other: StreamSide { self == .old ? .new : .old }

  /// The name of the stream in messages.
  package var word: String { self == .old ? "old" : "new" }
}

/// The streams in which an event belongs, and the source of this information.
package struct EventMembership: Sendable, Equatable {
  /// The source of a membership.
  package enum Source: Sendable, Hashable, CaseIterable {
    /// The decision that the event carries.
    case decision
    /// A rollout document.
    case document
    /// A rule for all events.
    case nothing
  }

  package static let both = EventMembership(old: true, new: true)

  /// Whether the event belongs in the old stream; `nil` if unknown.
  package var old: Bool?
  /// Whether the event belongs in the new stream; `nil` if unknown.
  package var new: Bool?
  package var source: Source
  /// Whether the membership is unknown only because the possible revisions disagree.
  package var isInDoubt = false
  /// Whether the app cannot have made the decision that the event carries.
  package var isContradicted = false

  subscript(side: StreamSide) -> Bool? {
    side == .old ? old : new
  }

  package init(old: Bool?, new: Bool?, source: Source = .nothing) {
    (self.old, self.new, self.source) = (old, new, source)
  }

  /// The common part of several possibilities; unknown if there are none.
  init(_ possibilities: some Sequence<EventMembership>, source: Source) {
    let all = Array(possibilities)
    func common(_ side: StreamSide) -> Bool? {
      let answers = Set(all.map { $0[side] })
      return answers.count == 1 ? answers.first ?? nil : nil
    }
    self.init(old: common(.old), new: common(.new), source: source)
  }

  /// The membership for a decision by a document.
  package init(_ outcome: SinkDecision.Outcome) {
    self.init(old: outcome.includesOldLogger, new: outcome.includesNewTracker, source: .document)
  }

  /// The membership for the decision that an event carries.
  package init(_ decision: CarriedDecision) {
    self.init(old: decision.oldLogger, new: decision.newTracker, source: .decision)
  }

  var isDefinite: Bool { old != nil && new != nil }
}

/// The verdict on an event that only one stream has.
package enum UnpairedVerdict: Sendable, Hashable {
  /// It belongs in this stream only.
  case oneSided
  /// The other stream should have it.
  case lost
  /// It does not belong in this stream.
  case unexpected
  /// The possible revisions disagree. Not judged.
  case undecided
  /// The rollout depends on the unit, and the event's unit is unknown.
  case withoutUnit
}

extension EventMembership {
  /// The verdict if only this stream has the event.
  package func verdict(onUnpaired side: StreamSide) -> UnpairedVerdict {
    switch (self[side], self[side.other]) {
    case (true?, false?): .oneSided
    case (_, true?): .lost
    case (false?, _): .unexpected
    default: isInDoubt ? .undecided : .withoutUnit
    }
  }
}
