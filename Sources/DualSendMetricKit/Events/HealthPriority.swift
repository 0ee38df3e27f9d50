/// Whose events are sent first when there are more than may be sent.
public enum HealthPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// Before everything else.
  case high
  /// Before what is low.
  case normal
  /// After everything else.
  case low

  /// Higher priorities come first.
  public static func < (left: HealthPriority, right: HealthPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension HealthTopic {
  /// The priority of the topic's events unless a selection says otherwise: diagnostics and exits are high; what users
  /// feel is normal; what costs energy and everything else is low.
  public var defaultPriority: HealthPriority {
    switch self {
    case .crash, .hang, .slowLaunch, .cpuException, .diskWriteException, .foregroundExits, .backgroundExits: .high
    case .hangTime, .animation, .timeToFirstDraw, .optimizedTimeToFirstDraw, .resume, .extendedLaunch, .memory,
      .signpost:
      .normal
    case .cpu, .gpu, .diskWrites, .diskSpace, .network, .cellular, .location, .runTime, .display: .low
    }
  }
}
