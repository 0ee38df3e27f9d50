import DualSendMetricKit
import DualSendTracking
import Foundation
import Testing

private func reporter(_ logger: any EventLogging) -> HealthReporter {
  // DualSendMetricKit: the reporter
  let reporter = HealthReporter(logger: logger)
  // DualSendMetricKit: the end
  return reporter
}

#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  private func subscriber(_ reporter: HealthReporter) -> MetricKitSubscriber {
    // DualSendMetricKit: the subscriber
    let subscriber = MetricKitSubscriber(reporter)
    // DualSendMetricKit: the end
    return subscriber
  }
#endif

private func values(_ payload: HealthMetricPayload) -> Double? {
  // DualSendMetricKit: the values
  let jetsams = payload.readings.count(.exits(.background, .memoryPressure)) ?? 0
  let launch = payload.readings.histogram(.timeToFirstDraw)?.average
  let memory = payload.readings.quantity(.peakMemory)?.value(in: .megabytes)
  // DualSendMetricKit: the end
  return [Double(jetsams), launch ?? 0, memory ?? 0].max()
}

private func options() -> HealthReporter.Options {
  // DualSendMetricKit: the selection
  var options = HealthReporter.Options()
  options.maximumEvents = 12
  options.placesForDiagnostics = 6
  options.selection.topics.subtract([.location, .display])
  options.selection.excludedMetrics = [.cpuInstructions]
  options.selection.thresholds[.hangTime] = .atLeast(500, .milliseconds, of: .maximum)
  options.selection.thresholds[.peakMemory] = .atLeast(300, .megabytes)
  options.selection.priorities[.animation] = .high
  // DualSendMetricKit: the end
  // DualSendMetricKit: the JSON
  options.selection.maximumJSONBytes = 32 << 10
  // DualSendMetricKit: the end
  return options
}

@Suite("The examples of the article on health metrics", .timeLimit(.minutes(5)))
struct HealthArticleTests {
  @Test(
    "stand in the article as they are compiled here",
    arguments: ["the reporter", "the subscriber", "the values", "the selection", "the JSON"])
  func verbatim(name: String) throws {
    try DocumentedExample(
      document: "Sources/DualSendMetricKit/DualSendMetricKit.docc/DualSendMetricKit.md", name: name
    ).check(in: #filePath)
  }

  @Test("name every event that there is, and every parameter of it")
  func table() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("Sources/DualSendMetricKit/DualSendMetricKit.docc/DualSendMetricKit.md")
    let article = try String(contentsOf: file, encoding: .utf8)
    for topic in HealthTopic.allCases where !topic.eventName.hasPrefix("health.launch.") {
      #expect(article.contains("`\(topic.eventName)`"))
    }
    for metric in HealthMetric.all {
      #expect(article.contains("`\(metric.key)`"), "\(metric.name)")
    }
  }
}
