// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxmetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXMetric: NSObject {}

// https://developer.apple.com/documentation/metrickit/mxcpumetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXCPUMetric: MXMetric {
  public let cumulativeCPUTime: Measurement<UnitDuration>
  @available(iOS 14, macOS 11, visionOS 1, *)
  public let cumulativeCPUInstructions: Measurement<Unit>

  public init(cumulativeCPUTime: Measurement<UnitDuration>, cumulativeCPUInstructions: Measurement<Unit>) {
    self.cumulativeCPUTime = cumulativeCPUTime
    self.cumulativeCPUInstructions = cumulativeCPUInstructions
  }
}

// https://developer.apple.com/documentation/metrickit/mxgpumetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXGPUMetric: MXMetric {
  public let cumulativeGPUTime: Measurement<UnitDuration>

  public init(cumulativeGPUTime: Measurement<UnitDuration>) {
    self.cumulativeGPUTime = cumulativeGPUTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxmemorymetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXMemoryMetric: MXMetric {
  public let peakMemoryUsage: Measurement<UnitInformationStorage>
  public let averageSuspendedMemory: MXAverage<UnitInformationStorage>

  public init(
    peakMemoryUsage: Measurement<UnitInformationStorage>, averageSuspendedMemory: MXAverage<UnitInformationStorage>
  ) {
    self.peakMemoryUsage = peakMemoryUsage
    self.averageSuspendedMemory = averageSuspendedMemory
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiskiometric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXDiskIOMetric: MXMetric {
  public let cumulativeLogicalWrites: Measurement<UnitInformationStorage>

  public init(cumulativeLogicalWrites: Measurement<UnitInformationStorage>) {
    self.cumulativeLogicalWrites = cumulativeLogicalWrites
  }
}

// https://developer.apple.com/documentation/metrickit/mxdisplaymetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXDisplayMetric: MXMetric {
  public let averagePixelLuminance: MXAverage<MXUnitAveragePixelLuminance>?

  public init(averagePixelLuminance: MXAverage<MXUnitAveragePixelLuminance>? = nil) {
    self.averagePixelLuminance = averagePixelLuminance
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiskspaceusagemetric
@available(iOS 26, macOS 26, visionOS 26, *)
open class MXDiskSpaceUsageMetric: MXMetric {
  public let totalBinaryFileSize: Measurement<UnitInformationStorage>
  public let totalBinaryFileCount: Int
  public let totalDataFileSize: Measurement<UnitInformationStorage>
  public let totalDataFileCount: Int
  public let totalCacheFolderSize: Measurement<UnitInformationStorage>
  public let totalCloneSize: Measurement<UnitInformationStorage>
  public let totalDiskSpaceUsedSize: Measurement<UnitInformationStorage>
  public let totalDiskSpaceCapacity: Measurement<UnitInformationStorage>

  public init(
    totalBinaryFileSize: Measurement<UnitInformationStorage>, totalBinaryFileCount: Int = 0,
    totalDataFileSize: Measurement<UnitInformationStorage>, totalDataFileCount: Int = 0,
    totalCacheFolderSize: Measurement<UnitInformationStorage>, totalCloneSize: Measurement<UnitInformationStorage>,
    totalDiskSpaceUsedSize: Measurement<UnitInformationStorage>,
    totalDiskSpaceCapacity: Measurement<UnitInformationStorage>
  ) {
    self.totalBinaryFileSize = totalBinaryFileSize
    self.totalBinaryFileCount = totalBinaryFileCount
    self.totalDataFileSize = totalDataFileSize
    self.totalDataFileCount = totalDataFileCount
    self.totalCacheFolderSize = totalCacheFolderSize
    self.totalCloneSize = totalCloneSize
    self.totalDiskSpaceUsedSize = totalDiskSpaceUsedSize
    self.totalDiskSpaceCapacity = totalDiskSpaceCapacity
  }
}
