/// A MetricKit metric and its key in events.
///
/// The static properties are all known metrics. Those of signposts exist once for each signpost.
public struct HealthMetric: Sendable, Hashable {
  /// The topic of its event.
  public let topic: HealthTopic
  /// The key of its parameter, and the prefix of a histogram's and an average's parameters.
  public let key: String

  init(_ topic: HealthTopic, _ key: String) {
    self.topic = topic
    self.key = key
  }

  /// The topic and key, such as `cpu.time`.
  public var name: String { topic.rawValue + "." + key }
}

extension HealthMetric {
  /// The time from the start of a launch to its first frame; a histogram.
  public static let timeToFirstDraw = HealthMetric(.timeToFirstDraw, "duration")
  /// The same for launches that the system prewarmed; a histogram.
  public static let optimizedTimeToFirstDraw = HealthMetric(.optimizedTimeToFirstDraw, "duration")
  /// The time to resume from the background; a histogram.
  public static let resumeTime = HealthMetric(.resume, "duration")
  /// The launch time up to the end that the app reports; a histogram.
  public static let extendedLaunchTime = HealthMetric(.extendedLaunch, "duration")
  /// The times in which the app was unresponsive; a histogram.
  public static let hangTime = HealthMetric(.hangTime, "duration")
  /// The hitch time ratio while scrolling.
  public static let scrollHitchRatio = HealthMetric(.animation, "scroll_hitch_ratio")
  /// The hitch time ratio of all animations.
  public static let hitchRatio = HealthMetric(.animation, "hitch_ratio")

  static let responsiveness: [HealthMetric] = [
    .timeToFirstDraw, .optimizedTimeToFirstDraw, .resumeTime, .extendedLaunchTime, .hangTime, .scrollHitchRatio,
    .hitchRatio,
  ]
}
