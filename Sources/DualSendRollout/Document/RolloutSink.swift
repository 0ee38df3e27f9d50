import DualSendCore

/// A sink that a document names, beside the principal one of its side.
public struct RolloutSink: Sendable, Hashable {
  /// The most characters that an id may have.
  static let maximumLength = 64
  /// The ids of the principal sinks, which the flags decide and nothing else.
  static let principals: [(id: String, side: RolloutSide)] = [("oldLogger", .old), ("newTracker", .new)]

  /// The side whose flag the sink never exceeds.
  public let side: RolloutSide
  /// The sink's name: ASCII letters, digits, `_`, `.` and `-`, so that equal texts are equal bytes.
  public let id: String

  /// Whether a text may be an id.
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

  /// The key under which a document narrows the sink: `sinks.new.amplitude`.
  public var key: String { "sinks.\(side.rawValue).\(id)" }

  /// Whether the sink goes by this id on this side.
  func isNamed(_ id: String, on side: RolloutSide) -> Bool {
    self.side == side && self.id.isExactly(id)
  }
}

extension RolloutSink: Comparable {
  /// Orders by side, old first, then by the bytes of the ids.
  public static func < (left: RolloutSink, right: RolloutSink) -> Bool {
    left.side == right.side ? String.byteOrder(left.id, right.id) : left.side == .old
  }
}

/// How far a rule, or the top level, lets a named sink receive of what its side receives.
public struct RolloutSinkShare: Sendable, Hashable {
  /// Whom it narrows.
  public let sink: RolloutSink
  /// The share of units; those that the side's flag leaves out are out whatever it says.
  public let flag: RolloutFlag
  /// Where the share stands in the document's text, in bytes.
  let offset: Int
}

extension [RolloutSinkShare] {
  /// What is said about a sink; `nil` if nothing is.
  public func flag(of sink: RolloutSink) -> RolloutFlag? {
    first { $0.sink == sink }?.flag
  }
}
