/// Names as constants, as the headers had them.
let kEventAppOpen = "App Opened"
let kEventAppClose = "App Closed"

/// The names of runs.
struct RunEvent {
  static let start = "Run Started"
  static let pause = "Run Paused"
  static let end = "Run Ended"
  private init() {}
}

/// Keys of both languages.
enum ParamKey: String {
  case distance = "distance_km"
  case duration = "duration_s"
  case weather
}
