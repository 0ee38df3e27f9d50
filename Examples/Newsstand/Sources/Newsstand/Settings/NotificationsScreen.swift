/// The notification settings.
struct NotificationsScreen {
  private static let screen = "notifications"
  let logger: any EventLogger

  func show() {
    logger.trackView(Self.screen)
  }

  func turn(_ topic: String, on isOn: Bool) {
    toggle("notifications.topic.change", isOn, ["topic": topic])
  }

  func turnSound(on isOn: Bool) {
    toggle("notifications.sound.change", isOn)
  }

  func turnBadge(on isOn: Bool) {
    toggle("notifications.badge.change", isOn)
  }

  func turnDigest(on isOn: Bool, hour: Int) {
    toggle("notifications.digest.change", isOn, ["hour": hour])
  }

  func receive(_ campaign: String) {
    logger.track("notifications.receive", ["campaign": campaign])
  }

  func open(_ campaign: String, after seconds: Double) {
    logger.track("notifications.open", ["campaign": campaign, "sec": seconds])
  }

  func dismiss(_ campaign: String) {
    logger.track("notifications.dismiss", ["campaign": campaign])
  }

  func openSystemSettings() {
    logger.trackTap("notifications.system.tap", on: Self.screen)
  }

  func snooze(_ hours: Int) {
    logger.track("notifications.snooze", ["hours": String(hours)])
  }

  private func toggle(_ name: String, _ isOn: Bool, _ more: [String: Any] = [:]) {
    logger.track(name, more.merging(["on": isOn ? 1 : 0]) { _, new in new })
  }
}
