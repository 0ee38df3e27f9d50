public import DualSendRollout

/// An event type of the old logger that sends itself: `LikeTapped(itemID: 42).send()`.
///
/// Conform your event types to this protocol, give each your ``DualSendTracker``, and insert ``sendToNewTracker()``
/// before the existing `send()`:
///
/// ```swift
/// LikeTapped(itemID: 42).sendToNewTracker().send()
/// ```
///
/// `send()` must call the old logger itself. If it calls a ``DualSendTracker``, the new tracker gets the event twice.
public protocol OldTypedEvent {
  /// The old name.
  var name: String { get }
  /// The old parameters.
  var parameters: [String: Any] { get }
  /// The adapter.
  var dualSendTracker: DualSendTracker { get }
  /// Sends the event to the old logger.
  func send()
  /// Sends the event to the old logger with these parameters: its own and the id of the new event.
  ///
  /// Called instead of ``send()`` if `oldLoggerEventIDKey` is set. The default implementation
  /// calls the adapter's old logger; implement it if your `send()` does something else. The name stays the event's own:
  /// a mutation on the caller's thread renames only the new side.
  func send(parameters: [String: Any])
}

extension OldTypedEvent {
  /// Calls the adapter's old logger.
  public func send(parameters: [String: Any]) {
    dualSendTracker.oldLogger.logEvents(name: name, parameters: [parameters])
  }

  /// Sends the event to the new tracker if the rollout selects it. Call `send()` on the result.
  ///
  /// One decision applies to both sinks, even if the rollout changes in between.
  public func sendToNewTracker() -> DualSendTracker.HandedOver<Self> {
    let (decision, oldCall) = dualSendTracker.handOver(name: name, parameters: parameters)
    return DualSendTracker.HandedOver(event: self, decision: decision, oldCall: oldCall)
  }
}

/// How an event's `send()` calls the old logger.
enum OldEventCall {
  case unchanged
  /// With parameters that differ from the event's own.
  case with([String: Any])
  /// A mutation dropped the event.
  case none
}

extension DualSendTracker {
  /// An event that was sent to the new side, if selected, and whose `send()` to the old logger is still to be called.
  public struct HandedOver<OldEvent: OldTypedEvent> {
    private let event: OldEvent
    private let oldCall: OldEventCall
    /// The decision for both sinks.
    public let decision: SinkDecision

    init(event: OldEvent, decision: SinkDecision, oldCall: OldEventCall) {
      self.event = event
      self.decision = decision
      self.oldCall = oldCall
    }

    /// Sends the event to the old logger if the rollout selects it.
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
