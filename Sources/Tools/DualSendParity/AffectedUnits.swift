import DualSendCommandLine
import DualSendCore

/// Who was affected: each unit with an event that fails, by event and kind of failure. Noise is not subtracted.
package struct AffectedUnits: Sendable, Hashable {
  /// What one row is about.
  struct Key: Sendable, Hashable {
    /// Empty if the event has none.
    let unit: ExactText
    /// The old name.
    let event: ExactText
    let failure: Failure
  }

  /// A kind of failure, in the order of rows.
  enum Failure: String, Sendable, CaseIterable {
    case differs
    case lostFromNew = "lost from the new stream"
    case lostFromOld = "lost from the old stream"
    case unexpectedInOld = "unexpected in the old stream"
    case unexpectedInNew = "unexpected in the new stream"
    case withoutUnit = "of an unknown unit"

    fileprivate var counts: MatchVerdict {
      switch self {
      case .differs: [.differingBeforeNoise]
      case .lostFromNew: [.lostFromNew]
      case .lostFromOld: [.lostFromOld]
      case .unexpectedInOld: [.unexpectedInOld]
      case .unexpectedInNew: [.unexpectedInNew]
      case .withoutUnit: [.withoutUnit]
      }
    }
  }

  private struct Row: Sendable, Hashable {
    var events = 0
    /// The times of the first and of the last event, in milliseconds since 1970; `nil` if none has one.
    var times: ClosedRange<Int64>?

    mutating func add(_ other: Row) {
      events += other.events
      guard let more = other.times else { return }
      let known = times ?? more
      times = min(known.lowerBound, more.lowerBound)...max(known.upperBound, more.upperBound)
    }
  }

  /// The most rows, at about 200 bytes each.
  package static let maximumRows = 250_000

  private var rows: [Key: Row] = [:]
  /// The events beyond ``maximumRows``.
  package private(set) var omitted = 0

  package init() {}

  mutating func add(_ verdict: MatchVerdict, of unit: String?, event: String, at time: Int64?) {
    guard verdict.contains(.failingBeforeNoise) else { return }
    for failure in Failure.allCases where !verdict.isDisjoint(with: failure.counts) {
      let key = Key(unit: ExactText(unit ?? ""), event: ExactText(event), failure: failure)
      add(Row(events: 1, times: time.map { $0...$0 }), key)
    }
  }

  mutating func merge(_ other: AffectedUnits) {
    omitted += other.omitted
    for (key, row) in other.rows { add(row, key) }
  }

  private mutating func add(_ row: Row, _ key: Key) {
    if rows[key] == nil, rows.count >= Self.maximumRows { return omitted += row.events }
    rows[key, default: Row()].add(row)
  }

  /// A line for each unit, event and failure, sorted by these, below a heading.
  package var csv: String {
    let lines = rows.sorted { $0.key < $1.key }.map { key, row in
      let times = [row.times?.lowerBound, row.times?.upperBound].map {
        $0.map { Timestamp.text(milliseconds: $0) } ?? ""
      }
      return CSVLine.text([key.unit.text, key.event.text, key.failure.rawValue, "\(row.events)"] + times)
    }
    return CSVLine.text(["unit", "event", "failure", "events", "first", "last"]) + lines.joined()
  }
}

extension AffectedUnits.Key: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.unit != right.unit { return String.byteOrder(left.unit.text, right.unit.text) }
    if left.event != right.event { return String.byteOrder(left.event.text, right.event.text) }
    return left.failure.rawValue < right.failure.rawValue
  }
}
