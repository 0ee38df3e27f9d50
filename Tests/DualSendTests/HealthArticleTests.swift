import DualSendMetricKit
import DualSendTracking
import Foundation
import Testing

private func reporter(_ logger: any EventLogging) -> HealthReporter {
  // HealthMetrics: the reporter
  let reporter = HealthReporter(logger: logger)
  // HealthMetrics: the end
  return reporter
}

#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  private func subscriber(_ reporter: HealthReporter) -> MetricKitSubscriber {
    // HealthMetrics: the subscriber
    let subscriber = MetricKitSubscriber(reporter)
    // HealthMetrics: the end
    return subscriber
  }
#endif

private func values(_ payload: HealthMetricPayload) -> Double? {
  // HealthMetrics: the values
  let jetsams = payload.readings.count(.exits(.background, .memoryPressure)) ?? 0
  let launch = payload.readings.histogram(.timeToFirstDraw)?.average
  let memory = payload.readings.quantity(.peakMemory)?.value(in: .megabytes)
  // HealthMetrics: the end
  return [Double(jetsams), launch ?? 0, memory ?? 0].max()
}

private func options() -> HealthReporter.Options {
  // HealthMetrics: the selection
  var options = HealthReporter.Options()
  options.maximumEvents = 12
  options.placesForDiagnostics = 6
  options.selection.topics.subtract([.location, .display])
  options.selection.excludedMetrics = [.cpuInstructions]
  options.selection.thresholds[.hangTime] = .atLeast(500, .milliseconds, of: .maximum)
  options.selection.thresholds[.peakMemory] = .atLeast(300, .megabytes)
  options.selection.priorities[.animation] = .high
  // HealthMetrics: the end
  // HealthMetrics: the JSON
  options.selection.maximumJSONBytes = 32 << 10
  // HealthMetrics: the end
  return options
}

@Suite("The examples of the article on health metrics", .timeLimit(.minutes(5)))
struct HealthArticleTests {
  @Test(
    "stand in the article as they are compiled here",
    arguments: ["the reporter", "the subscriber", "the values", "the selection", "the JSON"])
  func verbatim(name: String) throws {
    try DocumentedExample(document: "Sources/DualSend/DualSend.docc/HealthMetrics.md", name: name).check(in: #filePath)
  }

  @Test("name every event that there is, and every parameter of it")
  func table() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("Sources/DualSend/DualSend.docc/HealthMetrics.md")
    let article = try String(contentsOf: file, encoding: .utf8)
    for topic in HealthTopic.allCases where !topic.eventName.hasPrefix("health.launch.") {
      #expect(article.contains("`\(topic.eventName)`"))
    }
    for metric in HealthMetric.all {
      #expect(article.contains("`\(metric.key)`"), "\(metric.name)")
    }
  }
}
