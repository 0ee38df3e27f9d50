extension HealthMetric {
  /// Data sent over Wi-Fi.
  public static let wifiUpload = HealthMetric(.network, "wifi_upload")
  /// Data received over Wi-Fi.
  public static let wifiDownload = HealthMetric(.network, "wifi_download")
  /// Data sent over the cellular network.
  public static let cellularUpload = HealthMetric(.network, "cellular_upload")
  /// Data received over the cellular network.
  public static let cellularDownload = HealthMetric(.network, "cellular_download")
  /// Bars of the cellular signal; a histogram.
  public static let cellularBars = HealthMetric(.cellular, "bars")
  /// Time in the foreground.
  public static let foregroundTime = HealthMetric(.runTime, "foreground")
  /// Time in the background.
  public static let backgroundTime = HealthMetric(.runTime, "background")
  /// Time with audio in the background.
  public static let backgroundAudioTime = HealthMetric(.runTime, "background_audio")
  /// Time with location updates in the background.
  public static let backgroundLocationTime = HealthMetric(.runTime, "background_location")
  /// Time with location at the best accuracy.
  public static let bestAccuracyTime = HealthMetric(.location, "best")
  /// Time with location for navigation.
  public static let navigationAccuracyTime = HealthMetric(.location, "navigation")
  /// Time with location accurate to 10 m.
  public static let tenMetersAccuracyTime = HealthMetric(.location, "ten_meters")
  /// Time with location accurate to 100 m.
  public static let hundredMetersAccuracyTime = HealthMetric(.location, "hundred_meters")
  /// Time with location accurate to 1 km.
  public static let kilometerAccuracyTime = HealthMetric(.location, "kilometer")
  /// Time with location accurate to 3 km.
  public static let threeKilometersAccuracyTime = HealthMetric(.location, "three_kilometers")

  static let activity: [HealthMetric] = [
    .wifiUpload, .wifiDownload, .cellularUpload, .cellularDownload, .cellularBars, .foregroundTime, .backgroundTime,
    .backgroundAudioTime, .backgroundLocationTime, .bestAccuracyTime, .navigationAccuracyTime, .tenMetersAccuracyTime,
    .hundredMetersAccuracyTime, .kilometerAccuracyTime, .threeKilometersAccuracyTime,
  ]
}
