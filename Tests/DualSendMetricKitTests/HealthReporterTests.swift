import DualSend
import DualSendCore
import DualSendMetricKit
import DualSendTesting
import Foundation
import Testing

@Suite("A health reporter")
struct HealthReporterTests {
  private static func options(
    _ version: String? = "25.4.10", maximumEvents: Int = 100, _ change: (inout HealthSelection) -> Void = { _ in }
  ) -> HealthReporter.Options {
    var options = HealthReporter.Options(appVersion: version)
    options.maximumEvents = maximumEvents
    change(&options.selection)
    return options
  }

  private func report(_ options: HealthReporter.Options, _ names: String...) throws -> HealthReport {
    let metrics = try names.filter { $0 != "diagnostics" }.map(Fixture.bytes)
    let diagnostics = try names.filter { $0 == "diagnostics" }.map(Fixture.bytes)
    return HealthReporter(options).receive(metricPayloads: metrics, diagnosticPayloads: diagnostics)
  }

  @Test("makes an event of every topic that has something to say")
  func everyTopic() throws {
    let report = try report(Self.options(), "metrics-en", "metrics-future", "diagnostics")
    #expect(Set(report.events.map(\.topic)) == Set(HealthTopic.allCases))
  }

  @Test("names events so that nobody has to guess")
  func names() {
    #expect(HealthTopic.backgroundExits.eventName == "health.app_exit.background")
    #expect(
      HealthTopic.allCases.map(\.eventName).sorted() == [
        "health.animation", "health.app_exit.background", "health.app_exit.foreground", "health.cellular", "health.cpu",
        "health.diagnostic.cpu", "health.diagnostic.crash", "health.diagnostic.disk_write", "health.diagnostic.hang",
        "health.diagnostic.launch", "health.disk_space", "health.disk_writes", "health.display", "health.gpu",
        "health.hang_time", "health.launch.extended", "health.launch.optimized_time_to_first_draw",
        "health.launch.resume", "health.launch.time_to_first_draw", "health.location", "health.memory",
        "health.network", "health.other", "health.run_time", "health.signpost",
      ])
  }

  private static let common: [String: EventValue] = [
    "app_version": "25.4.10", "app_build": "2780", "os_version": "iPhone OS 17.2 (21C62)",
    "device_type": "iPhone15,2", "period_begin": "2026-03-01 00:00:00", "period_end": "2026-03-01 23:59:00",
  ]

  @Test(
    "writes each measure with its unit under stable keys",
    arguments: [
      (.foregroundExits, ["memory_resource_limit": 1, "watchdog": 2]),
      (
        .memory,
        [
          "peak": 200000.0, "peak_unit": "kB", "suspended": 100000.0, "suspended_unit": "kB",
          "suspended_samples": 500, "suspended_deviation": 196.5,
        ]
      ),
      (
        .timeToFirstDraw,
        [
          "duration_count": 8, "duration_minimum": 300.0, "duration_maximum": 500.0,
          "duration_average": 425.0, "duration_unit": "ms",
        ]
      ),
      (
        .animation,
        [
          "scroll_hitch_ratio": 4.5, "scroll_hitch_ratio_unit": "ms per s", "hitch_ratio": 2.0,
          "hitch_ratio_unit": "ms per s",
        ]
      ),
    ] as [(HealthTopic, [String: EventValue])])
  func parameters(topic: HealthTopic, expected: [String: EventValue]) throws {
    let events = try report(Self.options(), "metrics-en").events
    let event = try #require(events.first { $0.topic == topic })
    #expect(event.parameters == expected.merging(Self.common) { _, new in new })
  }

  @Test("sends a crash with its attributed stack, and without the message that the app composed")
  func crashEvent() throws {
    let events = try report(Self.options { $0.maximumFrames = 2 }, "diagnostics").events
    let crash = try #require(events.first { $0.topic == .crash }).parameters
    #expect(crash["signal"] == 11)
    #expect(crash["exception_name"] == "NSRangeException")
    #expect(crash["frames_left_out"] == 2)
    #expect(crash["stacks"] == 2)
    guard case .array(let frames)? = crash["call_stack"] else { return #expect(Bool(false)) }
    #expect(frames.count == 2)
    #expect(frames[1].value(at: EventPath([.key("depth")])) == 1)
    #expect(!EventValue.object(crash).canonicalText.contains("4711"))
  }

  @Test("takes payloads of the version asked for alone, and counts the others")
  func versions() throws {
    let report = try report(Self.options("25.4.9"), "metrics-en", "metrics-zh", "diagnostics")
    #expect(report.omissions.payloadsOfOtherVersions == 2)
    #expect(report.omissions.diagnosticsOfOtherVersions == 5)
    #expect(report.events.map(\.topic) == [.slowLaunch, .other])
    #expect(report.metricPayloads.isEmpty)
  }

  @Test("never takes a payload of several versions", arguments: [nil, "25.4.10"])
  func severalVersions(version: String?) throws {
    let report = try report(Self.options(version), "metrics-several-versions", "metrics-zh")
    #expect(report.omissions.payloadsOfSeveralVersions == 1)
    #expect(report.metricPayloads.count == 1)
  }

  @Test("takes every payload of one version if none is asked for")
  func anyVersion() throws {
    let report = try report(Self.options(nil), "metrics-en", "diagnostics")
    #expect(report.omissions.payloadsOfOtherVersions == 0 && report.omissions.diagnosticsOfOtherVersions == 0)
  }

  @Test("leaves out topics and metrics that are not selected, and counts them")
  func selection() throws {
    let report = try report(
      Self.options {
        $0.topics = [.network, .cpu]
        $0.excludedMetrics = [.wifiUpload, .cpuTime]
      }, "metrics-en")
    #expect(report.events.map(\.topic) == [.cpu, .network])
    #expect(report.events[1].parameters["wifi_upload"] == nil)
    #expect(report.events[1].parameters["wifi_download"] == 60000.0)
    let payload = try #require(report.metricPayloads.first)
    let all = payload.readings.count + payload.signposts.map(\.readings.count).reduce(0, +)
    #expect(report.omissions.notSelected == all - 4)
  }

  @Test(
    "sends a metric from its threshold on",
    arguments: [
      (.timeToFirstDraw, .atLeast(425, .milliseconds, of: .average), true),
      (.timeToFirstDraw, .atLeast(0.426, .seconds, of: .average), false),
      (.timeToFirstDraw, .atLeast(500, .milliseconds), true), (.timeToFirstDraw, .atLeast(501, .milliseconds), false),
      (.timeToFirstDraw, .atLeast(8, of: .count), true), (.timeToFirstDraw, .atLeast(9, of: .count), false),
      (.gpuTime, .atLeast(1, .minutes), true), (.gpuTime, .atLeast(65, .seconds), false),
      (.gpuTime, .atLeast(65, .kilobytes), true), (.exits(.foreground, .watchdog), .atLeast(2), true),
      (.exits(.foreground, .watchdog), .atLeast(3), false),
    ] as [(HealthMetric, HealthThreshold, Bool)])
  func thresholds(metric: HealthMetric, threshold: HealthThreshold, isSent: Bool) throws {
    let report = try report(
      Self.options {
        $0.topics = [metric.topic]
        $0.excludedMetrics = [.exits(.foreground, .memoryResourceLimit)]
        $0.thresholds = [metric: threshold]
      }, "metrics-en")
    #expect(report.events.count == (isSent ? 1 : 0))
  }

  @Test("sends a diagnostic from its threshold on")
  func diagnosticThreshold() throws {
    func hangs(_ seconds: Double) throws -> Int {
      let options = Self.options { $0.thresholds = [.hangDuration: .atLeast(seconds, .seconds)] }
      return try report(options, "diagnostics").events.count { $0.topic == .hang }
    }
    #expect(try (hangs(2), hangs(3)) == (1, 0))
  }

  @Test("sends no event of zeros")
  func zeros() throws {
    let report = try report(Self.options { $0.topics = [.foregroundExits] }, "metrics-en")
    #expect(report.events.first?.parameters["normal"] == nil)
    #expect(report.omissions.belowThreshold == 5)
  }

  @Test("sends at most eight events a session unless told otherwise, the important ones first, in turns")
  func budget() throws {
    let reporter = HealthReporter(HealthReporter.Options(appVersion: nil))
    let bytes = try Fixture.bytes("diagnostics")
    let first = reporter.receive(
      metricPayloads: [try Fixture.bytes("metrics-en")], diagnosticPayloads: [bytes, bytes])
    #expect(
      first.events.map(\.topic) == [
        .crash, .hang, .slowLaunch, .cpuException, .diskWriteException, .foregroundExits, .backgroundExits, .crash,
      ])
    #expect(first.omissions.events[.slowLaunch] == 3 && first.omissions.events[.hang] == 1)
    #expect(first.events.allSatisfy { $0.parameters["left_out"] == .int(Int64(first.omissions.eventCount)) })
    let second = reporter.receive(diagnosticPayloads: [bytes])
    #expect(second.events.isEmpty && second.omissions.eventCount == 7)
    #expect(reporter.statistics.events == 8)
    #expect(reporter.statistics.omissions.eventCount == first.omissions.eventCount + 7)
  }

  @Test("follows the priorities that it is given")
  func priorities() throws {
    let options = Self.options(maximumEvents: 2) { $0.priorities = [.gpu: .high, .cpu: .high] }
    let report = try report(options, "metrics-en")
    #expect(report.events.map(\.topic) == [.foregroundExits, .backgroundExits])
    let all = try self.report(
      Self.options(maximumEvents: 2) {
        $0.priorities = [.gpu: .high, .foregroundExits: .low, .backgroundExits: .low]
      }, "metrics-en")
    #expect(all.events.map(\.topic) == [.gpu, .hangTime])
  }

  @Test("sends nothing at all where nothing is allowed, and counts it", arguments: [0, -3])
  func noEvents(limit: Int) throws {
    let report = try report(Self.options(maximumEvents: limit), "metrics-zh")
    #expect(report.events.isEmpty)
    #expect(report.omissions.eventCount == 6)
  }

  @Test("chooses the same events every time")
  func deterministic() throws {
    let choices = try (0..<20).map { _ in
      try report(Self.options(maximumEvents: 9), "metrics-en", "diagnostics").events.map { event in
        event.name + EventValue.object(event.parameters).canonicalText
      }
    }
    #expect(Set(choices).count == 1)
  }

  @Test("refuses one malformed payload, and goes on with the others")
  func malformed() throws {
    let report = HealthReporter(Self.options()).receive(
      metricPayloads: [Array("{".utf8), try Fixture.bytes("metrics-zh")], diagnosticPayloads: [[]])
    #expect(report.errors.count == 2 && report.omissions.malformedPayloads == 2)
    #expect(report.metricPayloads.count == 1)
  }

  @Test("hands on what it does not know, unless that is too large for an event")
  func other() throws {
    let large = #"{"appVersion": "25.4.10", "big": "\#(String(repeating: "x", count: 3_000))", "small": 1}"#
    let report = HealthReporter(Self.options()).receive(metricPayloads: [Array(large.utf8)])
    let event = try #require(report.events.first)
    #expect(event.name == "health.other")
    #expect(event.parameters["unknown"] == ["small": 1])
    #expect(event.parameters["unknown_left_out"] == 1)
    #expect(report.omissions.largeUnknownValues == 1)
  }

  @Test("marks a number in an event that may be a thousandth")
  func ambiguous() throws {
    let report = try report(Self.options { $0.topics = [.memory, .timeToFirstDraw] }, "metrics-ambiguous")
    #expect(report.events.first { $0.topic == .memory }?.parameters["peak_text"] == "1,234 kB")
    #expect(report.events.first { $0.topic == .timeToFirstDraw }?.parameters["duration_is_ambiguous"] == true)
    #expect(report.omissions.texts.ambiguousNumbers == 4)
  }
}
