/// The search.
struct SearchScreen {
  var analytics: Analytics { .shared }

  func search(_ text: String) {
    let found = text.isEmpty ? 0 : text.count
    if found == 0 {
      analytics.track(.searchEmpty)
      return
    }
    let event = found > 3 ? EventName.searchDone : .searchEmpty
    analytics.track(event, parameters: ["count": found])
  }

  /// What the caller wants.
  func log(_ event: EventName) {
    analytics.track(event, parameters: ["from": "search"])
  }

  func replay(_ raw: String) {
    guard let event = EventName(rawValue: raw) else { return }
    analytics.track(event)
  }
}
