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

// MARK: - Health omissions

/// Counts everything that did not become an event, by reason.
public struct HealthOmissions: Sendable, Hashable {
  /// Events beyond the daily limit, by topic.
  public internal(set) var events: [HealthTopic: Int] = [:]
  /// Metrics below their threshold, including counts of zero and empty histograms.
  public internal(set) var belowThreshold = 0
  /// Metrics and diagnostics that are not selected.
  public internal(set) var notSelected = 0
  /// Payloads that cover several versions of the app.
  public internal(set) var payloadsOfSeveralVersions = 0
  /// Payloads of another or an unknown version of the app.
  public internal(set) var payloadsOfOtherVersions = 0
  /// Diagnostics of another or an unknown version of the app.
  public internal(set) var diagnosticsOfOtherVersions = 0
  /// Diagnostics without readable call stacks. These do become events.
  public internal(set) var callStacks = 0

  /// Creates counts of 0.
  public init() {}

  /// The number of events beyond the daily limit.
  public var eventCount: Int {
    events.values.reduce(0, +)
  }

  static func += (left: inout HealthOmissions, right: HealthOmissions) {
    left.events.merge(right.events, uniquingKeysWith: +)
    left.belowThreshold += right.belowThreshold
    left.notSelected += right.notSelected
    left.payloadsOfSeveralVersions += right.payloadsOfSeveralVersions
    left.payloadsOfOtherVersions += right.payloadsOfOtherVersions
    left.diagnosticsOfOtherVersions += right.diagnosticsOfOtherVersions
    left.callStacks += right.callStacks
  }
}

// MARK: - Health ranking

/// Sorts the events of one delivery, and selects those to send.
///
/// Sorts by priority. Within a priority, the topics alternate in the order of ``HealthTopic``: the first event of each,
/// then the second of each, and so on. A topic with many events, such as repeated crashes, therefore does not displace
/// other topics. Events of one topic keep the order of the payloads. Deterministic.
struct HealthRanking {
  /// The events, most important first.
  let events: [HealthEvent]

  init(_ events: [HealthEvent], _ selection: HealthSelection) {
    var turns: [HealthTopic: Int] = [:]
    let topics = Dictionary(uniqueKeysWithValues: HealthTopic.allCases.enumerated().map { ($1, $0) })
    let ranked = events.map { event in
      let turn = turns[event.topic, default: 0]
      turns[event.topic] = turn + 1
      return (rank: (selection.priority(event.topic).rawValue, turn, topics[event.topic] ?? topics.count), event: event)
    }
    self.events = ranked.sorted { $0.rank < $1.rank }.map(\.event)
  }

  /// The number of events of each kind.
  var counts: HealthBudget.Counts {
    let diagnostics = events.count { $0.topic.isDiagnostic }
    return HealthBudget.Counts(diagnostics: diagnostics, metrics: events.count - diagnostics)
  }

  /// - Returns: the first events of each kind, up to the limits, and the number of omitted events by topic.
  func choose(_ places: HealthBudget.Counts) -> (sent: [HealthEvent], leftOut: [HealthTopic: Int]) {
    var (free, sent, leftOut) = (places, [HealthEvent](), [HealthTopic: Int]())
    for event in events {
      let kind = event.topic.isDiagnostic ? \HealthBudget.Counts.diagnostics : \.metrics
      if free[keyPath: kind] > 0 {
        free[keyPath: kind] -= 1
        sent.append(event)
      } else {
        leftOut[event.topic, default: 0] += 1
      }
    }
    return (sent, leftOut)
  }
}
