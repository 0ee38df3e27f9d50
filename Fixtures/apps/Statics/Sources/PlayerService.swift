/// Plays.
final class PlayerService {
  private let storage: StorageService
  private let settings: SettingsService
  private var track: String?

  init(storage: StorageService, settings: SettingsService) {
    self.storage = storage
    self.settings = settings
  }

  func playTapped(_ track: String) {
    self.track = track
    Metrics.logEvent("play", with: ["track": track])
  }

  func pauseTapped(at second: Double) {
    Metrics.logEvent("pause", with: ["track": track ?? "none", "second": second])
  }

  func stopTapped() {
    Metrics.logEvent("stop")
  }

  func seek(by seconds: Double) {
    let isForward = seconds > 0
    Metrics.logEvent(isForward ? "seek_forward" : "seek_back", with: ["seconds": abs(seconds)])
  }

  func volume(_ level: Int) {
    guard level != 0 else {
      Metrics.shared.logEvent("mute")
      return
    }
    Metrics.shared.logEvent("volume", with: ["level": level])
  }

  func finished(skipped: Bool) {
    var parameters = ["track": track ?? "none"]
    if skipped { parameters["skipped"] = "yes" }
    Metrics.shared.logEvent("finished", with: parameters)
  }
}
