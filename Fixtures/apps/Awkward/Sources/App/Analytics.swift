/// What the app logs through.
protocol AnalyticsProtocol: AnyObject {
  func track(_ name: String, parameters: [String: Any]?)
}

/// The one that sends.
final class Analytics: AnalyticsProtocol {
  static var shared: Analytics? = Analytics()

  func track(_ name: String, parameters: [String: Any]? = nil) {
    Output.write(name: name, parameters: parameters ?? [:])
  }

  func track(_ name: String, making parameters: () -> [String: Any]) {
    track(name, parameters: parameters())
  }
}

extension AnalyticsProtocol {
  func track(_ name: String) { track(name, parameters: nil) }
}
