public import DualSendCore

/// One event about the app's health.
public struct HealthEvent: Sendable {
  /// What it is about.
  public let topic: HealthTopic
  /// Its parameters; the article on health metrics has every key.
  public internal(set) var parameters: [String: EventValue]
  /// The diagnostic that it is about, whole, for a crash reporter; `nil` for metrics.
  public internal(set) var diagnostic: HealthDiagnostic?

  /// Its name, such as `health.app_exit.background`.
  public var name: String { topic.eventName }
}
