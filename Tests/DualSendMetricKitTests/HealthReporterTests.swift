import DualSendCore
import DualSendMetricKit
import Foundation
import Testing

@Suite("A health reporter", .timeLimit(.minutes(5)))
struct HealthReporterTests {
  private static func options(
    _ version: String? = "25.4.10", maximumEvents: Int = 100, _ change: (inout HealthSelection) -> Void = { _ in }
  ) -> HealthReporter.Options {
    var options = HealthReporter.Options(appVersion: version)
    options.maximumEvents = maximumEvents
    change(&options.selection)
    return options
  }

  private func report(
    _ options: HealthReporter.Options, metrics: [HealthMetricPayload] = [Sample.metrics()],
    diagnostics: [HealthDiagnosticPayload] = []
  ) -> HealthReport {
    HealthReporter(options) { _ in }.receive(metricPayloads: metrics, diagnosticPayloads: diagnostics)
  }

  @Test("makes an event of every topic that has something to say")
  func everyTopic() throws {
    let report = report(Self.options(), diagnostics: [try Sample.diagnostics()])
    #expect(Set(report.events.map(\.topic)) == Set(HealthTopic.allCases))
  }

  @Test("gives events names that stay the same")
  func names() {
    #expect(
      HealthTopic.allCases.map(\.eventName).sorted() == [
        "health.animation", "health.app_exit.background", "health.app_exit.foreground", "health.cellular", "health.cpu",
        "health.diagnostic.cpu", "health.diagnostic.crash", "health.diagnostic.disk_write", "health.diagnostic.hang",
        "health.diagnostic.launch", "health.disk_space", "health.disk_writes", "health.display", "health.gpu",
        "health.hang_time", "health.launch.extended", "health.launch.optimized_time_to_first_draw",
        "health.launch.resume", "health.launch.time_to_first_draw", "health.location", "health.memory",
        "health.network", "health.run_time", "health.signpost",
      ])
  }

  private static let common: [String: EventValue] = [
    "app_version": "25.4.10", "app_build": "2780", "os_version": "iPhone OS 17.2 (21C62)",
    "device_type": "iPhone15,2", "period_begin": .date(Sample.begin), "period_end": .date(Sample.begin + 86_340),
  ]

  @Test(
    "writes each measure with its unit under stable keys",
    arguments: [
      (
        .foregroundExits,
        ["memory_resource_limit": 1, "watchdog": 2, "peak_memory": 200000.0, "peak_memory_unit": "kB"]
      ),
      (
        .backgroundExits,
        [
          "memory_pressure": 13, "peak_memory": 200000.0, "peak_memory_unit": "kB", "suspended_memory": 100000.0,
          "suspended_memory_unit": "kB",
        ]
      ),
      (
        .memory,
        [
          "peak": 200000.0, "peak_unit": "kB", "suspended": 100000.0, "suspended_unit": "kB",
          "suspended_samples": 500, "suspended_deviation": 196.5,
        ]
      ),
      (.display, ["pixel_luminance": 50.0, "pixel_luminance_unit": "apl", "pixel_luminance_samples": 5]),
      (
        .timeToFirstDraw,
        [
          "duration_count": 8, "duration_minimum": 300.0, "duration_maximum": 500.0,
          "duration_average": 425.0, "duration_unit": "ms",
        ]
      ),
      (.animation, ["scroll_hitch_ratio": 4.5, "scroll_hitch_ratio_unit": "ms per s"]),
      (.signpost, ["category": "feed", "name": "load", "count": 30]),
    ] as [(HealthTopic, [String: EventValue])])
  func parameters(topic: HealthTopic, expected: [String: EventValue]) throws {
    let event = try #require(report(Self.options()).events.first { $0.topic == topic })
    #expect(event.parameters == expected.merging(Self.common) { _, new in new })
  }

  @Test("says in events about exits how much memory the app may use, where the system says so")
  func memoryLimit() throws {
    var options = Self.options()
    options.memoryLimit = { 2_098_200_576 }
    let exits = report(options).events.filter { [.foregroundExits, .backgroundExits].contains($0.topic) }
    #expect(exits.map { $0.parameters["memory_limit"] } == [2098200576.0, 2098200576.0])
    #expect(exits.map { $0.parameters["memory_limit_unit"] } == ["byte", "byte"])
    let others = report(options).events.filter { ![.foregroundExits, .backgroundExits].contains($0.topic) }
    #expect(others.allSatisfy { $0.parameters["memory_limit"] == nil })
  }

  @Test("sends a crash with its attributed stack, and without the message that the app composed")
  func crashEvent() throws {
    let events = report(Self.options { $0.maximumFrames = 2 }, diagnostics: [try Sample.diagnostics()]).events
    let event = try #require(events.first { $0.topic == .crash })
    let crash = event.parameters
    #expect(crash["signal"] == 11 && crash["exception_type"] == 1 && crash["exception_code"] == 0)
    #expect(crash["exception_name"] == "NSRangeException" && crash["exception_class"] == "NSArrayM")
    #expect(crash["frames_left_out"] == 2)
    #expect(crash["stacks"] == 2)
    guard case .array(let frames)? = crash["call_stack"] else { return #expect(Bool(false)) }
    #expect(frames.count == 2)
    #expect(frames[1].value(at: EventPath([.key("depth")])) == 1)
    #expect(!EventValue.object(crash).canonicalText.contains("4711"))
    #expect(event.diagnostic?.json == (try Sample.crashJSON()))
  }

  @Test("sends a diagnostic's JSON if that is asked for, up to a size")
  func originalJSON() throws {
    let json = try Sample.crashJSON()
    func crash(_ maximum: Int) throws -> [String: EventValue] {
      let options = Self.options { $0.maximumJSONBytes = maximum }
      return try #require(report(options, diagnostics: [try Sample.diagnostics()]).events.first).parameters
    }
    #expect(try crash(0)["json"] == nil && crash(0)["json_left_out"] == nil)
    #expect(try crash(json.count)["json"] == .string(String(decoding: json, as: UTF8.self)))
    #expect(try crash(json.count - 1)["json"] == nil)
    #expect(try crash(json.count - 1)["json_left_out"] == .int(Int64(json.count)))
  }

  @Test("sends a diagnostic without call stacks, and counts it")
  func noCallStacks() throws {
    let hang = HealthDiagnostic(.hang, environment: Sample.environment(), json: Array("{".utf8))
    let report = report(Self.options(), metrics: [], diagnostics: [HealthDiagnosticPayload(diagnostics: [hang])])
    #expect(report.events.map(\.topic) == [.hang])
    #expect(report.omissions.callStacks == 1)
  }

  @Test("takes payloads of the version asked for alone, and counts the others")
  func versions() throws {
    let report = report(
      Self.options("25.4.9"), metrics: [Sample.metrics(), Sample.metrics("25.4.11")],
      diagnostics: [try Sample.diagnostics(), try Sample.diagnostics("25.4.9", others: false)])
    #expect(report.omissions.payloadsOfOtherVersions == 2)
    #expect(report.omissions.diagnosticsOfOtherVersions == 5)
    #expect(report.events.map(\.topic) == [.crash])
    #expect(report.metricPayloads.isEmpty)
  }

  @Test("never takes a payload of several versions", arguments: [nil, "25.4.10"])
  func severalVersions(version: String?) {
    var updated = Sample.metrics()
    updated.includesSeveralVersions = true
    let report = report(Self.options(version), metrics: [updated, Sample.metrics()])
    #expect(report.omissions.payloadsOfSeveralVersions == 1)
    #expect(report.metricPayloads.count == 1)
  }

  @Test("takes every payload of one version if none is asked for")
  func anyVersion() throws {
    let report = report(
      Self.options(nil), metrics: [Sample.metrics("1")], diagnostics: [try Sample.diagnostics("2")])
    #expect(report.omissions.payloadsOfOtherVersions == 0 && report.omissions.diagnosticsOfOtherVersions == 0)
  }

  @Test("leaves out topics and metrics that are not selected, and counts them")
  func selection() throws {
    let report = report(
      Self.options {
        $0.topics = [.network, .cpu]
        $0.excludedMetrics = [.wifiUpload, .cpuTime]
      })
    #expect(report.events.map(\.topic) == [.cpu, .network])
    #expect(report.events[1].parameters["wifi_upload"] == nil)
    #expect(report.events[1].parameters["wifi_download"] == 60000.0)
    let payload = try #require(report.metricPayloads.first)
    let all = payload.readings.count + payload.signposts.map(\.readings.count).reduce(0, +)
    #expect(report.omissions.notSelected == all - 2)
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
  func thresholds(metric: HealthMetric, threshold: HealthThreshold, isSent: Bool) {
    let report = report(
      Self.options {
        $0.topics = [metric.topic]
        $0.excludedMetrics = [.exits(.foreground, .memoryResourceLimit)]
        $0.thresholds = [metric: threshold]
      })
    #expect(report.events.count == (isSent ? 1 : 0))
  }

  @Test("sends a diagnostic from its threshold on")
  func diagnosticThreshold() throws {
    func hangs(_ seconds: Double) throws -> Int {
      let options = Self.options { $0.thresholds = [.hangDuration: .atLeast(seconds, .seconds)] }
      return report(options, diagnostics: [try Sample.diagnostics()]).events.count { $0.topic == .hang }
    }
    #expect(try (hangs(2), hangs(3)) == (1, 0))
  }

  @Test("sends no event of zeros")
  func zeros() {
    let report = report(Self.options { $0.topics = [.foregroundExits] })
    #expect(report.events.first?.parameters["normal"] == nil)
    #expect(report.omissions.belowThreshold == 1)
  }

  @Test("follows the priorities that it is given")
  func priorities() {
    let options = Self.options(maximumEvents: 2) { $0.priorities = [.gpu: .high, .cpu: .high] }
    #expect(report(options).events.map(\.topic) == [.foregroundExits, .backgroundExits])
    let others = Self.options(maximumEvents: 2) {
      $0.priorities = [.gpu: .high, .foregroundExits: .low, .backgroundExits: .low]
    }
    #expect(report(others).events.map(\.topic) == [.gpu, .hangTime])
  }

  @Test("chooses the same events every time")
  func deterministic() throws {
    let choices = try (0..<20).map { _ in
      report(Self.options(maximumEvents: 9), diagnostics: [try Sample.diagnostics()]).events.map { event in
        event.name + EventValue.object(event.parameters).canonicalText
      }
    }
    #expect(Set(choices).count == 1)
  }
}
