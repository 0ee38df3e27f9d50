extension HealthMetric {
  /// Sent over Wi-Fi.
  public static let wifiUpload = HealthMetric(.network, "wifi_upload")
  /// Received over Wi-Fi.
  public static let wifiDownload = HealthMetric(.network, "wifi_download")
  /// Sent over the cellular network.
  public static let cellularUpload = HealthMetric(.network, "cellular_upload")
  /// Received over the cellular network.
  public static let cellularDownload = HealthMetric(.network, "cellular_download")
  /// Bars of the cellular signal; a histogram.
  public static let cellularBars = HealthMetric(.cellular, "bars")
  /// In the foreground.
  public static let foregroundTime = HealthMetric(.runTime, "foreground")
  /// In the background.
  public static let backgroundTime = HealthMetric(.runTime, "background")
  /// Playing audio in the background.
  public static let backgroundAudioTime = HealthMetric(.runTime, "background_audio")
  /// Following the location in the background.
  public static let backgroundLocationTime = HealthMetric(.runTime, "background_location")
  /// Location at the best accuracy.
  public static let bestAccuracyTime = HealthMetric(.location, "best")
  /// Location as navigation needs it.
  public static let navigationAccuracyTime = HealthMetric(.location, "navigation")
  /// Location to 10 m.
  public static let tenMetersAccuracyTime = HealthMetric(.location, "ten_meters")
  /// Location to 100 m.
  public static let hundredMetersAccuracyTime = HealthMetric(.location, "hundred_meters")
  /// Location to 1 km.
  public static let kilometerAccuracyTime = HealthMetric(.location, "kilometer")
  /// Location to 3 km.
  public static let threeKilometersAccuracyTime = HealthMetric(.location, "three_kilometers")

  static let activity: [HealthMetric] = [
    .wifiUpload, .wifiDownload, .cellularUpload, .cellularDownload, .cellularBars, .foregroundTime, .backgroundTime,
    .backgroundAudioTime, .backgroundLocationTime, .bestAccuracyTime, .navigationAccuracyTime, .tenMetersAccuracyTime,
    .hundredMetersAccuracyTime, .kilometerAccuracyTime, .threeKilometersAccuracyTime,
  ]
}
