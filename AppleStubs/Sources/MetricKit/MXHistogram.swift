// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxhistogram
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXHistogram<UnitType: Unit>: NSObject {
  private let buckets: [MXHistogramBucket<UnitType>]

  public init(_ buckets: [MXHistogramBucket<UnitType>]) {
    self.buckets = buckets
  }

  /// A new one for each access.
  public var bucketEnumerator: NSEnumerator { NSArray(array: buckets).objectEnumerator() }
}

// https://developer.apple.com/documentation/metrickit/mxhistogrambucket
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXHistogramBucket<UnitType: Unit>: NSObject {
  public let bucketStart: Measurement<UnitType>
  public let bucketEnd: Measurement<UnitType>
  public let bucketCount: Int

  public init(bucketStart: Measurement<UnitType>, bucketEnd: Measurement<UnitType>, bucketCount: Int) {
    self.bucketStart = bucketStart
    self.bucketEnd = bucketEnd
    self.bucketCount = bucketCount
  }
}

// https://developer.apple.com/documentation/metrickit/mxaverage
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXAverage<UnitType: Unit>: NSObject {
  public let averageMeasurement: Measurement<UnitType>
  public let sampleCount: Int
  public let standardDeviation: Double

  public init(averageMeasurement: Measurement<UnitType>, sampleCount: Int, standardDeviation: Double) {
    self.averageMeasurement = averageMeasurement
    self.sampleCount = sampleCount
    self.standardDeviation = standardDeviation
  }
}

// https://developer.apple.com/documentation/metrickit/mxunitsignalbars
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXUnitSignalBars: Dimension, @unchecked Sendable {
  open class var bars: MXUnitSignalBars { signalBars }
  private static let signalBars = MXUnitSignalBars(symbol: "bars", converter: UnitConverterLinear(coefficient: 1))
}

// https://developer.apple.com/documentation/metrickit/mxunitaveragepixelluminance
@available(iOS 13, macOS 10.15, visionOS 1, *)
open class MXUnitAveragePixelLuminance: Dimension, @unchecked Sendable {
  open class var apl: MXUnitAveragePixelLuminance { luminance }
  private static let luminance = MXUnitAveragePixelLuminance(
    symbol: "apl", converter: UnitConverterLinear(coefficient: 1))
}
