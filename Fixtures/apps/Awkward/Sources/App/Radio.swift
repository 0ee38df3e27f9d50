/// The same name as another file's, with other values.
private enum Name {
  static let start = "radio_start"
  static let stop = "radio_stop"
}

/// Plays what others choose.
class Radio {
  let analytics: any AnalyticsProtocol
  var station: String { "none" }

  init(analytics: any AnalyticsProtocol) { self.analytics = analytics }

  func start() {
    analytics.track(Name.start, parameters: ["station": station])
    #if RADIO_STATISTICS
      analytics.track("radio_statistics", parameters: ["count": 1])
    #endif
  }

  func stop() {
    #if RADIO_STATISTICS
      let name = "radio_stop_counted"
    #else
      let name = Name.stop
    #endif
    analytics.track(name)
  }

  func tune(_ frequency: Double, done: () -> Void = {}) {
    defer { analytics.track("radio_tuned", parameters: ["frequency": frequency]) }
    done()
  }

  func scan(_ names: [String]) {
    names.forEach { analytics.track("radio_scan_" + $0) }
    names.map { "radio_found_\($0)" }.forEach(analytics.track)
  }

  func describe() {
    var p = ["station": station, "old": "1"]
    p.removeValue(forKey: "old")
    p["station"] = station == "none" ? nil : station
    analytics.track("radio_describe", parameters: p)
  }
}

/// A radio with a station.
final class LocalRadio: Radio {
  override var station: String { "local" }

  override func stop() {
    let name = "local_stop"
    do {
      let name = "local_stop_inner"
      analytics.track(name, parameters: ["inner": true])
    }
    analytics.track(name)
  }
}
