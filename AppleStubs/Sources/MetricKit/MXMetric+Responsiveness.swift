// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxapplaunchmetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXAppLaunchMetric: MXMetric {
  public let histogrammedTimeToFirstDraw: MXHistogram<UnitDuration>
  @available(iOS 15.2, macOS 12.2, visionOS 1, *)
  public let histogrammedOptimizedTimeToFirstDraw: MXHistogram<UnitDuration>
  public let histogrammedApplicationResumeTime: MXHistogram<UnitDuration>
  @available(iOS 16, macOS 13, visionOS 1, *)
  public let histogrammedExtendedLaunch: MXHistogram<UnitDuration>

  public init(
    histogrammedTimeToFirstDraw: MXHistogram<UnitDuration>,
    histogrammedOptimizedTimeToFirstDraw: MXHistogram<UnitDuration>,
    histogrammedApplicationResumeTime: MXHistogram<UnitDuration>,
    histogrammedExtendedLaunch: MXHistogram<UnitDuration>
  ) {
    self.histogrammedTimeToFirstDraw = histogrammedTimeToFirstDraw
    self.histogrammedOptimizedTimeToFirstDraw = histogrammedOptimizedTimeToFirstDraw
    self.histogrammedApplicationResumeTime = histogrammedApplicationResumeTime
    self.histogrammedExtendedLaunch = histogrammedExtendedLaunch
  }
}

// https://developer.apple.com/documentation/metrickit/mxappresponsivenessmetric
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXAppResponsivenessMetric: MXMetric {
  public let histogrammedApplicationHangTime: MXHistogram<UnitDuration>

  public init(histogrammedApplicationHangTime: MXHistogram<UnitDuration>) {
    self.histogrammedApplicationHangTime = histogrammedApplicationHangTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxanimationmetric
@available(iOS 14, macOS 11, visionOS 1, *)
open class MXAnimationMetric: MXMetric {
  public let scrollHitchTimeRatio: Measurement<Unit>
  @available(iOS 26, macOS 26, visionOS 26, *)
  public var hitchTimeRatio: Measurement<Unit> { hitches }
  private let hitches: Measurement<Unit>

  public init(scrollHitchTimeRatio: Measurement<Unit>, hitchTimeRatio: Measurement<Unit>) {
    self.scrollHitchTimeRatio = scrollHitchTimeRatio
    hitches = hitchTimeRatio
  }
}
