import DualSendCore

/// One measurement that MetricKit makes: where it stands in a payload, and what it is called in an event.
///
/// Its statics name all that are known; signposts have theirs once for each signpost.
public struct HealthMetric: Sendable, Hashable {
  /// The event that it belongs to.
  public let topic: HealthTopic
  /// Its key among the event's parameters. A histogram's and an average's parameters begin with it.
  public let key: String
  /// Where it stands in the JSON, outermost key first: for the metrics of signposts and diagnostics, inside of them.
  let place: [String]
  /// What it measures; tells the meaning of unit texts that differ from language to language.
  let dimension: HealthUnit.Dimension
  /// Whether its number is a count and has no unit.
  let isCount: Bool

  init(
    _ topic: HealthTopic, _ key: String, at place: String..., measures dimension: HealthUnit.Dimension = .none,
    isCount: Bool = false
  ) {
    self.topic = topic
    self.key = key
    self.place = place
    self.dimension = dimension
    self.isCount = isCount
  }

  /// Topic and key, such as `cpu.time`.
  public var name: String { topic.rawValue + "." + key }

  /// Whether both are the same metric.
  public static func == (left: HealthMetric, right: HealthMetric) -> Bool {
    left.topic == right.topic && left.key.isExactly(right.key)
  }

  /// Hashes what makes two metrics the same.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(topic)
    hasher.combine(key)
  }
}
