// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxapplaunchmetric
open class MXAppLaunchMetric: MXMetric {
  public var histogrammedTimeToFirstDraw: MXHistogram<UnitDuration>
  public var histogrammedOptimizedTimeToFirstDraw: MXHistogram<UnitDuration>
  public var histogrammedApplicationResumeTime: MXHistogram<UnitDuration>
  public var histogrammedExtendedLaunch: MXHistogram<UnitDuration>

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
open class MXAppResponsivenessMetric: MXMetric {
  public var histogrammedApplicationHangTime: MXHistogram<UnitDuration>

  public init(histogrammedApplicationHangTime: MXHistogram<UnitDuration>) {
    self.histogrammedApplicationHangTime = histogrammedApplicationHangTime
  }
}

// https://developer.apple.com/documentation/metrickit/mxanimationmetric
open class MXAnimationMetric: MXMetric {
  public var scrollHitchTimeRatio: Measurement<Unit>
  public var hitchTimeRatio: Measurement<Unit>

  public init(scrollHitchTimeRatio: Measurement<Unit>, hitchTimeRatio: Measurement<Unit>) {
    self.scrollHitchTimeRatio = scrollHitchTimeRatio
    self.hitchTimeRatio = hitchTimeRatio
  }
}
