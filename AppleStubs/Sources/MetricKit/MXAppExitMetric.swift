// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxforegroundexitdata
@available(iOS 14, macOS 11, visionOS 1, *)
open class MXForegroundExitData: NSObject {
  public let cumulativeNormalAppExitCount: Int
  public let cumulativeMemoryResourceLimitExitCount: Int
  public let cumulativeBadAccessExitCount: Int
  public let cumulativeAbnormalExitCount: Int
  public let cumulativeIllegalInstructionExitCount: Int
  public let cumulativeAppWatchdogExitCount: Int

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
@available(iOS 14, macOS 11, visionOS 1, *)
open class MXBackgroundExitData: NSObject {
  public let cumulativeNormalAppExitCount: Int
  public let cumulativeMemoryResourceLimitExitCount: Int
  public let cumulativeCPUResourceLimitExitCount: Int
  public let cumulativeMemoryPressureExitCount: Int
  public let cumulativeBadAccessExitCount: Int
  public let cumulativeAbnormalExitCount: Int
  public let cumulativeIllegalInstructionExitCount: Int
  public let cumulativeAppWatchdogExitCount: Int
  public let cumulativeSuspendedWithLockedFileExitCount: Int
  public let cumulativeBackgroundTaskAssertionTimeoutExitCount: Int

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
@available(iOS 14, macOS 11, visionOS 1, *)
open class MXAppExitMetric: MXMetric {
  public let foregroundExitData: MXForegroundExitData
  public let backgroundExitData: MXBackgroundExitData

  public init(foregroundExitData: MXForegroundExitData, backgroundExitData: MXBackgroundExitData) {
    self.foregroundExitData = foregroundExitData
    self.backgroundExitData = backgroundExitData
  }
}
