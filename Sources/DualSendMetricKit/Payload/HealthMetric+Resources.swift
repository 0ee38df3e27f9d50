extension HealthMetric {
  /// CPU time, all in all.
  public static let cpuTime = HealthMetric(
    .cpu, "time", at: "cpuMetrics", "cumulativeCPUTime", measures: .duration)
  /// CPU instructions, all in all.
  public static let cpuInstructions = HealthMetric(
    .cpu, "instructions", at: "cpuMetrics", "cumulativeCPUInstructions", measures: .instructions)
  /// GPU time, all in all.
  public static let gpuTime = HealthMetric(
    .gpu, "time", at: "gpuMetrics", "cumulativeGPUTime", measures: .duration)
  /// The most memory at any time.
  public static let peakMemory = HealthMetric(
    .memory, "peak", at: "memoryMetrics", "peakMemoryUsage", measures: .storage)
  /// Memory while suspended; an average.
  public static let suspendedMemory = HealthMetric(
    .memory, "suspended", at: "memoryMetrics", "averageSuspendedMemory", measures: .storage)
  /// What was written to disk, all in all.
  public static let diskWrites = HealthMetric(
    .diskWrites, "written", at: "diskIOMetrics", "cumulativeLogicalWrites", measures: .storage)
  /// How bright the display was; an average.
  public static let pixelLuminance = HealthMetric(
    .display, "pixel_luminance", at: "displayMetrics", "averagePixelLuminance", measures: .luminance)
  /// What the files of the app's bundle take.
  public static let binaryFiles = HealthMetric(
    .diskSpace, "binary_files", at: "diskSpaceUsageMetrics", "totalBinaryFileSize", measures: .storage)
  /// How many files the app's bundle has.
  public static let binaryFileCount = HealthMetric(
    .diskSpace, "binary_file_count", at: "diskSpaceUsageMetrics", "totalBinaryFileCount", isCount: true)
  /// What the app's data files take.
  public static let dataFiles = HealthMetric(
    .diskSpace, "data_files", at: "diskSpaceUsageMetrics", "totalDataFileSize", measures: .storage)
  /// How many data files the app has.
  public static let dataFileCount = HealthMetric(
    .diskSpace, "data_file_count", at: "diskSpaceUsageMetrics", "totalDataFileCount", isCount: true)
  /// What the app's caches take.
  public static let caches = HealthMetric(
    .diskSpace, "caches", at: "diskSpaceUsageMetrics", "totalCacheFolderSize", measures: .storage)
  /// What cloned files take.
  public static let clones = HealthMetric(
    .diskSpace, "clones", at: "diskSpaceUsageMetrics", "totalCloneSize", measures: .storage)
  /// What everything on the disk takes.
  public static let usedDiskSpace = HealthMetric(
    .diskSpace, "used", at: "diskSpaceUsageMetrics", "totalDiskSpaceUsedSize", measures: .storage)
  /// What the disk can hold.
  public static let diskCapacity = HealthMetric(
    .diskSpace, "capacity", at: "diskSpaceUsageMetrics", "totalDiskSpaceCapacity", measures: .storage)

  static let resources: [HealthMetric] = [
    .cpuTime, .cpuInstructions, .gpuTime, .peakMemory, .suspendedMemory, .diskWrites, .pixelLuminance, .binaryFiles,
    .binaryFileCount, .dataFiles, .dataFileCount, .caches, .clones, .usedDiskSpace, .diskCapacity,
  ]
}
