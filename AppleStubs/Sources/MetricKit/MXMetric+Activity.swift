// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxnetworktransfermetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXNetworkTransferMetric: MXMetric {
  public let cumulativeWifiUpload: Measurement<UnitInformationStorage>
  public let cumulativeWifiDownload: Measurement<UnitInformationStorage>
  public let cumulativeCellularUpload: Measurement<UnitInformationStorage>
  public let cumulativeCellularDownload: Measurement<UnitInformationStorage>

  public init(
    cumulativeWifiUpload: Measurement<UnitInformationStorage>,
    cumulativeWifiDownload: Measurement<UnitInformationStorage>,
    cumulativeCellularUpload: Measurement<UnitInformationStorage>,
    cumulativeCellularDownload: Measurement<UnitInformationStorage>
  ) {
    self.cumulativeWifiUpload = cumulativeWifiUpload
    self.cumulativeWifiDownload = cumulativeWifiDownload
    self.cumulativeCellularUpload = cumulativeCellularUpload
    self.cumulativeCellularDownload = cumulativeCellularDownload
  }
}

// https://developer.apple.com/documentation/metrickit/mxcellularconditionmetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXCellularConditionMetric: MXMetric {
  public let histogrammedCellularConditionTime: MXHistogram<MXUnitSignalBars>

  public init(histogrammedCellularConditionTime: MXHistogram<MXUnitSignalBars>) {
    self.histogrammedCellularConditionTime = histogrammedCellularConditionTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxappruntimemetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXAppRunTimeMetric: MXMetric {
  public let cumulativeForegroundTime: Measurement<UnitDuration>
  public let cumulativeBackgroundTime: Measurement<UnitDuration>
  public let cumulativeBackgroundAudioTime: Measurement<UnitDuration>
  public let cumulativeBackgroundLocationTime: Measurement<UnitDuration>

  public init(
    cumulativeForegroundTime: Measurement<UnitDuration>, cumulativeBackgroundTime: Measurement<UnitDuration>,
    cumulativeBackgroundAudioTime: Measurement<UnitDuration>,
    cumulativeBackgroundLocationTime: Measurement<UnitDuration>
  ) {
    self.cumulativeForegroundTime = cumulativeForegroundTime
    self.cumulativeBackgroundTime = cumulativeBackgroundTime
    self.cumulativeBackgroundAudioTime = cumulativeBackgroundAudioTime
    self.cumulativeBackgroundLocationTime = cumulativeBackgroundLocationTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxlocationactivitymetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXLocationActivityMetric: MXMetric {
  public let cumulativeBestAccuracyTime: Measurement<UnitDuration>
  public let cumulativeBestAccuracyForNavigationTime: Measurement<UnitDuration>
  public let cumulativeNearestTenMetersAccuracyTime: Measurement<UnitDuration>
  public let cumulativeHundredMetersAccuracyTime: Measurement<UnitDuration>
  public let cumulativeKilometerAccuracyTime: Measurement<UnitDuration>
  public let cumulativeThreeKilometersAccuracyTime: Measurement<UnitDuration>

  public init(
    cumulativeBestAccuracyTime: Measurement<UnitDuration>,
    cumulativeBestAccuracyForNavigationTime: Measurement<UnitDuration>,
    cumulativeNearestTenMetersAccuracyTime: Measurement<UnitDuration>,
    cumulativeHundredMetersAccuracyTime: Measurement<UnitDuration>,
    cumulativeKilometerAccuracyTime: Measurement<UnitDuration>,
    cumulativeThreeKilometersAccuracyTime: Measurement<UnitDuration>
  ) {
    self.cumulativeBestAccuracyTime = cumulativeBestAccuracyTime
    self.cumulativeBestAccuracyForNavigationTime = cumulativeBestAccuracyForNavigationTime
    self.cumulativeNearestTenMetersAccuracyTime = cumulativeNearestTenMetersAccuracyTime
    self.cumulativeHundredMetersAccuracyTime = cumulativeHundredMetersAccuracyTime
    self.cumulativeKilometerAccuracyTime = cumulativeKilometerAccuracyTime
    self.cumulativeThreeKilometersAccuracyTime = cumulativeThreeKilometersAccuracyTime
  }
}
