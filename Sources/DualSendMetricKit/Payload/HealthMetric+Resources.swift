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
