/// Which of the two streams a line is from.
package enum StreamSide: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case old, new

  var other: StreamSide { self == .old ? .new : .old }

  /// What messages call the stream.
  package var word: String { self == .old ? "old" : "new" }
}

/// In which streams an event belongs; `nil` where that is not known.
package struct EventMembership: Sendable, Equatable {
  package static let both = EventMembership(old: true, new: true)

  package var old: Bool?
  package var new: Bool?

  subscript(side: StreamSide) -> Bool? {
    side == .old ? old : new
  }

  /// What several possibilities have in common; nothing is known of an event without any.
  init(_ possibilities: some Sequence<EventMembership>) {
    let all = Array(possibilities)
    func common(_ side: StreamSide) -> Bool? {
      let answers = Set(all.map { $0[side] })
      return answers.count == 1 ? answers.first ?? nil : nil
    }
    (old, new) = (common(.old), common(.new))
  }

  package init(old: Bool?, new: Bool?) {
    (self.old, self.new) = (old, new)
  }
}
