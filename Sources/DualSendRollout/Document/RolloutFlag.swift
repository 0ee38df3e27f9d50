/// How far one sink is rolled out: a fixed share, or a share that changes at given times.
public enum RolloutFlag: Sendable, Hashable {
  /// The same share at any time. `true` and `false` in a document are 100 % and 0 %.
  case percentage(RolloutPercentage)
  /// A share that changes at given times.
  case schedule(RolloutSchedule)

  /// The share in force; `nil` where the flag says nothing: a schedule before its first step, or without a trusted time.
  ///
  /// - Parameter time: milliseconds since 1970-01-01T00:00:00Z by a trusted clock; `nil` if there is none.
  public func percentage(at time: Int64?) -> RolloutPercentage? {
    switch self {
    case .percentage(let percentage): percentage
    case .schedule(let schedule): schedule.percentage(at: time)
    }
  }

  var isSchedule: Bool {
    if case .schedule = self { true } else { false }
  }

  /// When a schedule takes its steps; empty for a fixed share.
  var changeTimes: [Int64] {
    switch self {
    case .percentage: []
    case .schedule(let schedule): schedule.steps.map(\.from)
    }
  }
}
