extension HealthMetric {
  /// The number of signposts.
  public static let signpostCount = HealthMetric(.signpost, "count")
  /// The duration of a signpost's interval; a histogram.
  public static let signpostDuration = HealthMetric(.signpost, "duration")
  /// The CPU time in a signpost's interval.
  public static let signpostCPUTime = HealthMetric(.signpost, "cpu_time")
  /// The memory used in a signpost's interval.
  public static let signpostMemory = HealthMetric(.signpost, "memory")
  /// The disk writes in a signpost's interval.
  public static let signpostDiskWrites = HealthMetric(.signpost, "disk_writes")
  /// The hitch time ratio in a signpost's interval.
  public static let signpostHitchRatio = HealthMetric(.signpost, "hitch_ratio")

  /// The duration of a hang.
  public static let hangDuration = HealthMetric(.hang, "duration")
  /// The duration of a slow launch.
  public static let launchDuration = HealthMetric(.slowLaunch, "duration")
  /// The excessive CPU time.
  public static let exceptionCPUTime = HealthMetric(.cpuException, "time")
  /// The time over which it was measured.
  public static let exceptionSampledTime = HealthMetric(.cpuException, "sampled_time")
  /// The excessive disk writes.
  public static let exceptionDiskWrites = HealthMetric(.diskWriteException, "written")

  static let ofSignposts: [HealthMetric] = [
    .signpostCount, .signpostDuration, .signpostCPUTime, .signpostMemory, .signpostDiskWrites, .signpostHitchRatio,
  ]
  static let ofDiagnostics: [HealthMetric] = [
    .hangDuration, .launchDuration, .exceptionCPUTime, .exceptionSampledTime, .exceptionDiskWrites,
  ]
  /// The metrics of whole payloads.
  static let ofPayloads: [HealthMetric] =
    responsiveness + resources + activity
    + AppExitReason.allCases.flatMap { [HealthMetric.exits(.foreground, $0), .exits(.background, $0)] }
  /// All known metrics.
  public static let all: [HealthMetric] = ofPayloads + ofSignposts + ofDiagnostics
}
