import DualSend
import DualSendCore
import Foundation
import Testing

@testable import HealthExample

struct HealthExampleTests {
  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/metrickit")

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.fixtures.appendingPathComponent(name)))
  }

  @Test func theEventsOfBothPayloadsReachBothSinks() async throws {
    let lines = Locked<[String]>([])
    let report = try await HealthExample.run(
      metrics: try bytes("metrics-en.json"), diagnostics: try bytes("diagnostics.json")
    ) { line in lines.withLock { $0.append(line) } }
    #expect(report.events.count == 8)
    #expect(lines.current.filter { $0.hasPrefix("health.") }.count == 8)
    #expect(lines.current.contains("the tracker has 8 of 8 events"))
    #expect(lines.current.contains { $0.hasPrefix("health.app_exit.background") && $0.contains("memory_pressure=13") })
  }

  @Test func aPayloadThatIsNoneIsReported() async throws {
    let report = try await HealthExample.run(metrics: [], diagnostics: nil) { _ in }
    #expect(report.errors.count == 1)
  }
}
