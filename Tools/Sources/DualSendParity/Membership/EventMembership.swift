package import DualSendCore
package import DualSendRollout

/// Which of the two streams a line is from.
package enum StreamSide: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case old, new

  var other: StreamSide { self == .old ? .new : .old }

  /// What messages call the stream.
  package var word: String { self == .old ? "old" : "new" }
}

/// In which streams an event belongs, and what says so.
package struct EventMembership: Sendable, Equatable {
  /// What says where an event belongs.
  package enum Source: Sendable, Hashable, CaseIterable {
    /// The event carries what its app decided.
    case stamp
    /// A rollout document decides as the app should have.
    case document
    /// A rule that holds for all events.
    case nothing
  }

  package static let both = EventMembership(old: true, new: true)

  /// Whether the event belongs in this stream; `nil` where that is not known.
  package var old: Bool?
  package var new: Bool?
  package var source: Source
  /// Whether each revision that could have been in force has an answer, and only the answers differ.
  package var isInDoubt = false
  /// Whether the event's stamp says what its app cannot have decided.
  package var isContradicted = false

  subscript(side: StreamSide) -> Bool? {
    side == .old ? old : new
  }

  package init(old: Bool?, new: Bool?, source: Source = .nothing) {
    (self.old, self.new, self.source) = (old, new, source)
  }

  /// What several possibilities have in common; nothing is known of an event without any.
  init(_ possibilities: some Sequence<EventMembership>, source: Source) {
    let all = Array(possibilities)
    func common(_ side: StreamSide) -> Bool? {
      let answers = Set(all.map { $0[side] })
      return answers.count == 1 ? answers.first ?? nil : nil
    }
    self.init(old: common(.old), new: common(.new), source: source)
  }

  /// Where a decision by a document sends an event.
  package init(_ outcome: SinkDecision.Outcome) {
    self.init(old: outcome.includesOldLogger, new: outcome.includesNewTracker, source: .document)
  }

  /// Where the event's own app sent it.
  package init(_ stamp: DecisionStamp) {
    self.init(old: stamp.oldLogger, new: stamp.newTracker, source: .stamp)
  }

  var isDefinite: Bool { old != nil && new != nil }
}

/// What is said of an event that only one stream has.
package enum LoneVerdict: Sendable, Hashable {
  /// It belongs in this stream alone.
  case expected
  /// The other stream should have it too.
  case lost
  /// It does not belong in the stream that has it.
  case unexpected
  /// The revisions that could have been in force disagree: it counts for neither side.
  case undecided
  /// The rollout divides its units, and nothing says which unit the event is of.
  case withoutUnit
}

extension EventMembership {
  /// What is said of an event that only this stream has.
  package func verdict(onLone side: StreamSide) -> LoneVerdict {
    switch (self[side], self[side.other]) {
    case (true?, false?): .expected
    case (_, true?): .lost
    case (false?, _): .unexpected
    default: isInDoubt ? .undecided : .withoutUnit
    }
  }
}
