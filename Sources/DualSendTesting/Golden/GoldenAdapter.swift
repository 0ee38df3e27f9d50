public import DualSend
import DualSendCore
import Foundation

/// Takes legacy events through a real `DualSendTracker`, with sinks that only keep what they get.
///
/// The same event, table and rollout always give the same record: an event without a time or an id gets a fixed one.
public struct GoldenAdapter: Sendable {
  private let remapping: RemappingTable
  private let rollout: RolloutSnapshot
  private let context: DecisionContext
  private let options: DualSendTracker.Options

  /// Creates an adapter.
  ///
  /// - Parameters:
  ///   - remapping: as the app has it.
  ///   - rollout: the revision whose decisions the golden files hold.
  ///   - context: what rules may ask about besides the event; the unit is the event's own.
  ///   - options: as the app has them.
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

  /// Sends the event, waits until it is delivered, and says what each sink got.
  public func record(_ event: LegacyEvent) async -> GoldenRecord {
    let oldLogger = RecordingOldLogger()
    let transport = ScriptedTransport()
    // The clock stands at the event's own time, so that no event is too old to be kept.
    let clock = event.time.map { ManualClock(wallMilliseconds: $0) } ?? ManualClock()
    let configuration = TrackerConfiguration(
      // The transport answers by itself; any address will do.
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
