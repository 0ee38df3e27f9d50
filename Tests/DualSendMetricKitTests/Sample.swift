import DualSendMetricKit
import Foundation

/// Payloads made of values, as MetricKit gives them.
enum Sample {
  static let begin = Date(timeIntervalSince1970: 1_772_323_200)  // 2026-03-01T00:00:00Z

  static func environment(_ version: String = "25.4.10") -> HealthEnvironment {
    var environment = HealthEnvironment(appVersion: version)
    environment.appBuild = "2780"
    environment.osVersion = "iPhone OS 17.2 (21C62)"
    environment.deviceType = "iPhone15,2"
    return environment
  }

  /// A payload with a reading of every kind: 19 events.
  static func metrics(_ version: String = "25.4.10", readings: [HealthReading] = everyReading) -> HealthMetricPayload {
    HealthMetricPayload(
      environment: environment(version), begin: begin, end: begin + 86_340, readings: readings,
      signposts: readings == everyReading
        ? [HealthSignpost(category: "feed", name: "load", readings: [HealthReading(.signpostCount, .count(30))])] : [])
  }

  /// A payload with so many crashes, and one diagnostic of each other kind if there are any.
  static func diagnostics(
    _ version: String = "25.4.10", crashes: Int = 1, others: Bool = true
  ) throws -> HealthDiagnosticPayload {
    let kinds = Array(repeating: .crash, count: crashes) + (others ? HealthDiagnostic.Kind.allCases.dropFirst() : [])
    return HealthDiagnosticPayload(begin: begin, end: begin, diagnostics: try kinds.map { try diagnostic($0, version) })
  }

  static func diagnostic(_ kind: HealthDiagnostic.Kind, _ version: String = "25.4.10") throws -> HealthDiagnostic {
    let readings: [HealthReading] =
      switch kind {
      case .crash: []
      case .hang: [HealthReading(.hangDuration, .quantity(HealthQuantity(2.5, .seconds)))]
      case .slowLaunch: [HealthReading(.launchDuration, .quantity(HealthQuantity(12.5, .seconds)))]
      case .cpuException: [HealthReading(.exceptionCPUTime, .quantity(HealthQuantity(90, .seconds)))]
      case .diskWriteException: [HealthReading(.exceptionDiskWrites, .quantity(HealthQuantity(2_147.48, .megabytes)))]
      }
    let crash = HealthCrash(
      exceptionType: 1, exceptionCode: 0, signal: 11,
      terminationReason: "Namespace SIGNAL, Code 11 Segmentation fault: 11",
      exception: HealthCrash.Exception(
        name: "NSRangeException", className: "NSArrayM", message: "index 9 beyond bounds for user 4711"))
    return HealthDiagnostic(
      kind, environment: environment(version), readings: readings, crash: kind == .crash ? crash : nil,
      json: try crashJSON())
  }

  /// A crash's JSON in the form of `MXDiagnostic.jsonRepresentation()`: two threads, the second one caused it.
  static func crashJSON() throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: root.appendingPathComponent("Fixtures/metrickit/crash.json")))
  }

  static let everyReading: [HealthReading] =
    exits + launches + [
      HealthReading(.hangTime, histogram((0, 100, 50), (100, 400, 60), (400, 700, 30))),
      HealthReading(.scrollHitchRatio, .quantity(HealthQuantity(4.5, .millisecondsPerSecond))),
      HealthReading(.cpuTime, .quantity(HealthQuantity(2_717, .seconds))),
      HealthReading(.cpuInstructions, .quantity(HealthQuantity(100, .kiloinstructions))),
      HealthReading(.gpuTime, .quantity(HealthQuantity(64, .seconds))),
      HealthReading(.peakMemory, .quantity(HealthQuantity(200_000, .kilobytes))),
      HealthReading(
        .suspendedMemory,
        .average(
          HealthAverage(average: HealthQuantity(100_000, .kilobytes), standardDeviation: 196.5, sampleCount: 500))),
      HealthReading(.diskWrites, .quantity(HealthQuantity(1_300, .kilobytes))),
      HealthReading(.usedDiskSpace, .quantity(HealthQuantity(90, .gigabytes))),
      HealthReading(.wifiUpload, .quantity(HealthQuantity(50_000, .kilobytes))),
      HealthReading(.wifiDownload, .quantity(HealthQuantity(60_000, .kilobytes))),
      HealthReading(
        .cellularBars,
        .histogram(
          HealthHistogram(buckets: [
            HealthHistogram.Bucket(start: HealthQuantity(1, .bars), end: HealthQuantity(1, .bars), count: 20)
          ]))),
      HealthReading(.bestAccuracyTime, .quantity(HealthQuantity(30, .seconds))),
      HealthReading(.foregroundTime, .quantity(HealthQuantity(700, .seconds))),
      HealthReading(
        .pixelLuminance,
        .average(
          HealthAverage(average: HealthQuantity(50, .averagePixelLuminance), standardDeviation: -1, sampleCount: 5))),
    ]

  private static let exits: [HealthReading] = [
    HealthReading(.exits(.foreground, .normal), .count(0)),
    HealthReading(.exits(.foreground, .memoryResourceLimit), .count(1)),
    HealthReading(.exits(.foreground, .watchdog), .count(2)),
    HealthReading(.exits(.background, .memoryPressure), .count(13)),
  ]

  private static let launches: [HealthReading] = [
    HealthReading(.timeToFirstDraw, histogram((300, 400, 6), (400, 500, 2), (1_500, 1_600, 0))),
    HealthReading(.optimizedTimeToFirstDraw, histogram((200, 210, 3))),
    HealthReading(.resumeTime, histogram((90, 100, 8))),
    HealthReading(.extendedLaunchTime, histogram((700, 710, 1))),
  ]

  static func histogram(_ buckets: (start: Double, end: Double, count: Int64)...) -> HealthReading.Value {
    .histogram(
      HealthHistogram(
        buckets: buckets.map { bucket in
          HealthHistogram.Bucket(
            start: HealthQuantity(bucket.start, .milliseconds), end: HealthQuantity(bucket.end, .milliseconds),
            count: bucket.count)
        }))
  }
}
