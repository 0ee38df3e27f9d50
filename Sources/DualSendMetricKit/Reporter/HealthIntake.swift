import DualSendCore

/// The payloads of one delivery on their way to events.
struct HealthIntake {
  private let options: HealthReporter.Options
  private var builder: HealthEventBuilder
  private var read = HealthReport()

  init(_ options: HealthReporter.Options) {
    self.options = options
    builder = HealthEventBuilder(options.selection)
  }

  /// Every event that could be sent.
  var events: [HealthEvent] { builder.events }

  /// What was read and left out so far.
  var report: HealthReport {
    var report = read
    report.omissions += builder.omissions
    return report
  }

  mutating func add(metricPayload bytes: [UInt8], _ format: HealthNumberFormat?) {
    do {
      let payload = try HealthMetricPayload(reading: bytes, name: "metric payload", numberFormat: format)
      read.omissions.texts += payload.textCounts
      if payload.includesSeveralVersions {
        read.omissions.payloadsOfSeveralVersions += 1
      } else if !isWanted(payload.environment) {
        read.omissions.payloadsOfOtherVersions += 1
      } else {
        read.metricPayloads.append(payload)
        builder.add(payload)
      }
    } catch { refuse(error) }
  }

  mutating func add(diagnosticPayload bytes: [UInt8], _ format: HealthNumberFormat?) {
    do {
      let payload = try HealthDiagnosticPayload(reading: bytes, name: "diagnostic payload", numberFormat: format)
      read.omissions.texts += payload.textCounts
      read.diagnosticPayloads.append(payload)
      // Each one names its version: a payload may have those of several.
      let wanted = payload.diagnostics.filter { isWanted($0.environment) }
      read.omissions.diagnosticsOfOtherVersions += payload.diagnostics.count - wanted.count
      builder.add(payload, wanted)
    } catch { refuse(error) }
  }

  private mutating func refuse(_ error: DocumentError) {
    read.omissions.malformedPayloads += 1
    read.errors.append(error)
  }

  private func isWanted(_ environment: HealthEnvironment) -> Bool {
    guard let wanted = options.appVersion else { return true }
    return environment.appVersion.map { $0.isExactly(wanted) } ?? false
  }
}
