extension TrackerConfiguration {
  /// When waiting events are sent: a rule over how many wait, how many bytes they have, and how long the oldest has waited.
  ///
  /// ```swift
  /// .count(50).or(.interval(.seconds(5)))      // whichever comes first: the default
  /// .count(20).and(.interval(.seconds(60)))    // not before a minute, and not fewer than 20
  /// .onDemand                                  // by `flush()` and urgent events alone
  /// ```
  ///
  /// Once sending has started it goes on until nothing waits. Waits are measured by the tracker's `TimeSource`, and a timer
  /// is set for the very moment: nothing polls.
  public struct FlowControl: Sendable, Hashable {
    /// All of it must hold.
    private struct Condition: Sendable, Hashable {
      var events = 1
      var bytes = 0
      var interval = Duration.zero

      /// Whether it asks for no more than the other in any respect.
      func isImplied(by other: Condition) -> Bool {
        events <= other.events && bytes <= other.bytes && interval <= other.interval
      }

      func and(_ other: Condition) -> Condition {
        Condition(
          events: max(events, other.events), bytes: max(bytes, other.bytes), interval: max(interval, other.interval))
      }
    }

    /// One of them must hold; sorted, and none implies another, so that equal rules are equal.
    private let alternatives: [Condition]

    private init(_ conditions: [Condition]) {
      var kept: [Condition] = []
      for condition in conditions where !kept.contains(where: { $0.isImplied(by: condition) }) {
        kept.removeAll { condition.isImplied(by: $0) }
        kept.append(condition)
      }
      alternatives = kept.sorted { ($0.events, $0.bytes, $0.interval) < ($1.events, $1.bytes, $1.interval) }
    }

    /// As soon as an event is stored.
    public static let immediately = FlowControl([Condition()])
    /// Never by itself: ``Tracker/flush(timeout:)`` sends, and so does an event that is logged as urgent.
    public static let onDemand = FlowControl([])

    /// When so many events wait; fewer than 1 is 1.
    public static func count(_ events: Int) -> FlowControl {
      FlowControl([Condition(events: max(1, events))])
    }

    /// When the oldest event has waited this long.
    public static func interval(_ interval: Duration) -> FlowControl {
      FlowControl([Condition(interval: max(.zero, interval))])
    }

    /// When so many bytes wait, counted over the events' wire forms.
    public static func size(bytes: Int) -> FlowControl {
      FlowControl([Condition(bytes: max(0, bytes))])
    }

    /// Whichever of the two comes first.
    public func or(_ other: FlowControl) -> FlowControl {
      FlowControl(alternatives + other.alternatives)
    }

    /// When both hold.
    public func and(_ other: FlowControl) -> FlowControl {
      FlowControl(alternatives.flatMap { mine in other.alternatives.map { mine.and($0) } })
    }
  }
}

extension TrackerConfiguration.FlowControl {
  /// Whether it can only be answered by somebody who knows how many bytes wait.
  var asksForBytes: Bool { alternatives.contains { $0.bytes > 0 } }

  /// The longest of its intervals: what an earlier launch left has waited so long at least.
  var longestInterval: Duration { alternatives.map(\.interval).max() ?? .zero }

  /// When it holds if nothing more comes; `nil`: not by itself. All times are uptimes.
  func moment(events: Int, bytes: Int, waitingSince: Duration) -> Duration? {
    alternatives.lazy.filter { events >= $0.events && bytes >= $0.bytes }.map { waitingSince + $0.interval }.min()
  }
}

extension TrackerConfiguration.FlowControl: CustomStringConvertible {
  /// The rule in words.
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
