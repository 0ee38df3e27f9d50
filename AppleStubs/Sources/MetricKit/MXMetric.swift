// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxmetric
open class MXMetric: NSObject {}

// https://developer.apple.com/documentation/metrickit/mxcpumetric
open class MXCPUMetric: MXMetric {
  public var cumulativeCPUTime: Measurement<UnitDuration>
  public var cumulativeCPUInstructions: Measurement<Unit>

  public init(cumulativeCPUTime: Measurement<UnitDuration>, cumulativeCPUInstructions: Measurement<Unit>) {
    self.cumulativeCPUTime = cumulativeCPUTime
    self.cumulativeCPUInstructions = cumulativeCPUInstructions
  }
}

// https://developer.apple.com/documentation/metrickit/mxgpumetric
open class MXGPUMetric: MXMetric {
  public var cumulativeGPUTime: Measurement<UnitDuration>

  public init(cumulativeGPUTime: Measurement<UnitDuration>) {
    self.cumulativeGPUTime = cumulativeGPUTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxmemorymetric
open class MXMemoryMetric: MXMetric {
  public var peakMemoryUsage: Measurement<UnitInformationStorage>
  public var averageSuspendedMemory: MXAverage<UnitInformationStorage>

  public init(
    peakMemoryUsage: Measurement<UnitInformationStorage>, averageSuspendedMemory: MXAverage<UnitInformationStorage>
  ) {
    self.peakMemoryUsage = peakMemoryUsage
    self.averageSuspendedMemory = averageSuspendedMemory
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiskiometric
open class MXDiskIOMetric: MXMetric {
  public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>

  public init(cumulativeLogicalWrites: Measurement<UnitInformationStorage>) {
    self.cumulativeLogicalWrites = cumulativeLogicalWrites
  }
}

// https://developer.apple.com/documentation/metrickit/mxdisplaymetric
open class MXDisplayMetric: MXMetric {
  public var averagePixelLuminance: MXAverage<MXUnitAveragePixelLuminance>?

  public init(averagePixelLuminance: MXAverage<MXUnitAveragePixelLuminance>? = nil) {
    self.averagePixelLuminance = averagePixelLuminance
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiskspaceusagemetric
open class MXDiskSpaceUsageMetric: MXMetric {
  public var totalBinaryFileSize: Measurement<UnitInformationStorage>
  public var totalBinaryFileCount: Int
  public var totalDataFileSize: Measurement<UnitInformationStorage>
  public var totalDataFileCount: Int
  public var totalCacheFolderSize: Measurement<UnitInformationStorage>
  public var totalCloneSize: Measurement<UnitInformationStorage>
  public var totalDiskSpaceUsedSize: Measurement<UnitInformationStorage>
  public var totalDiskSpaceCapacity: Measurement<UnitInformationStorage>

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
