import DualSendCore

/// A named sink: one beside the principal sink of its side.
package struct RolloutSink: Sendable, Hashable {
  /// The highest number of characters of an id.
  static let maximumLength = 64
  /// The ids of the principal sinks, which only the flags decide.
  static let principals: [(id: String, side: RolloutSide)] = [("oldLogger", .old), ("newTracker", .new)]

  /// The side of the sink. The sink receives no more than its side.
  package let side: RolloutSide
  /// The sink's id: ASCII letters, digits, `_`, `.` and `-`.
  package let id: String

  /// Whether a text is a valid id.
  static func isWellFormed(_ id: String) -> Bool {
    let isNameByte = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return !id.isEmpty && id.utf8.count <= maximumLength && id.utf8.allSatisfy(isNameByte)
  }

  /// The path of the sink's share in a document: `sinks.new.amplitude`.
  package var key: String { "sinks.\(side.rawValue).\(id)" }

  /// Whether the sink has this id and side.
  func isNamed(_ id: String, on side: RolloutSide) -> Bool {
    self.side == side && self.id.isExactly(id)
  }
}

extension RolloutSink: Comparable {
  /// Orders by side, old first, then by the bytes of the ids.
  package static func < (left: RolloutSink, right: RolloutSink) -> Bool {
    left.side == right.side ? String.byteOrder(left.id, right.id) : left.side == .old
  }
}

/// The share that a rule or the top level sets for a named sink.
package struct RolloutSinkShare: Sendable, Equatable {
  /// The sink.
  package let sink: RolloutSink
  /// The share of all units. The sink receives the lower of this share and its side's.
  package let flag: RolloutFlag
  /// The byte offset in the document's text.
  let offset: Int
}

extension [RolloutSinkShare] {
  /// The share of a sink; `nil` if there is none.
  package func flag(of sink: RolloutSink) -> RolloutFlag? {
    first { $0.sink == sink }?.flag
  }
}

/// A side of the migration. Each has a principal sink, `oldLogger` or `newTracker`, which only its flag decides. It may have
/// further sinks, whose shares a document may narrow by name.
package enum RolloutSide: String, Sendable, Hashable, CaseIterable {
  /// The side of `shouldSendLogToOldLogger`.
  case old
  /// The side of `shouldSendLogToNewTracker`.
  case new
}

extension RolloutSide {
  /// The key of the flag that decides the side.
  package var flagKey: String {
    switch self {
    case .old: "shouldSendLogToOldLogger"
    case .new: "shouldSendLogToNewTracker"
    }
  }

  /// The buckets of a share: the lowest ones on the new side, the highest ones on the old side.
  ///
  /// - Parameter share: the number of buckets, `0...100_000`.
  package func buckets(ofShare share: Int) -> Range<Int> {
    switch self {
    case .old: (RolloutBucket.count - share)..<RolloutBucket.count
    case .new: 0..<share
    }
  }
}

extension SinkDecision.Outcome {
  /// Whether the principal sink of a side receives the event.
  package func includes(_ side: RolloutSide) -> Bool {
    switch side {
    case .old: includesOldLogger
    case .new: includesNewTracker
    }
  }
}
