extension HealthMetric {
  /// From the start of a launch to its first frame; a histogram.
  public static let timeToFirstDraw = HealthMetric(.timeToFirstDraw, "duration")
  /// The same for launches that the system prepared; a histogram.
  public static let optimizedTimeToFirstDraw = HealthMetric(.optimizedTimeToFirstDraw, "duration")
  /// From the background back to the foreground; a histogram.
  public static let resumeTime = HealthMetric(.resume, "duration")
  /// Launches as far as the app itself says that they last; a histogram.
  public static let extendedLaunchTime = HealthMetric(.extendedLaunch, "duration")
  /// Times in which the app did not answer; a histogram.
  public static let hangTime = HealthMetric(.hangTime, "duration")
  /// Time lost to late frames while scrolling.
  public static let scrollHitchRatio = HealthMetric(.animation, "scroll_hitch_ratio")
  /// Time lost to late frames in all animations.
  public static let hitchRatio = HealthMetric(.animation, "hitch_ratio")

  static let responsiveness: [HealthMetric] = [
    .timeToFirstDraw, .optimizedTimeToFirstDraw, .resumeTime, .extendedLaunchTime, .hangTime, .scrollHitchRatio,
    .hitchRatio,
  ]
}
