import DualSendCore
import DualSendRollout
import DualSendTracking
import Logging

/// Adds the event's id and decision to both streams, if enabled.
struct JoinKeys: Sendable {
  /// The old parameter for the id; `nil` if disabled.
  private let key: String?
  /// The most parameters that the old logger keeps.
  private let limit: Int?
  private let leftOut = Locked(0)
  private let generator = Locked(EventIDGenerator())

  var isOn: Bool { key != nil }

  /// In how many old events the keys were left out.
  var leftOutCount: Int { leftOut.current }

  init(key: String?, limit: Int?) {
    (self.key, self.limit) = (key?.isEmpty == true ? nil : key, limit)
    if key?.isEmpty == true { report("`oldLoggerEventIDKey` is empty, so neither stream has ids") }
  }

  private func report(_ text: String) {
    Logger(label: "dualsend.adapter").warning("\(text.printable(limit: PrintableText.lineLimit))")
  }

  /// Creates an id on the caller's thread, shared by all sinks.
  func newID(at milliseconds: Int64) -> EventID {
    generator.withLock { EventID(milliseconds: milliseconds, using: &$0) }
  }

  /// The old parameters with the event's id and decision; unchanged if disabled, if the app uses a key itself, or if the old
  /// logger would drop parameters of the app for them.
  func parameters(of call: EventCall) -> [String: Any] {
    var parameters = call.plain
    guard let key, let id = call.id else { return parameters }
    let own = [key, CarriedDecision.key].first { parameters[$0] != nil }
    guard own == nil, parameters.count + (call.decision == nil ? 1 : 2) <= limit ?? .max else {
      let isFirst = leftOut.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst {
        let count = "\(parameters.count) parameters of at most \(limit ?? 0)"
        let reason = own.map { "the app's own parameter \($0)" } ?? count
        report("\(call.name) has \(reason): such old events get no id, and are compared by order")
      }
      return parameters
    }
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
  var isWithoutUnit: Bool { oldLoggerReason == .missingUnit || newTrackerReason == .missingUnit }
}
