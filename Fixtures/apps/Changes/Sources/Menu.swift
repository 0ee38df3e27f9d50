/// The menu of the ferry's kitchen.
struct Menu {
  let analytics = Analytics.shared

  func show(page: Int, dish: String?) {
    analytics.logMenu("menu_shown", ["page": page, "dish": dish])
    let values: [String: Any?] = ["page": page, "wine": dish]
    analytics.log("menu_closed", values.compactMapValues { $0 })
  }

  func rate(_ stars: Int, _ text: String?) {
    let rating: [String: Any] = ["stars": stars, "text": text as Any]
    analytics.log("menu_rated", rating.compactMapValues { $0 as? Int })
    analytics.log("menu_read", ["text": text, "place": "deck"].compactMapValues(filled))
    analytics.log("menu_told", rating.mapValues { "\($0)" })
    analytics.log("menu_heard", ["left": stars, "right": 1].mapValues(String.init))
  }

  private func filled(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text
  }
}
