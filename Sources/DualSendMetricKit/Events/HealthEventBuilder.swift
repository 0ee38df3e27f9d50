import DualSendCore

/// Makes events of payloads, and counts what it leaves out.
struct HealthEventBuilder {
  /// The largest value of an unknown key that an event carries, in bytes of JSON.
  private static let maximumUnknownBytes = 2_048

  let selection: HealthSelection
  private(set) var events: [HealthEvent] = []
  private(set) var omissions = HealthOmissions()

  init(_ selection: HealthSelection) {
    self.selection = selection
  }

  mutating func add(_ payload: HealthMetricPayload) {
    let common = parameters(payload.environment, begin: payload.begin, end: payload.end)
    for topic in HealthTopic.allCases {
      add(topic, payload.readings.filter { $0.metric.topic == topic }, common)
    }
    for signpost in payload.signposts {
      let identity: [String: EventValue] = ["name": .string(signpost.name), "category": .string(signpost.category)]
      add(.signpost, signpost.readings, common.merging(identity) { _, new in new })
    }
    add(unknown: payload.unknown, common)
  }

  /// - Parameter diagnostics: those of the payload that are wanted.
  mutating func add(_ payload: HealthDiagnosticPayload, _ diagnostics: [HealthDiagnostic]) {
    for diagnostic in diagnostics {
      guard selection.topics.contains(diagnostic.kind.topic) else {
        omissions.notSelected += 1
        continue
      }
      let common = parameters(diagnostic.environment, begin: payload.begin, end: payload.end)
        .merging(diagnostic.parameters(maximumFrames: selection.maximumFrames)) { _, new in new }
      add(diagnostic.kind.topic, diagnostic.readings, common, isWorthItself: true)
    }
    add(unknown: payload.unknown, parameters(HealthEnvironment(), begin: payload.begin, end: payload.end))
  }

  /// - Parameter isWorthItself: whether there is an event without metrics too, unless a threshold kept one out.
  private mutating func add(
    _ topic: HealthTopic, _ readings: [HealthReading], _ common: [String: EventValue], isWorthItself: Bool = false
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
    guard !sent.isEmpty || isWorthItself && !isBelow else { return }
    var parameters = common
    for reading in sent { parameters.merge(reading.parameters) { _, new in new } }
    events.append(HealthEvent(topic: topic, parameters: parameters))
  }

  private mutating func add(unknown: [String: EventValue], _ common: [String: EventValue]) {
    guard !unknown.isEmpty else { return }
    guard selection.topics.contains(.other) else {
      omissions.notSelected += unknown.count
      return
    }
    let small = unknown.filter { $0.value.canonicalJSON.count <= Self.maximumUnknownBytes }
    omissions.largeUnknownValues += unknown.count - small.count
    var parameters = common
    parameters["unknown"] = .object(small)
    if small.count < unknown.count { parameters["unknown_left_out"] = .int(Int64(unknown.count - small.count)) }
    events.append(HealthEvent(topic: .other, parameters: parameters))
  }

  private func parameters(
    _ environment: HealthEnvironment, begin: String?, end: String?
  ) -> [String: EventValue] {
    let texts = [
      "app_version": environment.appVersion, "app_build": environment.appBuild, "os_version": environment.osVersion,
      "device_type": environment.deviceType, "period_begin": begin, "period_end": end,
    ]
    return texts.compactMapValues { $0.map { .string($0) } }
  }
}
