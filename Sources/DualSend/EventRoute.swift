import DualSendRollout
import DualSendTracking

struct EventRoute: Sendable {
  /// What is needed to decide about sinks that the document names.
  struct Narrowing: Sendable {
    let snapshot: RolloutSnapshot
    let subject: RolloutSubject
    let event: String
  }

  /// The sides that receive it.
  let decision: SinkDecision
  /// The revision that decided; `nil` for plain booleans.
  let revision: Int64?
  /// Whether its unit is in the observed sample.
  let isInSample: Bool
  /// `nil` if every sink follows its side's flag.
  let narrowing: Narrowing?

  init(_ snapshot: RolloutSnapshot, _ subject: RolloutSubject, event: String, isInSample: Bool, isBreakerOpen: Bool) {
    let decided = snapshot.decision(for: event, subject: subject)
    decision = isBreakerOpen ? decided.withOpenBreaker : decided
    revision = snapshot.revision
    self.isInSample = isInSample
    narrowing = snapshot.namesSinks ? Narrowing(snapshot: snapshot, subject: subject, event: event) : nil
  }

  /// Whether the breaker gives the old logger what the new side would get, so also an event for the new tracker alone.
  var isForOldLoggerInstead: Bool { decision.newTrackerReason == .breaker }

  /// Whether to observe the pair of events, which requires both sides.
  var isObserved: Bool { isInSample && decision.outcome == .both }

  /// The sinks that may receive the event.
  var selection: SinkSelection {
    let (original, new) = (decision.outcome.includes(.old), decision.outcome.includes(.new))
    guard let narrowing else { return SinkSelection(original: original, new: new) }
    return SinkSelection(original: original, new: new) { [decision] sink, form in
      narrowing.snapshot.receives(
        sink.rawValue, on: form == .new ? .new : .old, event: narrowing.event, subject: narrowing.subject,
        decision: decision)
    }
  }
}
