/// The reason of an exit. The raw value is the key in events, and is stable.
public enum AppExitReason: String, Sendable, Hashable, CaseIterable {
  /// A normal exit by the user or the system.
  case normal = "normal"
  /// An uncaught exception, `abort`, a failed assertion.
  case abnormal = "abnormal"
  /// The app exceeded its memory limit.
  case memoryResourceLimit = "memory_resource_limit"
  /// The system reclaimed the app's memory (jetsam).
  case memoryPressure = "memory_pressure"
  /// The app exceeded its CPU time limit.
  case cpuResourceLimit = "cpu_resource_limit"
  /// The app took too long to launch, to quit or to respond.
  case watchdog = "watchdog"
  /// An invalid memory access.
  case badAccess = "bad_access"
  /// An illegal instruction, such as after a failed precondition.
  case illegalInstruction = "illegal_instruction"
  /// A background task did not end in time.
  case backgroundTaskAssertionTimeout = "background_task_assertion_timeout"
  /// The app held a file lock or a database lock in a shared container while suspended.
  case suspendedWithLockedFile = "suspended_with_locked_file"
}

/// The state of the app at its exit.
public enum AppExitSide: Sendable, Hashable {
  /// In the foreground.
  case foreground
  /// In the background.
  case background
}

extension HealthMetric {
  /// The number of exits for a reason.
  public static func exits(_ side: AppExitSide, _ reason: AppExitReason) -> HealthMetric {
    HealthMetric(side == .foreground ? .foregroundExits : .backgroundExits, reason.rawValue)
  }
}
