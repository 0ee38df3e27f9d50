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
  /// A background fetch did not end in time.
  case backgroundFetchTimeout = "background_fetch_timeout"
  /// A background URL session's completion did not end in time.
  case backgroundURLSessionTimeout = "background_url_session_timeout"

  /// The key in a payload.
  var payloadKey: String {
    switch self {
    case .normal: "cumulativeNormalAppExitCount"
    case .abnormal: "cumulativeAbnormalExitCount"
    case .memoryResourceLimit: "cumulativeMemoryResourceLimitExitCount"
    case .memoryPressure: "cumulativeMemoryPressureExitCount"
    case .cpuResourceLimit: "cumulativeCPUResourceLimitExitCount"
    case .watchdog: "cumulativeAppWatchdogExitCount"
    case .badAccess: "cumulativeBadAccessExitCount"
    case .illegalInstruction: "cumulativeIllegalInstructionExitCount"
    case .backgroundTaskAssertionTimeout: "cumulativeBackgroundTaskAssertionTimeoutExitCount"
    case .suspendedWithLockedFile: "cumulativeSuspendedWithLockedFileExitCount"
    case .backgroundFetchTimeout: "cumulativeBackgroundFetchCompletionTimeoutExitCount"
    case .backgroundURLSessionTimeout: "cumulativeBackgroundURLSessionCompletionTimeoutExitCount"
    }
  }
}

/// Where the app was when it ended.
public enum AppExitSide: Sendable, Hashable {
  case foreground, background
}

extension HealthMetric {
  /// How often the app ended for a reason.
  public static func exits(_ side: AppExitSide, _ reason: AppExitReason) -> HealthMetric {
    switch side {
    case .foreground:
      HealthMetric(
        .foregroundExits, reason.rawValue, at: "applicationExitMetrics", "foregroundExitData", reason.payloadKey,
        isCount: true)
    case .background:
      HealthMetric(
        .backgroundExits, reason.rawValue, at: "applicationExitMetrics", "backgroundExitData", reason.payloadKey,
        isCount: true)
    }
  }
}
