import DualSendCore
import Foundation
import MetricKit
import Testing

@testable import DualSendMetricKit

@Suite("MetricKit's payloads", .timeLimit(.minutes(5)))
struct MetricKitTests {
  private let metrics = HealthMetricPayload(MetricKitSample.metrics())
  private let diagnostics = HealthDiagnosticPayload(MetricKitSample.diagnostics())

  private func diagnostic(_ kind: HealthDiagnostic.Kind) throws -> HealthDiagnostic {
    try #require(diagnostics.diagnostics.first { $0.kind == kind })
  }

  @Test("say of which app, device and time they are")
  func environment() {
    #expect(metrics.environment.appVersion == "25.4.10" && metrics.environment.appBuild == "2780")
    #expect(metrics.environment.osVersion == "iPhone OS 17.2 (21C62)" && metrics.environment.deviceType == "iPhone15,2")
    #expect(metrics.environment.regionFormat == "JP" && metrics.environment.platformArchitecture == "arm64e")
    #expect(metrics.environment.isLowPowerModeEnabled == true && metrics.environment.isTestFlightApp == false)
    #expect(metrics.environment.processID == 412)
    #expect((metrics.begin, metrics.end) == (MetricKitSample.begin, MetricKitSample.begin + 86_340))
    #expect(!metrics.includesSeveralVersions)
    let updated = MetricKitSample.metrics(ofSeveralVersions: true)
    #expect(HealthMetricPayload(updated).includesSeveralVersions)
  }

  @Test(
    "give what was measured once, with its unit",
    arguments: [
      (.cpuTime, 1, .seconds), (.cpuInstructions, 2, .kiloinstructions), (.gpuTime, 3, .seconds),
      (.foregroundTime, 4, .seconds), (.backgroundTime, 5, .seconds), (.backgroundAudioTime, 6, .seconds),
      (.backgroundLocationTime, 7, .seconds), (.bestAccuracyTime, 8, .seconds), (.navigationAccuracyTime, 9, .seconds),
      (.tenMetersAccuracyTime, 10, .seconds), (.hundredMetersAccuracyTime, 11, .seconds),
      (.kilometerAccuracyTime, 12, .seconds), (.threeKilometersAccuracyTime, 13, .seconds),
      (.wifiUpload, 14, .kilobytes), (.wifiDownload, 15, .kilobytes), (.cellularUpload, 16, .kilobytes),
      (.cellularDownload, 17, .kilobytes), (.diskWrites, 23, .kilobytes), (.peakMemory, 24, .kilobytes),
      (.scrollHitchRatio, 27, .millisecondsPerSecond), (.hitchRatio, 28, .millisecondsPerSecond),
      (.binaryFiles, 29, .kilobytes), (.dataFiles, 31, .kilobytes), (.caches, 33, .kilobytes),
      (.clones, 34, .kilobytes), (.usedDiskSpace, 35, .kilobytes), (.diskCapacity, 36, .kilobytes),
    ] as [(HealthMetric, Double, HealthUnit)])
  func quantities(metric: HealthMetric, value: Double, unit: HealthUnit) {
    #expect(metrics.readings.value(metric) == .quantity(HealthQuantity(value, unit)))
  }

  @Test("give counts, and every exit by reason")
  func counts() {
    #expect(metrics.readings.count(.binaryFileCount) == 30 && metrics.readings.count(.dataFileCount) == 32)
    let foreground = AppExitReason.allCases.map { metrics.readings.count(.exits(.foreground, $0)) }
    #expect(foreground == [101, 104, 102, nil, nil, 106, 103, 105, nil, nil])
    let background = AppExitReason.allCases.map { metrics.readings.count(.exits(.background, $0)) }
    #expect(background == [201, 206, 202, 204, 203, 208, 205, 207, 210, 209])
  }

  @Test("give averages with their deviation and their samples")
  func averages() throws {
    let memory = try #require(metrics.readings.average(.suspendedMemory))
    #expect(
      (memory.average, memory.standardDeviation, memory.sampleCount) == (HealthQuantity(25, .kilobytes), 196.5, 500))
    let luminance = try #require(metrics.readings.average(.pixelLuminance))
    #expect(luminance.average == HealthQuantity(26, .averagePixelLuminance) && luminance.standardDeviation == nil)
  }

  @Test(
    "give histograms",
    arguments: [
      (.timeToFirstDraw, 18, 300, 310), (.optimizedTimeToFirstDraw, 19, 200, 210), (.resumeTime, 20, 90, 100),
      (.extendedLaunchTime, 21, 700, 710), (.hangTime, 22, 400, 410), (.cellularBars, 20, 1, 1),
    ] as [(HealthMetric, Int64, Double, Double)])
  func histograms(metric: HealthMetric, count: Int64, minimum: Double, maximum: Double) throws {
    let histogram = try #require(metrics.readings.histogram(metric))
    #expect((histogram.count, histogram.minimum, histogram.maximum) == (count, minimum, maximum))
    #expect(histogram.unit == (metric == .cellularBars ? .bars : .milliseconds))
  }

  @Test("give signposts their intervals")
  func signposts() {
    #expect(metrics.signposts.map(\.name) == ["load", "pay"] && metrics.signposts.map(\.category) == ["feed", "cart"])
    let readings = metrics.signposts[0].readings
    #expect(readings.count(.signpostCount) == 42 && readings.histogram(.signpostDuration)?.count == 37)
    #expect(readings.quantity(.signpostCPUTime) == HealthQuantity(38, .seconds))
    #expect(readings.average(.signpostMemory)?.average == HealthQuantity(39, .kilobytes))
    #expect(readings.quantity(.signpostDiskWrites) == HealthQuantity(40, .kilobytes))
    #expect(readings.quantity(.signpostHitchRatio) == HealthQuantity(41, .millisecondsPerSecond))
    #expect(metrics.signposts[1].readings == [HealthReading(.signpostCount, .count(2))])
  }

  @Test("have a reading for every metric that there is")
  func everyMetric() {
    let readings = metrics.readings + metrics.signposts[0].readings + diagnostics.diagnostics.flatMap(\.readings)
    let inBackgroundOnly: [AppExitReason] = [
      .memoryPressure, .cpuResourceLimit, .backgroundTaskAssertionTimeout, .suspendedWithLockedFile,
    ]
    #expect(
      Set(readings.map(\.metric))
        == Set(HealthMetric.all).subtracting(inBackgroundOnly.map { .exits(.foreground, $0) }))
  }

  @Test("may have nothing at all")
  func empty() {
    let payload = MXMetricPayload(
      latestApplicationVersion: "1", includesMultipleApplicationVersions: false, timeStampBegin: MetricKitSample.begin,
      timeStampEnd: MetricKitSample.begin)
    #expect(HealthMetricPayload(payload).readings.isEmpty)
    let diagnostics = MXDiagnosticPayload(timeStampBegin: MetricKitSample.begin, timeStampEnd: MetricKitSample.begin)
    #expect(HealthDiagnosticPayload(diagnostics).diagnostics.isEmpty)
  }

  @Test("give crashes their exception, signal and reason")
  func crash() throws {
    let diagnostic = try diagnostic(.crash)
    let crash = try #require(diagnostic.crash)
    #expect((crash.exceptionType, crash.exceptionCode, crash.signal) == (1, -1, 11))
    #expect(crash.terminationReason == "Namespace SIGNAL" && crash.virtualMemoryRegion == "0 is not in any region.")
    #expect(
      crash.exception
        == HealthCrash.Exception(name: "NSRangeException", className: "NSArrayM", message: "for user 4711"))
  }

  @Test("give diagnostics their measure, version, JSON and call stacks")
  func diagnosticValues() throws {
    #expect(try diagnostic(.hang).readings.quantity(.hangDuration) == HealthQuantity(2.5, .seconds))
    #expect(try diagnostic(.slowLaunch).readings.quantity(.launchDuration) == HealthQuantity(12.5, .seconds))
    #expect(try diagnostic(.cpuException).readings.quantity(.exceptionCPUTime) == HealthQuantity(90, .seconds))
    #expect(try diagnostic(.cpuException).readings.quantity(.exceptionSampledTime) == HealthQuantity(180, .seconds))
    #expect(
      try diagnostic(.diskWriteException).readings.quantity(.exceptionDiskWrites)
        == HealthQuantity(2_147_480, .kilobytes))
    #expect(
      diagnostics.diagnostics.map { $0.json.map { String(decoding: $0, as: UTF8.self) } }
        == ["crash", "hang", "launch", "cpu", "disk"].map { #"{"is": "\#($0)"}"# })
    #expect(diagnostics.diagnostics.allSatisfy { $0.callStacks?.attributedStack?.isAttributed == true })
    #expect(diagnostics.diagnostics.allSatisfy { $0.environment.appVersion == "25.4.9" })
    #expect(
      diagnostics.diagnostics.allSatisfy { $0.environment.processID == 412 && $0.crash == nil || $0.kind == .crash })
  }

  @Test("reach the reporter as long as the subscriber lives, metrics and diagnostics in calls of their own")
  func subscriber() {
    let sent = Locked<[HealthTopic]>([])
    let reporter = HealthReporter(HealthReporter.Options(appVersion: nil)) { event in
      sent.withLock { $0.append(event.topic) }
    }
    var subscriber: MetricKitSubscriber? = MetricKitSubscriber(reporter)
    MXMetricManager.shared.deliver([MetricKitSample.metrics()], [MetricKitSample.diagnostics()])
    #expect(subscriber != nil)
    #expect(sent.current.count == 12)
    #expect(sent.current.suffix(4) == [.crash, .hang, .slowLaunch, .cpuException])
    subscriber = nil
    MXMetricManager.shared.deliver([MetricKitSample.metrics()])
    #expect(sent.current.count == 12)
  }

  @Test("say in exits how much memory the app may use: what is free and what it uses")
  func memoryLimit() throws {
    #expect(MemoryLimit.current == 2_000_000_000)
    let reporter = HealthReporter(HealthReporter.Options(appVersion: nil)) { _ in }
    let exits = try #require(reporter.receive(metricPayloads: [metrics]).events.first { $0.topic == .backgroundExits })
    #expect(exits.parameters["memory_limit"] == 2000000000.0 && exits.parameters["peak_memory"] == 24.0)
  }
}
