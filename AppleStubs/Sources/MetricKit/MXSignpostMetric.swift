// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxsignpostintervaldata
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXSignpostIntervalData: NSObject {
  public let histogrammedSignpostDuration: MXHistogram<UnitDuration>
  public let cumulativeCPUTime: Measurement<UnitDuration>?
  public let averageMemory: MXAverage<UnitInformationStorage>?
  public let cumulativeLogicalWrites: Measurement<UnitInformationStorage>?
  @available(iOS 15, macOS 12, visionOS 1, *)
  public let cumulativeHitchTimeRatio: Measurement<Unit>?

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
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXSignpostMetric: MXMetric {
  public let signpostName: String
  public let signpostCategory: String
  public let signpostIntervalData: MXSignpostIntervalData?
  public let totalCount: Int

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
