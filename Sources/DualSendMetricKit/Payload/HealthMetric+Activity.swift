extension HealthMetric {
  /// Sent over Wi-Fi.
  public static let wifiUpload = HealthMetric(
    .network, "wifi_upload", at: "networkTransferMetrics", "cumulativeWifiUpload", measures: .storage)
  /// Received over Wi-Fi.
  public static let wifiDownload = HealthMetric(
    .network, "wifi_download", at: "networkTransferMetrics", "cumulativeWifiDownload", measures: .storage)
  /// Sent over the cellular network.
  public static let cellularUpload = HealthMetric(
    .network, "cellular_upload", at: "networkTransferMetrics", "cumulativeCellularUpload", measures: .storage)
  /// Received over the cellular network.
  public static let cellularDownload = HealthMetric(
    .network, "cellular_download", at: "networkTransferMetrics", "cumulativeCellularDownload", measures: .storage)
  /// Bars of the cellular signal; a histogram.
  public static let cellularBars = HealthMetric(
    .cellular, "bars", at: "cellularConditionMetrics", "cellConditionTime", measures: .signal)
  /// In the foreground.
  public static let foregroundTime = HealthMetric(
    .runTime, "foreground", at: "applicationTimeMetrics", "cumulativeForegroundTime", measures: .duration)
  /// In the background.
  public static let backgroundTime = HealthMetric(
    .runTime, "background", at: "applicationTimeMetrics", "cumulativeBackgroundTime", measures: .duration)
  /// Playing audio in the background.
  public static let backgroundAudioTime = HealthMetric(
    .runTime, "background_audio", at: "applicationTimeMetrics", "cumulativeBackgroundAudioTime", measures: .duration)
  /// Following the location in the background.
  public static let backgroundLocationTime = HealthMetric(
    .runTime, "background_location", at: "applicationTimeMetrics", "cumulativeBackgroundLocationTime",
    measures: .duration)
  /// Location at the best accuracy.
  public static let bestAccuracyTime = location("best", "cumulativeBestAccuracyTime")
  /// Location as navigation needs it.
  public static let navigationAccuracyTime = location("navigation", "cumulativeBestAccuracyForNavigationTime")
  /// Location to 10 m.
  public static let tenMetersAccuracyTime = location("ten_meters", "cumulativeNearestTenMetersAccuracyTime")
  /// Location to 100 m.
  public static let hundredMetersAccuracyTime = location("hundred_meters", "cumulativeHundredMetersAccuracyTime")
  /// Location to 1 km.
  public static let kilometerAccuracyTime = location("kilometer", "cumulativeKilometerAccuracyTime")
  /// Location to 3 km.
  public static let threeKilometersAccuracyTime = location(
    "three_kilometers", "cumulativeThreeKilometersAccuracyTime")

  private static func location(_ key: String, _ member: String) -> HealthMetric {
    HealthMetric(.location, key, at: "locationActivityMetrics", member, measures: .duration)
  }

  static let activity: [HealthMetric] = [
    .wifiUpload, .wifiDownload, .cellularUpload, .cellularDownload, .cellularBars, .foregroundTime, .backgroundTime,
    .backgroundAudioTime, .backgroundLocationTime, .bestAccuracyTime, .navigationAccuracyTime, .tenMetersAccuracyTime,
    .hundredMetersAccuracyTime, .kilometerAccuracyTime, .threeKilometersAccuracyTime,
  ]
}
