extension HealthMetric {
  /// CPU time, all in all.
  public static let cpuTime = HealthMetric(.cpu, "time")
  /// CPU instructions, all in all.
  public static let cpuInstructions = HealthMetric(.cpu, "instructions")
  /// GPU time, all in all.
  public static let gpuTime = HealthMetric(.gpu, "time")
  /// The most memory at any time.
  public static let peakMemory = HealthMetric(.memory, "peak")
  /// Memory while suspended; an average.
  public static let suspendedMemory = HealthMetric(.memory, "suspended")
  /// What was written to disk, all in all.
  public static let diskWrites = HealthMetric(.diskWrites, "written")
  /// How bright the display was; an average.
  public static let pixelLuminance = HealthMetric(.display, "pixel_luminance")
  /// What the files of the app's bundle take.
  public static let binaryFiles = HealthMetric(.diskSpace, "binary_files")
  /// How many files the app's bundle has.
  public static let binaryFileCount = HealthMetric(.diskSpace, "binary_file_count")
  /// What the app's data files take.
  public static let dataFiles = HealthMetric(.diskSpace, "data_files")
  /// How many data files the app has.
  public static let dataFileCount = HealthMetric(.diskSpace, "data_file_count")
  /// What the app's caches take.
  public static let caches = HealthMetric(.diskSpace, "caches")
  /// What cloned files take.
  public static let clones = HealthMetric(.diskSpace, "clones")
  /// What everything on the disk takes.
  public static let usedDiskSpace = HealthMetric(.diskSpace, "used")
  /// What the disk can hold.
  public static let diskCapacity = HealthMetric(.diskSpace, "capacity")

  static let resources: [HealthMetric] = [
    .cpuTime, .cpuInstructions, .gpuTime, .peakMemory, .suspendedMemory, .diskWrites, .pixelLuminance, .binaryFiles,
    .binaryFileCount, .dataFiles, .dataFileCount, .caches, .clones, .usedDiskSpace, .diskCapacity,
  ]
}
