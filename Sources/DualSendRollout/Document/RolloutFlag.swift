/// The share of units that a flag includes: fixed, or scheduled.
package enum RolloutFlag: Sendable, Hashable {
  /// A fixed share. `true` and `false` in a document are 100 % and 0 %.
  case percentage(RolloutPercentage)
  /// A share that changes at set times.
  case schedule(RolloutSchedule)

  /// The share at a time; `nil` for a schedule before its first step or without a trusted time.
  ///
  /// - Parameter time: the trusted time in milliseconds since 1970-01-01T00:00:00Z; `nil` if there is none.
  package func percentage(at time: Int64?) -> RolloutPercentage? {
    switch self {
    case .percentage(let percentage): percentage
    case .schedule(let schedule): schedule.percentage(at: time)
    }
  }

  var isSchedule: Bool {
    if case .schedule = self { true } else { false }
  }

  /// The times of a schedule's steps; empty for a fixed share.
  var changeTimes: [Int64] {
    switch self {
    case .percentage: []
    case .schedule(let schedule): schedule.steps.map(\.from)
    }
  }
}

/// A share that changes at set times.
package struct RolloutSchedule: Sendable, Hashable {
  /// A change of the share.
  package struct Step: Sendable, Hashable {
    /// The time of the change, in milliseconds since 1970-01-01T00:00:00Z.
    package let from: Int64
    /// The share from that time on.
    package let percentage: RolloutPercentage
  }

  /// The steps: at least one, strictly increasing in time.
  package let steps: [Step]

  /// The share at a time; `nil` before the first step, and without a trusted time.
  package func percentage(at time: Int64?) -> RolloutPercentage? {
    guard let time else { return nil }
    return steps.last { $0.from <= time }?.percentage
  }
}
