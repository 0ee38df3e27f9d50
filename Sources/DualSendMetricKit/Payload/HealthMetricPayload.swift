public import Foundation

/// What an `MXMetricPayload` holds, on every platform: one day of the app's life on one device.
///
/// ```swift
/// payload.readings.count(.exits(.background, .memoryPressure))  // 13
/// payload.readings.histogram(.timeToFirstDraw)?.average  // 417.5, in `unit`
/// payload.readings.quantity(.peakMemory)?.value(in: .megabytes)  // 200
/// ```
public struct HealthMetricPayload: Sendable, Hashable {
  /// The device and the app. Of several versions of the app, the latest.
  public var environment: HealthEnvironment
  /// Whether the payload covers an update of the app, so that its numbers belong to no one version.
  public var includesSeveralVersions: Bool
  /// When the payload begins.
  public var begin: Date?
  /// When the payload ends.
  public var end: Date?
  /// What was measured.
  public var readings: [HealthReading]
  /// The app's own signposts.
  public var signposts: [HealthSignpost]

  /// Creates a payload, as a test does. On Apple platforms `MetricKitSubscriber` makes them of MetricKit's.
  public init(
    environment: HealthEnvironment = HealthEnvironment(), includesSeveralVersions: Bool = false, begin: Date? = nil,
    end: Date? = nil, readings: [HealthReading] = [], signposts: [HealthSignpost] = []
  ) {
    self.environment = environment
    self.includesSeveralVersions = includesSeveralVersions
    self.begin = begin
    self.end = end
    self.readings = readings
    self.signposts = signposts
  }
}
