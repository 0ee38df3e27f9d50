// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxforegroundexitdata
open class MXForegroundExitData: NSObject {
  public var cumulativeNormalAppExitCount: Int
  public var cumulativeMemoryResourceLimitExitCount: Int
  public var cumulativeBadAccessExitCount: Int
  public var cumulativeAbnormalExitCount: Int
  public var cumulativeIllegalInstructionExitCount: Int
  public var cumulativeAppWatchdogExitCount: Int

  public init(
    cumulativeNormalAppExitCount: Int = 0, cumulativeMemoryResourceLimitExitCount: Int = 0,
    cumulativeBadAccessExitCount: Int = 0, cumulativeAbnormalExitCount: Int = 0,
    cumulativeIllegalInstructionExitCount: Int = 0, cumulativeAppWatchdogExitCount: Int = 0
  ) {
    self.cumulativeNormalAppExitCount = cumulativeNormalAppExitCount
    self.cumulativeMemoryResourceLimitExitCount = cumulativeMemoryResourceLimitExitCount
    self.cumulativeBadAccessExitCount = cumulativeBadAccessExitCount
    self.cumulativeAbnormalExitCount = cumulativeAbnormalExitCount
    self.cumulativeIllegalInstructionExitCount = cumulativeIllegalInstructionExitCount
    self.cumulativeAppWatchdogExitCount = cumulativeAppWatchdogExitCount
  }
}

// https://developer.apple.com/documentation/metrickit/mxbackgroundexitdata
open class MXBackgroundExitData: NSObject {
  public var cumulativeNormalAppExitCount: Int
  public var cumulativeMemoryResourceLimitExitCount: Int
  public var cumulativeCPUResourceLimitExitCount: Int
  public var cumulativeMemoryPressureExitCount: Int
  public var cumulativeBadAccessExitCount: Int
  public var cumulativeAbnormalExitCount: Int
  public var cumulativeIllegalInstructionExitCount: Int
  public var cumulativeAppWatchdogExitCount: Int
  public var cumulativeSuspendedWithLockedFileExitCount: Int
  public var cumulativeBackgroundTaskAssertionTimeoutExitCount: Int

  public init(
    cumulativeNormalAppExitCount: Int = 0, cumulativeMemoryResourceLimitExitCount: Int = 0,
    cumulativeCPUResourceLimitExitCount: Int = 0, cumulativeMemoryPressureExitCount: Int = 0,
    cumulativeBadAccessExitCount: Int = 0, cumulativeAbnormalExitCount: Int = 0,
    cumulativeIllegalInstructionExitCount: Int = 0, cumulativeAppWatchdogExitCount: Int = 0,
    cumulativeSuspendedWithLockedFileExitCount: Int = 0, cumulativeBackgroundTaskAssertionTimeoutExitCount: Int = 0
  ) {
    self.cumulativeNormalAppExitCount = cumulativeNormalAppExitCount
    self.cumulativeMemoryResourceLimitExitCount = cumulativeMemoryResourceLimitExitCount
    self.cumulativeCPUResourceLimitExitCount = cumulativeCPUResourceLimitExitCount
    self.cumulativeMemoryPressureExitCount = cumulativeMemoryPressureExitCount
    self.cumulativeBadAccessExitCount = cumulativeBadAccessExitCount
    self.cumulativeAbnormalExitCount = cumulativeAbnormalExitCount
    self.cumulativeIllegalInstructionExitCount = cumulativeIllegalInstructionExitCount
    self.cumulativeAppWatchdogExitCount = cumulativeAppWatchdogExitCount
    self.cumulativeSuspendedWithLockedFileExitCount = cumulativeSuspendedWithLockedFileExitCount
    self.cumulativeBackgroundTaskAssertionTimeoutExitCount = cumulativeBackgroundTaskAssertionTimeoutExitCount
  }
}

// https://developer.apple.com/documentation/metrickit/mxappexitmetric
open class MXAppExitMetric: MXMetric {
  public var foregroundExitData: MXForegroundExitData
  public var backgroundExitData: MXBackgroundExitData

  public init(foregroundExitData: MXForegroundExitData, backgroundExitData: MXBackgroundExitData) {
    self.foregroundExitData = foregroundExitData
    self.backgroundExitData = backgroundExitData
  }
}
