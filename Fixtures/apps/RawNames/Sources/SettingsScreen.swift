/// The settings.
enum SettingsScreen {
  static func appear() {
    Analytics.shared.screen(.settings)
  }

  static func choose(tab: Int) {
    Analytics.shared.screen(.tab(tab))
  }

  static func changeUnits(to units: String, because reason: String?) {
    Analytics.shared.track(.unitsChanged, parameters: ["units": units, "reason": reason as Any])
  }

  static func deleteAccount(extra: [String: Any]) {
    let parameters = ["sure": true as Any].merging(extra) { first, _ in first }
    Analytics.shared.track(.accountDeleted, parameters: parameters)
  }
}
