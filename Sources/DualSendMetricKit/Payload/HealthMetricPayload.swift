public import Foundation

/// The content of an `MXMetricPayload`, on every platform: one day on one device.
///
/// ```swift
/// payload.readings.count(.exits(.background, .memoryPressure))  // 13
/// payload.readings.histogram(.timeToFirstDraw)?.average  // 417.5, in `unit`
/// payload.readings.quantity(.peakMemory)?.value(in: .megabytes)  // 200
/// ```
public struct HealthMetricPayload: Sendable, Hashable {
  /// The device and the latest version of the app.
  public var environment: HealthEnvironment
  /// Whether the payload covers several versions of the app.
  public var includesSeveralVersions: Bool
  /// The start of the period.
  public var begin: Date?
  /// The end of the period.
  public var end: Date?
  /// The measurements.
  public var readings: [HealthReading]
  /// The app's own signposts.
  public var signposts: [HealthSignpost]

  /// Creates a payload, for tests. On Apple platforms, `MetricKitSubscriber` creates them from MetricKit's.
  public init(
    environment: HealthEnvironment = HealthEnvironment(), includesSeveralVersions: Bool = false, begin: Date? = nil,
    end: Date? = nil, readings: [HealthReading] = [], signposts: [HealthSignpost] = []
  ) {
    self.environment = environment
    self.includesSeveralVersions = includesSeveralVersions
    self.begin = begin
    self.end = end
    self.readings = readings
    self.signposts = signposts
  }
}

/// One of the app's own signposts, set with `mxSignpost`.
public struct HealthSignpost: Sendable, Hashable {
  /// The category of the log handle.
  public var category: String
  /// Its name.
  public var name: String
  /// The measurements: metrics whose names begin with `signpost`.
  public var readings: [HealthReading]

  /// Creates a signpost.
  public init(category: String, name: String, readings: [HealthReading] = []) {
    self.category = category
    self.name = name
    self.readings = readings
  }
}

/// The device and the app of a payload or a diagnostic.
public struct HealthEnvironment: Sendable, Hashable {
  /// The app's version, `CFBundleShortVersionString`.
  public var appVersion: String?
  /// The app's build, `CFBundleVersion`.
  public var appBuild: String?
  /// The system version, such as `iPhone OS 17.2 (21C62)`.
  public var osVersion: String?
  /// The device type, such as `iPhone15,2`.
  public var deviceType: String?
  /// The region of the device's settings, such as `JP`.
  public var regionFormat: String?
  /// The architecture, such as `arm64e`.
  public var platformArchitecture: String?
  /// Whether the app came from TestFlight; `nil` before iOS 17.
  public var isTestFlightApp: Bool?
  /// Whether Low Power Mode was on; `nil` before iOS 17.
  public var isLowPowerModeEnabled: Bool?
  /// The process id of a diagnostic; `nil` before iOS 17.
  public var processID: Int64?

  /// Creates an environment with the app's version.
  public init(appVersion: String? = nil) {
    self.appVersion = appVersion
  }
}

// MARK: - App exit reason

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

// MARK: - Health topic

/// The topic of a health event. The raw value is the event's name without `health.`, and is stable.
public enum HealthTopic: String, Sendable, Hashable, CaseIterable {
  /// A crash, with its call stacks.
  case crash = "diagnostic.crash"
  /// A hang, with its call stacks.
  case hang = "diagnostic.hang"
  /// A launch that took too long, with its call stacks.
  case slowLaunch = "diagnostic.launch"
  /// Excessive CPU time, with its call stacks.
  case cpuException = "diagnostic.cpu"
  /// Excessive disk writes, with its call stacks.
  case diskWriteException = "diagnostic.disk_write"
  /// Exits in the foreground, by reason.
  case foregroundExits = "app_exit.foreground"
  /// Exits in the background, by reason.
  case backgroundExits = "app_exit.background"
  /// Times in which the app was unresponsive.
  case hangTime = "hang_time"
  /// Late frames (hitches).
  case animation = "animation"
  /// The time from the start of a launch to its first frame.
  case timeToFirstDraw = "launch.time_to_first_draw"
  /// The same for launches that the system prewarmed.
  case optimizedTimeToFirstDraw = "launch.optimized_time_to_first_draw"
  /// The time to resume from the background.
  case resume = "launch.resume"
  /// The launch time up to the end that the app reports.
  case extendedLaunch = "launch.extended"
  /// Memory in use.
  case memory = "memory"
  /// CPU time and instructions.
  case cpu = "cpu"
  /// GPU time.
  case gpu = "gpu"
  /// Disk writes.
  case diskWrites = "disk_writes"
  /// The disk space of the app's files.
  case diskSpace = "disk_space"
  /// Network transfers.
  case network = "network"
  /// The cellular signal.
  case cellular = "cellular"
  /// The time of location updates, by accuracy.
  case location = "location"
  /// The run time of the app.
  case runTime = "run_time"
  /// The pixel luminance of the display.
  case display = "display"
  /// One of the app's own signpost intervals.
  case signpost = "signpost"

  /// The name of the events, such as `health.app_exit.background`.
  public var eventName: String { "health." + rawValue }

  /// Whether the events are diagnostics, for which a reporter reserves places.
  public var isDiagnostic: Bool {
    switch self {
    case .crash, .hang, .slowLaunch, .cpuException, .diskWriteException: true
    default: false
    }
  }
}
