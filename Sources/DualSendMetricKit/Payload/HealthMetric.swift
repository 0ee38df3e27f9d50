/// A MetricKit metric and its key in events.
///
/// The static properties are all known metrics. Those of signposts exist once for each signpost.
public struct HealthMetric: Sendable, Hashable {
  /// The topic of its event.
  public let topic: HealthTopic
  /// The key of its parameter, and the prefix of a histogram's and an average's parameters.
  public let key: String

  init(_ topic: HealthTopic, _ key: String) {
    self.topic = topic
    self.key = key
  }

  /// The topic and key, such as `cpu.time`.
  public var name: String { topic.rawValue + "." + key }
}

extension HealthMetric {
  /// The time from the start of a launch to its first frame; a histogram.
  public static let timeToFirstDraw = HealthMetric(.timeToFirstDraw, "duration")
  /// The same for launches that the system prewarmed; a histogram.
  public static let optimizedTimeToFirstDraw = HealthMetric(.optimizedTimeToFirstDraw, "duration")
  /// The time to resume from the background; a histogram.
  public static let resumeTime = HealthMetric(.resume, "duration")
  /// The launch time up to the end that the app reports; a histogram.
  public static let extendedLaunchTime = HealthMetric(.extendedLaunch, "duration")
  /// The times in which the app was unresponsive; a histogram.
  public static let hangTime = HealthMetric(.hangTime, "duration")
  /// The hitch time ratio while scrolling.
  public static let scrollHitchRatio = HealthMetric(.animation, "scroll_hitch_ratio")
  /// The hitch time ratio of all animations.
  public static let hitchRatio = HealthMetric(.animation, "hitch_ratio")

  static let responsiveness: [HealthMetric] = [
    .timeToFirstDraw, .optimizedTimeToFirstDraw, .resumeTime, .extendedLaunchTime, .hangTime, .scrollHitchRatio,
    .hitchRatio,
  ]
}

// MARK: - Parts

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

// MARK: - Activity

extension HealthMetric {
  /// Data sent over Wi-Fi.
  public static let wifiUpload = HealthMetric(.network, "wifi_upload")
  /// Data received over Wi-Fi.
  public static let wifiDownload = HealthMetric(.network, "wifi_download")
  /// Data sent over the cellular network.
  public static let cellularUpload = HealthMetric(.network, "cellular_upload")
  /// Data received over the cellular network.
  public static let cellularDownload = HealthMetric(.network, "cellular_download")
  /// Bars of the cellular signal; a histogram.
  public static let cellularBars = HealthMetric(.cellular, "bars")
  /// Time in the foreground.
  public static let foregroundTime = HealthMetric(.runTime, "foreground")
  /// Time in the background.
  public static let backgroundTime = HealthMetric(.runTime, "background")
  /// Time with audio in the background.
  public static let backgroundAudioTime = HealthMetric(.runTime, "background_audio")
  /// Time with location updates in the background.
  public static let backgroundLocationTime = HealthMetric(.runTime, "background_location")
  /// Time with location at the best accuracy.
  public static let bestAccuracyTime = HealthMetric(.location, "best")
  /// Time with location for navigation.
  public static let navigationAccuracyTime = HealthMetric(.location, "navigation")
  /// Time with location accurate to 10 m.
  public static let tenMetersAccuracyTime = HealthMetric(.location, "ten_meters")
  /// Time with location accurate to 100 m.
  public static let hundredMetersAccuracyTime = HealthMetric(.location, "hundred_meters")
  /// Time with location accurate to 1 km.
  public static let kilometerAccuracyTime = HealthMetric(.location, "kilometer")
  /// Time with location accurate to 3 km.
  public static let threeKilometersAccuracyTime = HealthMetric(.location, "three_kilometers")

  static let activity: [HealthMetric] = [
    .wifiUpload, .wifiDownload, .cellularUpload, .cellularDownload, .cellularBars, .foregroundTime, .backgroundTime,
    .backgroundAudioTime, .backgroundLocationTime, .bestAccuracyTime, .navigationAccuracyTime, .tenMetersAccuracyTime,
    .hundredMetersAccuracyTime, .kilometerAccuracyTime, .threeKilometersAccuracyTime,
  ]
}

// MARK: - Resources

extension HealthMetric {
  /// The total CPU time.
  public static let cpuTime = HealthMetric(.cpu, "time")
  /// The total CPU instructions.
  public static let cpuInstructions = HealthMetric(.cpu, "instructions")
  /// The total GPU time.
  public static let gpuTime = HealthMetric(.gpu, "time")
  /// The peak memory.
  public static let peakMemory = HealthMetric(.memory, "peak")
  /// The memory while suspended; an average.
  public static let suspendedMemory = HealthMetric(.memory, "suspended")
  /// The total disk writes.
  public static let diskWrites = HealthMetric(.diskWrites, "written")
  /// The pixel luminance of the display; an average.
  public static let pixelLuminance = HealthMetric(.display, "pixel_luminance")
  /// The size of the app's bundle.
  public static let binaryFiles = HealthMetric(.diskSpace, "binary_files")
  /// The number of files in the app's bundle.
  public static let binaryFileCount = HealthMetric(.diskSpace, "binary_file_count")
  /// The size of the app's data files.
  public static let dataFiles = HealthMetric(.diskSpace, "data_files")
  /// The number of the app's data files.
  public static let dataFileCount = HealthMetric(.diskSpace, "data_file_count")
  /// The size of the app's caches.
  public static let caches = HealthMetric(.diskSpace, "caches")
  /// The size of cloned files.
  public static let clones = HealthMetric(.diskSpace, "clones")
  /// The used space of the disk.
  public static let usedDiskSpace = HealthMetric(.diskSpace, "used")
  /// The capacity of the disk.
  public static let diskCapacity = HealthMetric(.diskSpace, "capacity")

  static let resources: [HealthMetric] = [
    .cpuTime, .cpuInstructions, .gpuTime, .peakMemory, .suspendedMemory, .diskWrites, .pixelLuminance, .binaryFiles,
    .binaryFileCount, .dataFiles, .dataFileCount, .caches, .clones, .usedDiskSpace, .diskCapacity,
  ]
}
