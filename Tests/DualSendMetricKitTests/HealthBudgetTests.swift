import DualSendCore
import DualSendMetricKit
import DualSendTesting
import Foundation
import Testing

@Suite("A day's places", .timeLimit(.minutes(5)))
struct HealthBudgetTests {
  private let clock = ManualClock()

  private func reporter(_ change: (inout HealthReporter.Options) -> Void = { _ in }) -> HealthReporter {
    var options = HealthReporter.Options(appVersion: nil)
    change(&options)
    return HealthReporter(options, time: clock.timeSource) { _ in }
  }

  private func crashes(_ count: Int) throws -> HealthDiagnosticPayload {
    try Sample.diagnostics(crashes: count, others: false)
  }

  @Test("are kept for diagnostics that come after a full metric payload")
  func diagnosticsLast() throws {
    let reporter = reporter()
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.count == 8)
    let late = reporter.receive(diagnosticPayloads: [try crashes(6)])
    #expect(late.events.map(\.topic) == Array(repeating: .crash, count: 4))
    #expect(late.omissions.events == [.crash: 2])
    #expect(reporter.receive(diagnosticPayloads: [try crashes(1)]).events.isEmpty)
  }

  @Test("are kept for metrics that come after diagnostics in a loop")
  func metricsLast() throws {
    let reporter = reporter()
    #expect(reporter.receive(diagnosticPayloads: [try crashes(20)]).events.count == 8)
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.count == 4)
  }

  @Test("are half and half in a delivery of both, the more important events of each kind first")
  func both() throws {
    let report = reporter().receive(
      metricPayloads: [Sample.metrics()], diagnosticPayloads: [try Sample.diagnostics(crashes: 3)])
    #expect(
      report.events.map(\.topic) == [
        .crash, .hang, .slowLaunch, .cpuException, .foregroundExits, .backgroundExits, .hangTime, .animation,
      ])
    #expect(report.omissions.events[.crash] == 2 && report.omissions.events[.diskWriteException] == 1)
    #expect(report.events.allSatisfy { $0.parameters["left_out"] == .int(Int64(report.omissions.eventCount)) })
  }

  @Test(
    "that one kind does not use are the other's", arguments: [(0, 8), (1, 7), (3, 5), (4, 4), (20, 4)])
  func lending(crashes count: Int, metrics: Int) throws {
    let report = reporter().receive(metricPayloads: [Sample.metrics()], diagnosticPayloads: [try crashes(count)])
    #expect(report.events.count { !$0.topic.isDiagnostic } == metrics)
    let reporter = reporter()
    reporter.receive(diagnosticPayloads: [try crashes(min(count, 4))])
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.count == metrics)
  }

  @Test(
    "are as many as the options say",
    arguments: [(10, 2, 8, 2), (3, 9, 0, 3), (4, -1, 4, 0), (0, 4, 0, 0), (-3, 4, 0, 0)])
  func options(places: Int, forDiagnostics: Int, metrics: Int, diagnostics: Int) throws {
    let report = reporter {
      $0.maximumEvents = places
      $0.placesForDiagnostics = forDiagnostics
    }.receive(metricPayloads: [Sample.metrics()], diagnosticPayloads: [try crashes(20)])
    #expect(report.events.count { !$0.topic.isDiagnostic } == metrics)
    #expect(report.events.count { $0.topic.isDiagnostic } == diagnostics)
    #expect(report.omissions.eventCount == 19 + 20 - metrics - diagnostics)
  }

  @Test("come back each day, for a process that lives for days")
  func days() throws {
    let reporter = reporter()
    for _ in 0..<3 {
      #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.count == 8)
      #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.isEmpty)
      clock.advance(by: .seconds(23 * 3_600 - 1))
      #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.isEmpty)
      clock.advance(by: .seconds(1))
    }
    #expect(reporter.statistics.events == 24)
  }

  @Test("come back once, however many days the device slept")
  func longSleep() throws {
    let reporter = reporter()
    reporter.receive(metricPayloads: [Sample.metrics()])
    clock.advance(by: .seconds(10 * 86_400))
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.count == 8)
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.isEmpty)
  }

  @Test("do not come back when the date is set", arguments: [400, -400])
  func jump(days: Int) throws {
    let reporter = reporter()
    reporter.receive(metricPayloads: [Sample.metrics()])
    clock.jumpWall(by: .seconds(days * 86_400))
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.isEmpty)
    clock.advance(by: .seconds(86_400))
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.count == 8)
  }

  @Test("last a day from the first event on, not from the start of the process")
  func firstEvent() throws {
    let reporter = reporter()
    reporter.receive(metricPayloads: [Sample.metrics(readings: [])])
    clock.advance(by: .seconds(20 * 3_600))
    reporter.receive(metricPayloads: [Sample.metrics()])
    clock.advance(by: .seconds(4 * 3_600))
    #expect(reporter.receive(metricPayloads: [Sample.metrics()]).events.isEmpty)
  }
}
