public import DualSend
import DualSendCore
import DualSendRollout
import Foundation

/// Selects events for golden files: of each name those with the smallest canonical text, independent of their order.
public struct GoldenSelection: Sendable {
  /// One event and its golden file.
  public struct Case: Sendable, Hashable {
    /// The call site's event.
    public let event: LegacyEvent
    /// The golden file's name.
    public let file: String
  }

  private struct Candidate: Sendable {
    let text: [UInt8]
    let event: LegacyEvent
  }

  private let perName: Int
  private var candidates: [ExactText: [Candidate]] = [:]

  /// - Parameter perName: the most events for each name, at least 1.
  public init(perName: Int) {
    self.perName = max(1, perName)
  }

  /// Adds a candidate. Equal events count once.
  public mutating func add(_ event: LegacyEvent) {
    let candidate = Candidate(text: event.canonicalText, event: event)
    var smallest = candidates[ExactText(event.name), default: []]
    let position =
      smallest.firstIndex { !$0.text.lexicographicallyPrecedes(candidate.text) } ?? smallest.endIndex
    guard position < perName, position == smallest.endIndex || smallest[position].text != candidate.text else { return }
    smallest.insert(candidate, at: position)
    candidates[ExactText(event.name)] = Array(smallest.prefix(perName))
  }

  /// The selected events, sorted by name and canonical text.
  public var cases: [Case] {
    var known: Set<String> = []
    return candidates.sorted { $0.key < $1.key }.flatMap { name, candidates in
      // Many file systems are case-insensitive.
      let isTaken = !known.insert(GoldenFolder.fileName(name.text).lowercased()).inserted
      return candidates.enumerated().map { index, candidate in
        Case(event: candidate.event, file: GoldenFolder.fileName(name.text, case: index + 1, isHashed: isTaken))
      }
    }
  }
}

extension LegacyEvent {
  /// The event as in an events file, in canonical JSON.
  fileprivate var canonicalText: [UInt8] {
    var members: [String: EventValue] = ["name": .string(name), "parameters": .object(parameters)]
    if let unitID { members["unitID"] = .string(unitID) }
    if let time { members["time"] = .int(time) }
    return EventValue.object(members).canonicalJSON
  }
}

// MARK: - Golden adapter

/// Sends legacy events through a real `DualSendTracker` with recording sinks.
///
/// Deterministic: the same event, table and rollout always give the same record. An event without a time or an id gets
/// a fixed one.
public struct GoldenAdapter: Sendable {
  private let remapping: RemappingTable
  private let rollout: RolloutSnapshot
  private let context: DecisionContext
  private let oldLoggerEventIDKey: String?

  /// Creates an adapter.
  ///
  /// - Parameters:
  ///   - remapping: the app's table.
  ///   - rollout: the revision of the golden files.
  ///   - context: the context for rules. The event's unit ID is used.
  ///   - oldLoggerEventIDKey: as the app gives it to its `DualSendTracker`.
  public init(
    remapping: RemappingTable = RemappingTable(), rollout: RolloutSnapshot,
    context: DecisionContext = DecisionContext(),
    oldLoggerEventIDKey: String? = nil
  ) {
    self.remapping = remapping
    self.rollout = rollout
    self.context = context
    self.oldLoggerEventIDKey = oldLoggerEventIDKey
  }

  /// Sends the event, waits for its delivery, and returns the record of both sides.
  public func record(_ event: LegacyEvent) async -> GoldenRecord {
    let oldLogger = RecordingOldLogger()
    let transport = ScriptedTransport()
    // The clock is set to the event's time, so that the event is not too old for the quota.
    let clock = event.time.map { ManualClock(wallMilliseconds: $0) } ?? ManualClock()
    let configuration = TrackerConfiguration(
      // The URL is not used: the transport is scripted.
      endpoint: TrackingEndpoint(url: URL(fileURLWithPath: "/events")), storage: .memory,
      transport: transport, time: clock.timeSource)
    let dualSend = DualSendTracker(
      oldLogger: oldLogger, tracker: Tracker(configuration: configuration), remapping: remapping, rollout: rollout,
      unitID: { event.unitID }
    ) {
      $0.context = context
      $0.oldLoggerEventIDKey = oldLoggerEventIDKey
      $0.time = clock.timeSource
    }
    let decision = dualSend.logEvent(event.withFixedID(at: clock))
    await dualSend.tracker.shutdown()
    return GoldenRecord(
      input: event, outcome: decision.outcome, explanation: rollout.explanation(of: decision),
      old: oldLogger.entries.first, new: transport.events.first)
  }
}

extension LegacyEvent {
  fileprivate func withFixedID(at clock: ManualClock) -> LegacyEvent {
    var event = self
    var bits = SplitMix64(seed: 0)
    event.id = id ?? EventID(milliseconds: clock.timeSource.wallMilliseconds(), using: &bits)
    return event
  }
}
