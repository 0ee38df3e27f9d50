public import DualSendCore
import Foundation

/// Makes events of payloads, and counts omissions.
struct HealthEventBuilder {
  let selection: HealthSelection
  /// The memory limit of this process in bytes, if known.
  let memoryLimit: Int64?
  private(set) var events: [HealthEvent] = []
  private(set) var omissions = HealthOmissions()

  init(_ selection: HealthSelection, memoryLimit: Int64?) {
    self.selection = selection
    self.memoryLimit = memoryLimit
  }

  mutating func add(_ payload: HealthMetricPayload) {
    let common = parameters(payload.environment, begin: payload.begin, end: payload.end)
    for topic in HealthTopic.allCases {
      let readings = payload.readings.filter { $0.metric.topic == topic }
      add(topic, readings, common.merging(memory(payload.readings, of: topic)) { _, new in new })
    }
    for signpost in payload.signposts {
      let identity: [String: EventValue] = ["name": .string(signpost.name), "category": .string(signpost.category)]
      add(.signpost, signpost.readings, common.merging(identity) { _, new in new })
    }
  }

  /// - Parameter diagnostics: the diagnostics of the payload to report.
  mutating func add(_ payload: HealthDiagnosticPayload, _ diagnostics: [HealthDiagnostic]) {
    for diagnostic in diagnostics {
      if diagnostic.callStacks == nil { omissions.callStacks += 1 }
      guard selection.topics.contains(diagnostic.kind.topic) else {
        omissions.notSelected += 1
        continue
      }
      let common = parameters(diagnostic.environment, begin: payload.begin, end: payload.end)
        .merging(diagnostic.parameters(selection)) { _, new in new }
      add(diagnostic.kind.topic, diagnostic.readings, common, of: diagnostic)
    }
  }

  /// - Parameter diagnostic: reported even without readings, unless a threshold excluded one.
  private mutating func add(
    _ topic: HealthTopic, _ readings: [HealthReading], _ common: [String: EventValue],
    of diagnostic: HealthDiagnostic? = nil
  ) {
    var sent: [HealthReading] = []
    var isBelow = false
    for reading in readings {
      switch selection.verdict(reading) {
      case .sent: sent.append(reading)
      case .notSelected: omissions.notSelected += 1
      case .belowThreshold:
        omissions.belowThreshold += 1
        isBelow = true
      }
    }
    guard !sent.isEmpty || diagnostic != nil && !isBelow else { return }
    var parameters = common
    for reading in sent { parameters.merge(reading.parameters) { _, new in new } }
    events.append(HealthEvent(topic: topic, parameters: parameters, diagnostic: diagnostic))
  }

  /// The memory use and limit, which explain exits for memory.
  private func memory(_ readings: [HealthReading], of topic: HealthTopic) -> [String: EventValue] {
    guard topic == .foregroundExits || topic == .backgroundExits else { return [:] }
    let used: [(HealthMetric, key: String)] =
      [(.peakMemory, "peak_memory")] + (topic == .backgroundExits ? [(.suspendedMemory, "suspended_memory")] : [])
    var parameters: [String: EventValue] = [:]
    for (metric, key) in used {
      guard let quantity = readings.quantity(metric) else { continue }
      parameters.merge(quantity.parameters(key)) { _, new in new }
    }
    if let memoryLimit {
      parameters.merge(HealthQuantity(Double(memoryLimit), .bytes).parameters("memory_limit")) { _, new in new }
    }
    return parameters
  }

  private func parameters(_ environment: HealthEnvironment, begin: Date?, end: Date?) -> [String: EventValue] {
    let texts = [
      "app_version": environment.appVersion, "app_build": environment.appBuild, "os_version": environment.osVersion,
      "device_type": environment.deviceType,
    ]
    var parameters = texts.compactMapValues { $0.map { EventValue.string($0) } }
    parameters["period_begin"] = begin.map { .date($0) }
    parameters["period_end"] = end.map { .date($0) }
    return parameters
  }
}

/// A health event.
public struct HealthEvent: Sendable {
  /// The event's topic.
  public let topic: HealthTopic
  /// The event's parameters. The article on health metrics lists all keys.
  public internal(set) var parameters: [String: EventValue]
  /// The complete diagnostic, for a crash reporter; `nil` for metrics.
  public internal(set) var diagnostic: HealthDiagnostic?

  /// The event's name, such as `health.app_exit.background`.
  public var name: String { topic.eventName }
}
