import DualSendCore
package import DualSendRemapping

/// The options of `dualsend parity` that a query supports.
package struct ComparisonOptions: Sendable {
  /// The name of the relation with the old stream's lines.
  package var old = "old_lines"
  /// The name of the relation with the new stream's lines.
  package var new = "new_lines"
  /// The old parameter that has the event's id; `nil` for the line's `eventId`.
  package var idKey: String?
  /// The paths of the new payload that are not compared.
  package var ignored: [KeyPathPattern] = []
  /// The streams that may have unpaired events: `old`, `new`.
  package var loneAllowed: Set<String> = []
  /// The gate.
  package var gate = GateRule()

  /// Creates the default options.
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

/// The largest allowed share of failures of an event, and the required evidence.
package struct GateRule: Sendable {
  /// The largest share of failures, in parts per million.
  package var limit = 0
  /// ``limit`` as text.
  package var limitText = "0 %"
  /// The number of times that a growing recording is compared.
  package var looks = 1
  /// The most malformed lines of both streams together.
  package var maximumMalformed = 0

  /// Creates the default gate, which allows no failure.
  package init() {}

  /// The probability that an event passes although its true share of failures is above the limit.
  var risk: Double { 0.05 / Double(looks) }
}
