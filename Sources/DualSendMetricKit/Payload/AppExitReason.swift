/// Why the app ended. Its raw value is the key in events, and stays the same.
public enum AppExitReason: String, Sendable, Hashable, CaseIterable {
  /// The user or the system ended it in an orderly way.
  case normal = "normal"
  /// An uncaught exception, `abort`, a failed assertion.
  case abnormal = "abnormal"
  /// It used more memory than it may.
  case memoryResourceLimit = "memory_resource_limit"
  /// The system needed its memory for others (jetsam).
  case memoryPressure = "memory_pressure"
  /// It used more CPU time than it may.
  case cpuResourceLimit = "cpu_resource_limit"
  /// It took too long to launch, to end or to answer.
  case watchdog = "watchdog"
  /// It used memory that is not its own.
  case badAccess = "bad_access"
  /// It ran into an instruction that is none, as a failed precondition does.
  case illegalInstruction = "illegal_instruction"
  /// A background task did not end in time.
  case backgroundTaskAssertionTimeout = "background_task_assertion_timeout"
  /// It held a file lock or a database lock in a shared container while suspended.
  case suspendedWithLockedFile = "suspended_with_locked_file"
}

/// Where the app was when it ended.
public enum AppExitSide: Sendable, Hashable {
  /// On the screen.
  case foreground
  /// Off the screen.
  case background
}

extension HealthMetric {
  /// How often the app ended for a reason.
  public static func exits(_ side: AppExitSide, _ reason: AppExitReason) -> HealthMetric {
    HealthMetric(side == .foreground ? .foregroundExits : .backgroundExits, reason.rawValue)
  }
}
