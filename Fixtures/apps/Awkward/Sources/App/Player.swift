/// What can be played.
enum Kind {
  case song, talk
  var label: String? { self == .song ? "song" : nil }
}

/// A name that another file has as well, with other values.
private enum Name {
  static let start = "player_start"
  static let stop = "player_stop"
}

/// Plays.
final class Player {
  private var analytics: Analytics? { Analytics.shared }
  var kind: Kind?
  lazy var volume = 5

  func start() {
    analytics?.track(Name.start, parameters: ["kind": kind?.label ?? "none"])
  }

  func stop() {
    var p: [String: Any] = [:]
    if let x = kind?.label { p["kind"] = x }
    analytics?.track(Name.stop, parameters: p)
  }

  func event() {
    analytics?.track(kind?.label ?? "none")
  }

  func named() {
    if let name = kind?.label {
      analytics?.track(name, parameters: ["named": true])
    }
  }

  func skip(_ parameters: [String: Any]? = nil) {
    analytics?.track("player_skip", parameters: parameters)
  }

  func seek(to second: Int?) {
    guard let second, second > 0 else { analytics?.track("player_seek_start"); return }
    analytics?.track("player_seek", parameters: ["second": second])
  }

  func rate(_ rate: Double?) {
    analytics?.track("player_rate", parameters: rate.map { ["rate": $0] } ?? ["default": true])
  }

  func lend(_ lend: (Analytics) -> Void) { analytics.map(lend) }
}
