// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxmetricpayload
open class MXMetricPayload: NSObject {
  public var latestApplicationVersion: String
  public var includesMultipleApplicationVersions: Bool
  public var timeStampBegin: Date
  public var timeStampEnd: Date
  public var cpuMetrics: MXCPUMetric?
  public var gpuMetrics: MXGPUMetric?
  public var cellularConditionMetrics: MXCellularConditionMetric?
  public var applicationTimeMetrics: MXAppRunTimeMetric?
  public var locationActivityMetrics: MXLocationActivityMetric?
  public var networkTransferMetrics: MXNetworkTransferMetric?
  public var applicationLaunchMetrics: MXAppLaunchMetric?
  public var applicationResponsivenessMetrics: MXAppResponsivenessMetric?
  public var diskIOMetrics: MXDiskIOMetric?
  public var memoryMetrics: MXMemoryMetric?
  public var displayMetrics: MXDisplayMetric?
  public var animationMetrics: MXAnimationMetric?
  public var applicationExitMetrics: MXAppExitMetric?
  public var diskSpaceUsageMetrics: MXDiskSpaceUsageMetric?
  public var signpostMetrics: [MXSignpostMetric]?
  public var metaData: MXMetaData?

  public init(
    latestApplicationVersion: String, includesMultipleApplicationVersions: Bool, timeStampBegin: Date,
    timeStampEnd: Date, cpuMetrics: MXCPUMetric? = nil, gpuMetrics: MXGPUMetric? = nil,
    cellularConditionMetrics: MXCellularConditionMetric? = nil, applicationTimeMetrics: MXAppRunTimeMetric? = nil,
    locationActivityMetrics: MXLocationActivityMetric? = nil, networkTransferMetrics: MXNetworkTransferMetric? = nil,
    applicationLaunchMetrics: MXAppLaunchMetric? = nil,
    applicationResponsivenessMetrics: MXAppResponsivenessMetric? = nil, diskIOMetrics: MXDiskIOMetric? = nil,
    memoryMetrics: MXMemoryMetric? = nil, displayMetrics: MXDisplayMetric? = nil,
    animationMetrics: MXAnimationMetric? = nil, applicationExitMetrics: MXAppExitMetric? = nil,
    diskSpaceUsageMetrics: MXDiskSpaceUsageMetric? = nil, signpostMetrics: [MXSignpostMetric]? = nil,
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
    self.diskSpaceUsageMetrics = diskSpaceUsageMetrics
    self.signpostMetrics = signpostMetrics
    self.metaData = metaData
  }
}

// https://developer.apple.com/documentation/metrickit/mxmetadata
open class MXMetaData: NSObject {
  public var regionFormat: String
  public var osVersion: String
  public var deviceType: String
  public var applicationBuildVersion: String
  public var platformArchitecture: String
  public var lowPowerModeEnabled: Bool
  public var isTestFlightApp: Bool
  public var pid: Int32

  public init(
    regionFormat: String, osVersion: String, deviceType: String, applicationBuildVersion: String,
    platformArchitecture: String, lowPowerModeEnabled: Bool, isTestFlightApp: Bool, pid: Int32
  ) {
    self.regionFormat = regionFormat
    self.osVersion = osVersion
    self.deviceType = deviceType
    self.applicationBuildVersion = applicationBuildVersion
    self.platformArchitecture = platformArchitecture
    self.lowPowerModeEnabled = lowPowerModeEnabled
    self.isTestFlightApp = isTestFlightApp
    self.pid = pid
  }
}
