@_spi(Tools) import DualSendRollout

/// The way that one event takes.
struct EventRoute: Sendable {
  /// Which sinks receive it.
  let decision: SinkDecision
  /// Whether its unit belongs to the sample whose pairs are observed.
  let isInSample: Bool

  /// Whether what both sinks get of the event is to be shown: there must be two of them.
  var isObserved: Bool { isInSample && decision.outcome == .both }

  /// Whether the rollout lets a sink have the event.
  func includes(_ sink: SinkID, on side: RolloutSide) -> Bool {
    decision.outcome.includes(side)
  }
}
