// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxsignpostintervaldata
open class MXSignpostIntervalData: NSObject {
  public var histogrammedSignpostDuration: MXHistogram<UnitDuration>
  public var cumulativeCPUTime: Measurement<UnitDuration>?
  public var averageMemory: MXAverage<UnitInformationStorage>?
  public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>?
  public var cumulativeHitchTimeRatio: Measurement<Unit>?

  public init(
    histogrammedSignpostDuration: MXHistogram<UnitDuration>, cumulativeCPUTime: Measurement<UnitDuration>? = nil,
    averageMemory: MXAverage<UnitInformationStorage>? = nil,
    cumulativeLogicalWrites: Measurement<UnitInformationStorage>? = nil,
    cumulativeHitchTimeRatio: Measurement<Unit>? = nil
  ) {
    self.histogrammedSignpostDuration = histogrammedSignpostDuration
    self.cumulativeCPUTime = cumulativeCPUTime
    self.averageMemory = averageMemory
    self.cumulativeLogicalWrites = cumulativeLogicalWrites
    self.cumulativeHitchTimeRatio = cumulativeHitchTimeRatio
  }
}

// https://developer.apple.com/documentation/metrickit/mxsignpostmetric
open class MXSignpostMetric: MXMetric {
  public var signpostName: String
  public var signpostCategory: String
  public var signpostIntervalData: MXSignpostIntervalData?
  public var totalCount: Int

  public init(
    signpostName: String, signpostCategory: String, signpostIntervalData: MXSignpostIntervalData? = nil,
    totalCount: Int = 0
  ) {
    self.signpostName = signpostName
    self.signpostCategory = signpostCategory
    self.signpostIntervalData = signpostIntervalData
    self.totalCount = totalCount
  }
}
