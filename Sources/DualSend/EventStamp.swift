import DualSendCore
import DualSendRollout
import DualSendTracking

/// Gives both streams of an event the same id and the decision, if asked.
struct EventStamp: Sendable {
  /// The old parameter that carries the id; `nil` stamps nothing.
  private let key: String?
  private let generator = Locked(EventIDGenerator())

  var isOn: Bool { key != nil }

  init(key: String?) {
    self.key = key
  }

  /// An id made on the caller's thread, for several sinks that know the event by it.
  func newID(at milliseconds: Int64) -> EventID {
    generator.withLock { EventID(milliseconds: milliseconds, using: &$0) }
  }

  /// The old parameters with the event's id and decision; unchanged if stamping is off.
  func stamped(_ call: EventCall) -> [String: Any] {
    var parameters = call.values.plain
    guard let key, let id = call.id else { return parameters }
    parameters[key] = id.description
    if let decision = call.decision { parameters[DecisionStamp.key] = decision.description }
    return parameters
  }

  /// What was decided for an event.
  ///
  /// - Parameter receivers: the sinks that get it, without the old logger.
  func decision(
    on call: EventCall, by route: EventRoute, reachesOldLogger: Bool, receivers: [Sink.ID]
  ) -> DecisionStamp {
    let reason: DecisionStamp.Reason? =
      if case .all = call.scope { route.decision.isWithoutUnit ? .missingUnit : nil } else { .scope }
    return DecisionStamp(
      revision: route.revision, oldLogger: reachesOldLogger, newTracker: receivers.contains(.newTracker),
      sinks: receivers.filter { $0 != .newTracker }.map(\.rawValue), reason: reason)
  }
}

extension SinkDecision {
  /// Whether a bucket was needed, and there was no unit.
  fileprivate var isWithoutUnit: Bool { oldLoggerReason == .missingUnit || newTrackerReason == .missingUnit }
}
