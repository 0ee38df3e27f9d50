// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxmetricpayload
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXMetricPayload: NSObject {
  public let latestApplicationVersion: String
  public let includesMultipleApplicationVersions: Bool
  public let timeStampBegin: Date
  public let timeStampEnd: Date
  public let cpuMetrics: MXCPUMetric?
  public let gpuMetrics: MXGPUMetric?
  public let cellularConditionMetrics: MXCellularConditionMetric?
  public let applicationTimeMetrics: MXAppRunTimeMetric?
  public let locationActivityMetrics: MXLocationActivityMetric?
  public let networkTransferMetrics: MXNetworkTransferMetric?
  public let applicationLaunchMetrics: MXAppLaunchMetric?
  public let applicationResponsivenessMetrics: MXAppResponsivenessMetric?
  public let diskIOMetrics: MXDiskIOMetric?
  public let memoryMetrics: MXMemoryMetric?
  public let displayMetrics: MXDisplayMetric?
  @available(iOS 14, macOS 11, visionOS 1, *)
  public let animationMetrics: MXAnimationMetric?
  @available(iOS 14, macOS 11, visionOS 1, *)
  public let applicationExitMetrics: MXAppExitMetric?
  @available(iOS 26, macOS 26, visionOS 26, *)
  public var diskSpaceUsageMetrics: MXDiskSpaceUsageMetric? { diskSpaceUsage as? MXDiskSpaceUsageMetric }
  private let diskSpaceUsage: MXMetric?
  public let signpostMetrics: [MXSignpostMetric]?
  public let metaData: MXMetaData?

  public init(
    latestApplicationVersion: String, includesMultipleApplicationVersions: Bool, timeStampBegin: Date,
    timeStampEnd: Date, cpuMetrics: MXCPUMetric? = nil, gpuMetrics: MXGPUMetric? = nil,
    cellularConditionMetrics: MXCellularConditionMetric? = nil, applicationTimeMetrics: MXAppRunTimeMetric? = nil,
    locationActivityMetrics: MXLocationActivityMetric? = nil, networkTransferMetrics: MXNetworkTransferMetric? = nil,
    applicationLaunchMetrics: MXAppLaunchMetric? = nil,
    applicationResponsivenessMetrics: MXAppResponsivenessMetric? = nil, diskIOMetrics: MXDiskIOMetric? = nil,
    memoryMetrics: MXMemoryMetric? = nil, displayMetrics: MXDisplayMetric? = nil,
    animationMetrics: MXAnimationMetric? = nil, applicationExitMetrics: MXAppExitMetric? = nil,
    diskSpaceUsageMetrics: MXMetric? = nil, signpostMetrics: [MXSignpostMetric]? = nil,
    metaData: MXMetaData? = nil
  ) {
    self.latestApplicationVersion = latestApplicationVersion
    self.includesMultipleApplicationVersions = includesMultipleApplicationVersions
    self.timeStampBegin = timeStampBegin
    self.timeStampEnd = timeStampEnd
    self.cpuMetrics = cpuMetrics
    self.gpuMetrics = gpuMetrics
    self.cellularConditionMetrics = cellularConditionMetrics
    self.applicationTimeMetrics = applicationTimeMetrics
    self.locationActivityMetrics = locationActivityMetrics
    self.networkTransferMetrics = networkTransferMetrics
    self.applicationLaunchMetrics = applicationLaunchMetrics
    self.applicationResponsivenessMetrics = applicationResponsivenessMetrics
    self.diskIOMetrics = diskIOMetrics
    self.memoryMetrics = memoryMetrics
    self.displayMetrics = displayMetrics
    self.animationMetrics = animationMetrics
    self.applicationExitMetrics = applicationExitMetrics
    diskSpaceUsage = diskSpaceUsageMetrics
    self.signpostMetrics = signpostMetrics
    self.metaData = metaData
  }
}

// https://developer.apple.com/documentation/metrickit/mxmetadata
@available(iOS 13, macOS 12, visionOS 1, *)
open class MXMetaData: NSObject {
  public let regionFormat: String
  public let osVersion: String
  public let deviceType: String
  public let applicationBuildVersion: String
  public let platformArchitecture: String
  @available(iOS 17, macOS 14, visionOS 1, *)
  public var lowPowerModeEnabled: Bool { process.lowPowerModeEnabled }
  @available(iOS 17, macOS 14, visionOS 1, *)
  public var isTestFlightApp: Bool { process.isTestFlightApp }
  @available(iOS 17, macOS 14, visionOS 1, *)
  public var pid: Int32 { process.pid }
  private let process: (lowPowerModeEnabled: Bool, isTestFlightApp: Bool, pid: Int32)

  public init(
    regionFormat: String, osVersion: String, deviceType: String, applicationBuildVersion: String,
    platformArchitecture: String, lowPowerModeEnabled: Bool, isTestFlightApp: Bool, pid: Int32
  ) {
    self.regionFormat = regionFormat
    self.osVersion = osVersion
    self.deviceType = deviceType
    self.applicationBuildVersion = applicationBuildVersion
    self.platformArchitecture = platformArchitecture
    process = (lowPowerModeEnabled, isTestFlightApp, pid)
  }
}
