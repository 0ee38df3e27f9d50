public import DualSendRollout

/// An event type of the old logger that knows how to send itself: `LikeTapped(itemID: 42).send()`.
///
/// Conform the app's own event types, give each the ``DualSendTracker`` that the app made, and put
/// ``sendToNewTracker()`` before the `send()` that is there already:
///
/// ```swift
/// LikeTapped(itemID: 42).sendToNewTracker().send()
/// ```
///
/// `send()` must reach the old logger itself. If it reaches a ``DualSendTracker``, the new tracker gets the event twice.
public protocol OldTypedEvent {
  /// The name that the old logger knows.
  var name: String { get }
  /// The parameters that the old logger knows.
  var parameters: [String: Any] { get }
  /// The adapter that decides.
  var dualSendTracker: DualSendTracker { get }
  /// Sends the event to the old logger.
  func send()
  /// Sends the event to the old logger with these parameters, which are its own and the id that joins it to the new one.
  ///
  /// The name stays the event's own: a mutation on the caller's thread that renames it renames it for the new side alone.
  /// Asked for in place of ``send()`` where ``DualSendTracker/Options/oldLoggerEventIDKey`` is set. By default the adapter's
  /// old logger is called; a type whose `send()` does something else does the same here.
  func send(parameters: [String: Any])
}

extension OldTypedEvent {
  /// Calls the adapter's old logger.
  public func send(parameters: [String: Any]) {
    dualSendTracker.oldLogger.logEvents(name: name, parameters: [parameters])
  }

  /// Sends the event to the new tracker if the rollout says so, and hands on what remains to be done.
  ///
  /// One decision holds for both sinks, so that a rollout that changes in between cannot split them.
  public func sendToNewTracker() -> DualSendTracker.HandedOver<Self> {
    let (decision, oldCall) = dualSendTracker.handOver(name: name, parameters: parameters)
    return DualSendTracker.HandedOver(event: self, decision: decision, oldCall: oldCall)
  }
}

/// How an event's `send()` calls the old logger.
enum OldEventCall {
  case unchanged
  /// With these parameters, which differ from the event's own.
  case with([String: Any])
  /// A mutation dropped the event.
  case none
}

extension DualSendTracker {
  /// An event that the new tracker has, if it is to have it, and that waits for its `send()` to the old logger.
  public struct HandedOver<OldEvent: OldTypedEvent> {
    private let event: OldEvent
    private let oldCall: OldEventCall
    /// What was decided for both sinks.
    public let decision: SinkDecision

    init(event: OldEvent, decision: SinkDecision, oldCall: OldEventCall) {
      self.event = event
      self.decision = decision
      self.oldCall = oldCall
    }

    /// Sends the event to the old logger if the rollout says so.
    public func send() {
      guard decision.shouldSendLogToOldLogger else { return }
      switch oldCall {
      case .unchanged: event.send()
      case .with(let parameters): event.send(parameters: parameters)
      case .none: break
      }
    }
  }
}
