/// What one health event is about. Its raw value is the event's name without `health.`, and stays the same.
public enum HealthTopic: String, Sendable, Hashable, CaseIterable {
  /// A crash, with its call stacks.
  case crash = "diagnostic.crash"
  /// A time in which the app did not answer, with its call stacks.
  case hang = "diagnostic.hang"
  /// A launch that took too long, with its call stacks.
  case slowLaunch = "diagnostic.launch"
  /// Too much CPU time, with its call stacks.
  case cpuException = "diagnostic.cpu"
  /// Too much written to disk, with its call stacks.
  case diskWriteException = "diagnostic.disk_write"
  /// How often the app ended in the foreground, by reason.
  case foregroundExits = "app_exit.foreground"
  /// How often the app ended in the background, by reason.
  case backgroundExits = "app_exit.background"
  /// Times in which the app did not answer.
  case hangTime = "hang_time"
  /// Frames that came late.
  case animation = "animation"
  /// From the start of a launch to its first frame.
  case timeToFirstDraw = "launch.time_to_first_draw"
  /// The same for launches that the system prepared.
  case optimizedTimeToFirstDraw = "launch.optimized_time_to_first_draw"
  /// From the background back to the foreground.
  case resume = "launch.resume"
  /// Launches as far as the app itself says that they last.
  case extendedLaunch = "launch.extended"
  /// Memory in use.
  case memory = "memory"
  /// CPU time and instructions.
  case cpu = "cpu"
  /// GPU time.
  case gpu = "gpu"
  /// What was written to disk.
  case diskWrites = "disk_writes"
  /// What the app's files take.
  case diskSpace = "disk_space"
  /// What went over the network.
  case network = "network"
  /// How good the cellular signal was.
  case cellular = "cellular"
  /// How long locations were tracked, by accuracy.
  case location = "location"
  /// How long the app ran.
  case runTime = "run_time"
  /// How bright the display was.
  case display = "display"
  /// One of the app's own signpost intervals.
  case signpost = "signpost"

  /// The name of the events, such as `health.app_exit.background`.
  public var eventName: String { "health." + rawValue }

  /// Whether the events are diagnostics, for which a reporter keeps places of their own.
  public var isDiagnostic: Bool {
    switch self {
    case .crash, .hang, .slowLaunch, .cpuException, .diskWriteException: true
    default: false
    }
  }
}
