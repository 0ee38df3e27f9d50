/// Podcasts, written in a hurry.
struct Podcast {
  var analytics = Analytics.shared
  var title: String?

  func play() {
    analytics?.track("podcast_play") { ["title": title ?? "none"] }
    analytics?.track("podcast_\(title ?? "none")_play", parameters: nil)
  }

  func download(_ done: (Bool) -> Void) {
    done(true)
    analytics!.track(
      "podcast_download",
      parameters: {
        let size = 3
        return ["size": size]
      }())
  }

  func fail(_ error: Failure?) {
    let reason: String
    switch error {
    case .none: reason = "unknown"
    case .network(let code)?: reason = "network_\(code)"
    case .disk?: reason = "disk"
    }
    (analytics ?? Analytics())
      .track("podcast_fail", parameters: ["reason": reason])
  }

  func subscribe(_ isOn: Bool) {
    func log(_ name: String) { analytics?.track(name, parameters: ["title": title as Any]) }
    isOn ? log("podcast_subscribe") : log("podcast_unsubscribe")
  }

  func rate(_ stars: Int, _ key: String) {
    analytics?.track("podcast_rate", parameters: [key: stars])
  }

  func share() {
    let shared = Dictionary(uniqueKeysWithValues: ["a", "b"].map { ($0, 1) })
    analytics?.track("podcast \"share\"", parameters: shared)
    analytics?.track(#"podcast\share"#, parameters: ["unicode_ü": "…"])
  }

  enum Failure { case network(Int), disk }
}
