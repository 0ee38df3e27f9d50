import DualSendCore

/// Turns the payloads of one delivery into events.
struct HealthIntake {
  private let wantedVersion: String?
  private var builder: HealthEventBuilder
  private var read = HealthReport()

  init(_ options: HealthReporter.Options) {
    wantedVersion = options.appVersion
    builder = HealthEventBuilder(options.selection, memoryLimit: options.memoryLimit())
  }

  /// All events that could be sent.
  var events: [HealthEvent] { builder.events }

  /// The payloads and omissions so far.
  var report: HealthReport {
    var report = read
    report.omissions += builder.omissions
    return report
  }

  mutating func add(_ payload: HealthMetricPayload) {
    if payload.includesSeveralVersions {
      read.omissions.payloadsOfSeveralVersions += 1
    } else if !isWanted(payload.environment) {
      read.omissions.payloadsOfOtherVersions += 1
    } else {
      read.metricPayloads.append(payload)
      builder.add(payload)
    }
  }

  mutating func add(_ payload: HealthDiagnosticPayload) {
    read.diagnosticPayloads.append(payload)
    // Each diagnostic has its version, because a payload may cover several.
    let wanted = payload.diagnostics.filter { isWanted($0.environment) }
    read.omissions.diagnosticsOfOtherVersions += payload.diagnostics.count - wanted.count
    builder.add(payload, wanted)
  }

  private func isWanted(_ environment: HealthEnvironment) -> Bool {
    guard let wantedVersion else { return true }
    return environment.appVersion.map { $0.isExactly(wantedVersion) } ?? false
  }
}
