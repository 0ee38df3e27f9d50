extension HealthMetric {
  /// How often a signpost was set.
  public static let signpostCount = HealthMetric(.signpost, "count")
  /// How long a signpost's interval lasted; a histogram.
  public static let signpostDuration = HealthMetric(.signpost, "duration")
  /// CPU time in a signpost's interval.
  public static let signpostCPUTime = HealthMetric(.signpost, "cpu_time")
  /// Memory in a signpost's interval.
  public static let signpostMemory = HealthMetric(.signpost, "memory")
  /// What was written to disk in a signpost's interval.
  public static let signpostDiskWrites = HealthMetric(.signpost, "disk_writes")
  /// Time lost to late frames in a signpost's interval.
  public static let signpostHitchRatio = HealthMetric(.signpost, "hitch_ratio")

  /// How long a hang lasted.
  public static let hangDuration = HealthMetric(.hang, "duration")
  /// How long a launch took.
  public static let launchDuration = HealthMetric(.slowLaunch, "duration")
  /// The CPU time that was too much.
  public static let exceptionCPUTime = HealthMetric(.cpuException, "time")
  /// The time in which it was taken.
  public static let exceptionSampledTime = HealthMetric(.cpuException, "sampled_time")
  /// What was written to disk, and was too much.
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
  /// Every metric that is known.
  public static let all: [HealthMetric] = ofPayloads + ofSignposts + ofDiagnostics
}
