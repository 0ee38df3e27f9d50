public import DualSend
import DualSendCore
import DualSendRollout
import Foundation

/// Sends legacy events through a real `DualSendTracker` with recording sinks.
///
/// Deterministic: the same event, table and rollout always give the same record. An event without a time or an id gets
/// a fixed one.
public struct GoldenAdapter: Sendable {
  private let remapping: RemappingTable
  private let rollout: RolloutSnapshot
  private let context: DecisionContext
  private let options: DualSendTracker.Options

  /// Creates an adapter.
  ///
  /// - Parameters:
  ///   - remapping: the app's table.
  ///   - rollout: the revision of the golden files.
  ///   - context: the context for rules. The event's unit ID is used.
  ///   - options: the app's options.
  public init(
    remapping: RemappingTable = RemappingTable(), rollout: RolloutSnapshot,
    context: DecisionContext = DecisionContext(),
    options: DualSendTracker.Options = DualSendTracker.Options()
  ) {
    self.remapping = remapping
    self.rollout = rollout
    self.context = context
    self.options = options
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
      context: context, unitID: { event.unitID }, options: options, time: clock.timeSource)
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
