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
