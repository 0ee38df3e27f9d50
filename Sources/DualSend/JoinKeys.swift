import DualSendCore
import DualSendRollout
import DualSendTracking

/// Adds the event's id and decision to both streams, if enabled.
struct JoinKeys: Sendable {
  /// The old parameter for the id; `nil` if disabled.
  private let key: String?
  private let generator = Locked(EventIDGenerator())

  var isOn: Bool { key != nil }

  init(key: String?) {
    self.key = key
  }

  /// Creates an id on the caller's thread, shared by all sinks.
  func newID(at milliseconds: Int64) -> EventID {
    generator.withLock { EventID(milliseconds: milliseconds, using: &$0) }
  }

  /// The old parameters with the event's id and decision; unchanged if disabled.
  func parameters(of call: EventCall) -> [String: Any] {
    var parameters = call.plain
    guard let key, let id = call.id else { return parameters }
    parameters[key] = id.description
    if let decision = call.decision { parameters[CarriedDecision.key] = decision.description }
    return parameters
  }

  /// The decision that an event carries.
  ///
  /// - Parameter receivers: the sinks that receive it, without the old logger.
  func decision(
    on call: EventCall, by route: EventRoute, reachesOldLogger: Bool, receivers: [Sink.ID]
  ) -> CarriedDecision {
    let reason: CarriedDecision.Reason? =
      if route.decision.newTrackerReason == .breaker {
        .breaker
      } else if case .all = call.scope {
        route.decision.isWithoutUnit ? .missingUnit : nil
      } else {
        .scope
      }
    return CarriedDecision(
      revision: route.revision, oldLogger: reachesOldLogger, newTracker: receivers.contains(.newTracker),
      sinks: receivers.filter { $0 != .newTracker }.map(\.rawValue), reason: reason)
  }
}

extension SinkDecision {
  /// Whether a bucket was needed but there was no unit.
  fileprivate var isWithoutUnit: Bool { oldLoggerReason == .missingUnit || newTrackerReason == .missingUnit }
}
