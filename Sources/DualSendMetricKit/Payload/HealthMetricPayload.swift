public import Foundation

/// The content of an `MXMetricPayload`, on every platform: one day on one device.
///
/// ```swift
/// payload.readings.count(.exits(.background, .memoryPressure))  // 13
/// payload.readings.histogram(.timeToFirstDraw)?.average  // 417.5, in `unit`
/// payload.readings.quantity(.peakMemory)?.value(in: .megabytes)  // 200
/// ```
public struct HealthMetricPayload: Sendable, Hashable {
  /// The device and the latest version of the app.
  public var environment: HealthEnvironment
  /// Whether the payload covers several versions of the app.
  public var includesSeveralVersions: Bool
  /// The start of the period.
  public var begin: Date?
  /// The end of the period.
  public var end: Date?
  /// The measurements.
  public var readings: [HealthReading]
  /// The app's own signposts.
  public var signposts: [HealthSignpost]

  /// Creates a payload, for tests. On Apple platforms, `MetricKitSubscriber` creates them from MetricKit's.
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

/// One of the app's own signposts, set with `mxSignpost`.
public struct HealthSignpost: Sendable, Hashable {
  /// The category of the log handle.
  public var category: String
  /// Its name.
  public var name: String
  /// The measurements: metrics whose names begin with `signpost`.
  public var readings: [HealthReading]

  /// Creates a signpost.
  public init(category: String, name: String, readings: [HealthReading] = []) {
    self.category = category
    self.name = name
    self.readings = readings
  }
}

/// The device and the app of a payload or a diagnostic.
public struct HealthEnvironment: Sendable, Hashable {
  /// The app's version, `CFBundleShortVersionString`.
  public var appVersion: String?
  /// The app's build, `CFBundleVersion`.
  public var appBuild: String?
  /// The system version, such as `iPhone OS 17.2 (21C62)`.
  public var osVersion: String?
  /// The device type, such as `iPhone15,2`.
  public var deviceType: String?
  /// The region of the device's settings, such as `JP`.
  public var regionFormat: String?
  /// The architecture, such as `arm64e`.
  public var platformArchitecture: String?
  /// Whether the app came from TestFlight; `nil` before iOS 17.
  public var isTestFlightApp: Bool?
  /// Whether Low Power Mode was on; `nil` before iOS 17.
  public var isLowPowerModeEnabled: Bool?
  /// The process id of a diagnostic; `nil` before iOS 17.
  public var processID: Int64?

  /// Creates an environment with the app's version.
  public init(appVersion: String? = nil) {
    self.appVersion = appVersion
  }
}
