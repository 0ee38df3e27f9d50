import DualSendCore
package import DualSendRemapping

/// How a query compares two streams; as far as a query can, the options of `dualsend parity`.
package struct ComparisonOptions: Sendable {
  /// The relation of the old stream's lines, as SQL names it.
  package var old = "old_lines"
  /// The relation of the new stream's lines.
  package var new = "new_lines"
  /// The old parameter that carries the event's id; `nil` for the line's own `eventId`.
  package var idKey: String?
  /// Paths of the new payload that are not compared.
  package var ignored: [KeyPathPattern] = []
  /// The streams that may have events of their own: `old`, `new`.
  package var loneAllowed: Set<String> = []
  /// How much may fail.
  package var gate = GateRule()

  /// Creates the options that hold where none is given.
  package init() {}

  var joinJSON: String {
    (["by": "eventID", "parameter": idKey.map { .string($0) } ?? .null] as EventValue).canonicalText
  }

  var membershipJSON: String {
    if loneAllowed.isEmpty { return (["by": "everywhere"] as EventValue).canonicalText }
    let sides = ["old", "new"].filter(loneAllowed.contains).map { EventValue.string($0) }
    return (["by": "loneAllowed", "in": .array(sides)] as EventValue).canonicalText
  }
}

/// How much of an event may fail, and how surely that has to be shown.
package struct GateRule: Sendable {
  /// The largest share, in parts of a million.
  package var limit = 0
  /// The same in words.
  package var limitText = "0 %"
  /// How often a growing recording is looked at.
  package var looks = 1
  /// How many broken lines both streams may have.
  package var maximumMalformed = 0

  /// Creates the rule that no failure is seen.
  package init() {}

  /// The chance that an event passes whose true share of failures is above the limit.
  var risk: Double { 0.05 / Double(looks) }
}
