/// A test double that went into the app.
final class MockAnalytics: AnalyticsProtocol {
  private(set) var last: String?

  func track(_ name: String, parameters: [String: Any]? = nil) {
    last = name
  }
}
