/// One measurement that MetricKit makes, and its name in an event.
///
/// Its statics name all that are known; signposts have theirs once for each signpost.
public struct HealthMetric: Sendable, Hashable {
  /// The event that it belongs to.
  public let topic: HealthTopic
  /// Its key among the event's parameters. A histogram's and an average's parameters begin with it.
  public let key: String

  init(_ topic: HealthTopic, _ key: String) {
    self.topic = topic
    self.key = key
  }

  /// Topic and key, such as `cpu.time`.
  public var name: String { topic.rawValue + "." + key }
}
