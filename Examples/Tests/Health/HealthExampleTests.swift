import DualSendMetricKit
import DualSendTracking
import ExampleSupport
import Foundation
import Testing

@testable import HealthExample

struct HealthExampleTests {
  private static let crash = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/metrickit/crash.json")

  @Test func aCrashIsSentAfterAFullMetricPayload() async throws {
    let lines = Locked<[String]>([])
    let reports = await HealthExample.run(crash: Array(try Data(contentsOf: Self.crash))) { line in
      lines.withLock { $0.append(line) }
    }
    #expect(reports.map(\.events.count) == [8, 1])
    #expect(lines.current.contains("the tracker has 9 events"))
    #expect(lines.current.contains("no place for 2, below a threshold 0"))
    #expect(lines.current.contains("crash reporter: health.diagnostic.crash, code 11"))
  }

  @Test func anErrorHasTheDiagnosticWhole() async throws {
    let json = Array(try Data(contentsOf: Self.crash))
    let events = await HealthExample.run(crash: json) { _ in }.flatMap(\.events)
    let errors = events.compactMap(\.diagnosticError)
    #expect(errors.count == 1)
    #expect(errors.first?.userInfo["json"] as? String == String(decoding: json, as: UTF8.self))
    #expect(errors.first?.userInfo["app_version"] as? String == "25.4.10")
  }
}
