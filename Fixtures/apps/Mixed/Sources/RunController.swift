/// Runs.
class RunController: NSObject {
  let log: ActivityLog
  private(set) var distance = 0.0
  private var laps: [Double] = []

  init(log: ActivityLog = .shared) { self.log = log }

  func start(weather: Weather?) {
    log.logEvent(RunEvent.start, parameters: [ParamKey.weather.rawValue: weather?.rawValue ?? "unknown"])
  }

  func run(_ kilometres: Double) {
    distance += kilometres
    laps.append(kilometres)
    self.log.logEvent("Run Distance", parameters: [ParamKey.distance.rawValue: distance])
  }

  func pause() {
    log.logEvent(RunEvent.pause, parameters: nil)
  }

  func end(after seconds: Int, comment: String? = nil) {
    var info = [String: Any]()
    info[ParamKey.distance.rawValue] = distance
    info[ParamKey.duration.rawValue] = seconds
    if let comment, !comment.isEmpty {
      info["comment"] = comment
    }
    log.logEvent(RunEvent.end, parameters: info)
  }

  enum Weather: String { case sun, rain }
}

/// Runs against a ghost.
final class GhostRunController: RunController {
  override func pause() {
    super.pause()
    log.logEvent("Ghost Paused", parameters: laps)
  }

  private var laps: [String: Any] { ["laps": 2] }
}
