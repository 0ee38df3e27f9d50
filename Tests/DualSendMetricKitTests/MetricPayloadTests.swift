import DualSendMetricKit
import Testing

@Suite("A metric payload")
struct MetricPayloadTests {
  @Test("gives every exit by reason, in the foreground and in the background")
  func exits() throws {
    let readings = try Fixture.metrics("metrics-en").readings
    let background = AppExitReason.allCases.map { readings.count(.exits(.background, $0)) }
    #expect(background == [4, 1, 2, 13, 1, 3, 5, 6, 7, 8, 9, 10])
    #expect(readings.count(.exits(.foreground, .watchdog)) == 2)
    #expect(readings.count(.exits(.foreground, .memoryResourceLimit)) == 1)
    #expect(readings.count(.exits(.foreground, .memoryPressure)) == nil)
  }

  @Test(
    "gives what was measured once, with its unit",
    arguments: [
      (.cpuTime, 2_717, .seconds), (.cpuInstructions, 3_990_413_161, .kiloinstructions), (.gpuTime, 64, .seconds),
      (.peakMemory, 200_000, .kilobytes), (.diskWrites, 1_300, .kilobytes),
      (.scrollHitchRatio, 4.5, .millisecondsPerSecond), (.hitchRatio, 2, .millisecondsPerSecond),
      (.wifiUpload, 50_000, .kilobytes), (.wifiDownload, 60_000, .kilobytes), (.cellularUpload, 70, .kilobytes),
      (.cellularDownload, 80, .kilobytes), (.bestAccuracyTime, 30, .seconds), (.navigationAccuracyTime, 20, .seconds),
      (.tenMetersAccuracyTime, 11, .seconds), (.hundredMetersAccuracyTime, 12, .seconds),
      (.kilometerAccuracyTime, 13, .seconds), (.threeKilometersAccuracyTime, 0, .seconds),
      (.foregroundTime, 700, .seconds), (.backgroundTime, 40, .seconds), (.backgroundAudioTime, 30, .seconds),
      (.backgroundLocationTime, 5, .seconds), (.binaryFiles, 81_920, .kilobytes), (.dataFiles, 9_000, .kilobytes),
      (.caches, 700, .kilobytes), (.clones, 0, .kilobytes), (.usedDiskSpace, 90_000_000, .kilobytes),
      (.diskCapacity, 128_000_000, .kilobytes),
    ] as [(HealthMetric, Double, HealthUnit)])
  func quantities(metric: HealthMetric, value: Double, unit: HealthUnit) throws {
    let quantity = try #require(try Fixture.metrics("metrics-en").readings.quantity(metric))
    #expect(quantity.value == value)
    #expect(quantity.unit == unit)
  }

  @Test("gives averages with their deviation and their samples")
  func averages() throws {
    let readings = try Fixture.metrics("metrics-en").readings
    let memory = try #require(readings.average(.suspendedMemory))
    #expect((memory.average.value, memory.standardDeviation, memory.sampleCount) == (100_000, 196.5, 500))
    let luminance = try #require(readings.average(.pixelLuminance))
    #expect((luminance.average.value, luminance.standardDeviation, luminance.sampleCount) == (50, nil, 500))
  }

  @Test(
    "gives histograms their count, minimum, maximum and the average of bucket ends weighted by count",
    arguments: [
      (.timeToFirstDraw, 8, 300, 500, 425), (.optimizedTimeToFirstDraw, 3, 200, 210, 210),
      (.resumeTime, 9, 90, 1_190_079, (8 * 100 + 1_190_079) / 9), (.extendedLaunchTime, 1, 700, 710, 710),
      (.hangTime, 140, 0, 700, (50 * 100 + 60 * 400 + 30 * 700) / 140), (.cellularBars, 100, 1, 3, 2.3),
    ] as [(HealthMetric, Int64, Double, Double, Double)])
  func histograms(metric: HealthMetric, count: Int64, minimum: Double, maximum: Double, average: Double) throws {
    let histogram = try #require(try Fixture.metrics("metrics-en").readings.histogram(metric))
    #expect((histogram.count, histogram.minimum, histogram.maximum) == (count, minimum, maximum))
    #expect(abs(try #require(histogram.average) - average) < 1e-6)
  }

  @Test("orders buckets by number, and has no average where nothing was measured")
  func buckets() throws {
    let histogram = try #require(
      try payload(
        """
        "applicationLaunchMetrics": {"histogrammedResumeTime": {"histogramNumBuckets": 3, "histogramValue": {
          "10": {"bucketCount": 0, "bucketStart": "3 ms", "bucketEnd": "4 ms"},
          "9": {"bucketCount": 0, "bucketStart": "2 ms", "bucketEnd": "3 ms"},
          "1": {"bucketCount": 0, "bucketStart": "1 ms", "bucketEnd": "2 ms"}}}}
        """
      ).readings.histogram(.resumeTime))
    #expect(histogram.buckets.map(\.start.value) == [1, 2, 3])
    #expect(histogram.average == nil && histogram.minimum == nil && histogram.count == 0)
  }

  @Test("gives signposts their intervals")
  func signposts() throws {
    let signposts = try Fixture.metrics("metrics-en").signposts
    #expect(signposts.map(\.name) == ["load", "pay"])
    #expect(signposts[0].category == "feed")
    let readings = signposts[0].readings
    #expect(readings.count(.signpostCount) == 30)
    #expect(readings.histogram(.signpostDuration)?.average == 200)
    #expect(readings.quantity(.signpostCPUTime)?.value == 30_000)
    #expect(readings.quantity(.signpostMemory)?.value(in: .megabytes) == 100)
    #expect(readings.quantity(.signpostDiskWrites)?.value == 600)
    #expect(readings.quantity(.signpostHitchRatio)?.value == 50)
  }

  @Test("says of which app, device and time it is")
  func environment() throws {
    let payload = try Fixture.metrics("metrics-en")
    #expect(payload.environment.appVersion == "25.4.10")
    #expect(payload.environment.appBuild == "2780")
    #expect(payload.environment.osVersion == "iPhone OS 17.2 (21C62)")
    #expect(payload.environment.deviceType == "iPhone15,2")
    #expect(payload.environment.isTestFlightApp == false)
    #expect(payload.environment.processID == 412)
    #expect((payload.begin, payload.end) == ("2026-03-01 00:00:00", "2026-03-01 23:59:00"))
    #expect(!payload.includesSeveralVersions)
    #expect(payload.unknown.isEmpty && payload.findings.isEmpty)
  }

  @Test("means the same in every language", arguments: ["zh", "ja", "de", "fr", "ar", "hi"])
  func languages(language: String) throws {
    let payload = try Fixture.metrics("metrics-" + language)
    #expect(payload.findings.isEmpty)
    #expect(payload.textCounts == HealthTextCounts())
    let readings = payload.readings
    #expect(readings.quantity(.cpuTime)?.value(in: .seconds) == 2_717)
    #expect(readings.quantity(.cpuInstructions)?.value(in: .kiloinstructions) == 3_990_413_161)
    #expect(readings.quantity(.peakMemory)?.value(in: .kilobytes) == 1_106_818)
    #expect(readings.quantity(.diskWrites)?.value(in: .kilobytes) == 1_611)
    #expect(readings.histogram(.cellularBars)?.maximum == 3)
    #expect(readings.histogram(.timeToFirstDraw)?.maximum == 1_239)
    #expect(readings.histogram(.timeToFirstDraw)?.unit == .milliseconds)
  }

  @Test("reports numbers of two readings, and decides them by the device's number format if it has it")
  func ambiguous() throws {
    let payload = try Fixture.metrics("metrics-ambiguous")
    #expect(payload.textCounts.ambiguousNumbers == 4)
    #expect(payload.findings.map(\.code.rawValue) == Array(repeating: "DS0901", count: 4))
    #expect(payload.findings.first?.path.description == "cpuMetrics.cumulativeCPUTime")
    #expect(payload.readings.quantity(.peakMemory)?.value == 1234)
    let french = HealthNumberFormat(decimalSeparator: ",", groupingSeparator: "\u{202F}")
    let decided = try Fixture.metrics("metrics-ambiguous", format: french)
    #expect(decided.textCounts.ambiguousNumbers == 0)
    #expect(decided.readings.quantity(.peakMemory)?.value == 1.234)
  }
}
