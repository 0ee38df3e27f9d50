/// What screens know of tracking.
protocol EventTracking {
  func log(_ name: String, parameters: [String: Any]?)
  func setUser(_ id: String?)
}

extension EventTracking {
  func log(_ name: String) {
    log(name, parameters: nil)
  }

  func logScreen(_ screen: String) {
    log("screen_view", parameters: ["screen": screen])
  }
}
