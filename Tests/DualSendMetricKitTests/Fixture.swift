import DualSendMetricKit
import Foundation

/// Payloads written after the form of `jsonRepresentation()`, of the repository's `Fixtures` folder.
enum Fixture {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/metrickit")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(name + ".json")))
  }

  static func metrics(_ name: String, format: HealthNumberFormat? = nil) throws -> HealthMetricPayload {
    try HealthMetricPayload(reading: bytes(name), name: name, numberFormat: format)
  }

  static func diagnostics(_ name: String = "diagnostics") throws -> HealthDiagnosticPayload {
    try HealthDiagnosticPayload(reading: bytes(name), name: name)
  }
}

/// A payload with these members beside the version.
func payload(_ members: String) throws -> HealthMetricPayload {
  try HealthMetricPayload(reading: Array(#"{"appVersion": "1.0", \#(members)}"#.utf8), name: "payload.json")
}
