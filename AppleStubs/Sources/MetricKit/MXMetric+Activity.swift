// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxnetworktransfermetric
open class MXNetworkTransferMetric: MXMetric {
  public var cumulativeWifiUpload: Measurement<UnitInformationStorage>
  public var cumulativeWifiDownload: Measurement<UnitInformationStorage>
  public var cumulativeCellularUpload: Measurement<UnitInformationStorage>
  public var cumulativeCellularDownload: Measurement<UnitInformationStorage>

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
open class MXCellularConditionMetric: MXMetric {
  public var histogrammedCellularConditionTime: MXHistogram<MXUnitSignalBars>

  public init(histogrammedCellularConditionTime: MXHistogram<MXUnitSignalBars>) {
    self.histogrammedCellularConditionTime = histogrammedCellularConditionTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxappruntimemetric
open class MXAppRunTimeMetric: MXMetric {
  public var cumulativeForegroundTime: Measurement<UnitDuration>
  public var cumulativeBackgroundTime: Measurement<UnitDuration>
  public var cumulativeBackgroundAudioTime: Measurement<UnitDuration>
  public var cumulativeBackgroundLocationTime: Measurement<UnitDuration>

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
open class MXLocationActivityMetric: MXMetric {
  public var cumulativeBestAccuracyTime: Measurement<UnitDuration>
  public var cumulativeBestAccuracyForNavigationTime: Measurement<UnitDuration>
  public var cumulativeNearestTenMetersAccuracyTime: Measurement<UnitDuration>
  public var cumulativeHundredMetersAccuracyTime: Measurement<UnitDuration>
  public var cumulativeKilometerAccuracyTime: Measurement<UnitDuration>
  public var cumulativeThreeKilometersAccuracyTime: Measurement<UnitDuration>

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
