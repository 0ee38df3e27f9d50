extension TrackerConfiguration {
  /// When delivery starts: by the number of pending events, their size, and the age of the oldest.
  ///
  /// ```swift
  /// .count(50).or(.interval(.seconds(5)))      // whichever comes first: the default
  /// .count(20).and(.interval(.seconds(60)))    // not before a minute, and not fewer than 20
  /// .onDemand                                  // by `flush()` and urgent events alone
  /// ```
  ///
  /// Once started, delivery continues until no event is pending. Times are measured by the tracker's `TimeSource`. A
  /// timer is set for the exact time; there is no polling.
  public struct FlowControl: Sendable, Hashable {
    /// Limits that must all be reached.
    private struct Condition: Sendable, Hashable {
      var events = 1
      var bytes = 0
      var interval = Duration.zero

      /// Whether every limit is at most that of the other.
      func isImplied(by other: Condition) -> Bool {
        events <= other.events && bytes <= other.bytes && interval <= other.interval
      }

      func and(_ other: Condition) -> Condition {
        Condition(
          events: max(events, other.events), bytes: max(bytes, other.bytes), interval: max(interval, other.interval))
      }
    }

    /// One of them must hold. Sorted and minimal, so that equivalent rules are equal.
    private let alternatives: [Condition]

    private init(_ conditions: [Condition]) {
      var kept: [Condition] = []
      for condition in conditions where !kept.contains(where: { $0.isImplied(by: condition) }) {
        kept.removeAll { condition.isImplied(by: $0) }
        kept.append(condition)
      }
      alternatives = kept.inOrder { ($0.events, $0.bytes, $0.interval) < ($1.events, $1.bytes, $1.interval) }
    }

    /// As soon as an event is stored.
    public static let immediately = FlowControl([Condition()])
    /// Only with ``Tracker/flush(timeout:)``, or when an urgent event is logged.
    public static let onDemand = FlowControl([])

    /// When this many events are pending, at least 1.
    public static func count(_ events: Int) -> FlowControl {
      FlowControl([Condition(events: max(1, events))])
    }

    /// When the oldest event has waited this long.
    public static func interval(_ interval: Duration) -> FlowControl {
      FlowControl([Condition(interval: max(.zero, interval))])
    }

    /// When this many bytes are pending, in wire form.
    public static func size(bytes: Int) -> FlowControl {
      FlowControl([Condition(bytes: max(0, bytes))])
    }

    /// When either rule holds.
    public func or(_ other: FlowControl) -> FlowControl {
      FlowControl(alternatives + other.alternatives)
    }

    /// When both rules hold.
    public func and(_ other: FlowControl) -> FlowControl {
      FlowControl(alternatives.flatMap { mine in other.alternatives.map { mine.and($0) } })
    }
  }
}

extension TrackerConfiguration.FlowControl {
  /// Whether the rule depends on the pending bytes.
  var asksForBytes: Bool { alternatives.contains { $0.bytes > 0 } }

  /// The longest interval. Events of an earlier launch count as having waited that long.
  var longestInterval: Duration { alternatives.map(\.interval).max() ?? .zero }

  /// When the rule will hold if no more events arrive; `nil` if it will not. All times are uptimes.
  func moment(events: Int, bytes: Int, waitingSince: Duration) -> Duration? {
    alternatives.lazy.filter { events >= $0.events && bytes >= $0.bytes }.map { waitingSince + $0.interval }.min()
  }
}

extension TrackerConfiguration.FlowControl: CustomStringConvertible {
  /// The rule as text.
  public var description: String {
    if alternatives.isEmpty { return "on demand" }
    return alternatives.map { condition in
      var parts: [String] = []
      if condition.events > 1 { parts.append("\(condition.events) events") }
      if condition.bytes > 0 { parts.append("\(condition.bytes) bytes") }
      if condition.interval > .zero { parts.append("after \(condition.interval)") }
      return parts.isEmpty ? "at once" : parts.joined(separator: " and ")
    }.joined(separator: ", or ")
  }
}
