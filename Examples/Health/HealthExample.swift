import DualSendMetricKit
import DualSendTracking
import Foundation

/// `health CRASH`: reads a crash's JSON from MetricKit, creates a day's payloads with it, and shows the logged events, the
/// omissions, and the errors for a crash reporter.
@main
struct HealthExample {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: health CRASH\n".utf8))
      exit(64)
    }
    let json = Array(try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
    _ = await run(crash: json) { print($0) }
  }

  /// Sends the payloads' events to a tracker. Nothing leaves the machine, because the tracker has no consent.
  static func run(crash json: [UInt8], show: @escaping @Sendable (String) -> Void) async -> [HealthReport] {
    let tracker = Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory
      ) {
        $0.consent = .pending
      })

    var options = HealthReporter.Options(appVersion: nil)
    options.selection.thresholds[.hangTime] = .atLeast(250, .milliseconds)
    let errors = DiagnosticErrors(ShowingCrashReporter(show: show))
    let reporter = HealthReporter(options, logger: tracker, delegate: errors)

    // On a device, `MetricKitSubscriber(reporter)` receives metrics and diagnostics one by one.
    let reports = [
      reporter.receive(metricPayloads: [day]),
      reporter.receive(diagnosticPayloads: [
        HealthDiagnosticPayload(diagnostics: [
          HealthDiagnostic(.crash, environment: day.environment, crash: HealthCrash(signal: 11), json: json)
        ])
      ]),
    ]
    for event in reports.flatMap(\.events) { show("\(event.name) with \(event.parameters.count) parameters") }

    await tracker.persist()
    show("the tracker has \(await tracker.statistics.ledger.pending) events")
    let omissions = reporter.statistics.omissions
    show("no place for \(omissions.eventCount), below a threshold \(omissions.belowThreshold)")
    await tracker.shutdown()
    return reports
  }

  /// A day with more events than the daily limit.
  private static let day = HealthMetricPayload(
    environment: HealthEnvironment(appVersion: "25.4.10"),
    readings: [
      HealthReading(.exits(.background, .memoryPressure), .count(13)),
      HealthReading(.exits(.foreground, .watchdog), .count(1)),
      HealthReading(.peakMemory, .quantity(HealthQuantity(412, .megabytes))),
      HealthReading(.hangTime, hangs),
      HealthReading(.cpuTime, .quantity(HealthQuantity(45, .minutes))),
      HealthReading(.gpuTime, .quantity(HealthQuantity(64, .seconds))),
      HealthReading(.diskWrites, .quantity(HealthQuantity(1.3, .gigabytes))),
      HealthReading(.wifiUpload, .quantity(HealthQuantity(50, .megabytes))),
      HealthReading(.foregroundTime, .quantity(HealthQuantity(2, .hours))),
      HealthReading(.bestAccuracyTime, .quantity(HealthQuantity(30, .seconds))),
    ])

  private static let hangs = HealthReading.Value.histogram(
    HealthHistogram(buckets: [
      HealthHistogram.Bucket(
        start: HealthQuantity(400, .milliseconds), end: HealthQuantity(700, .milliseconds), count: 3)
    ]))
}

/// Prints the errors that a crash reporter gets.
private struct ShowingCrashReporter: CrashReporter {
  let show: @Sendable (String) -> Void

  func record(_ error: any Error) {
    let error = error as NSError
    show("crash reporter: \(error.domain), code \(error.code)")
  }
}
