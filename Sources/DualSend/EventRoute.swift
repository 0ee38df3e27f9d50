import DualSendRollout
import DualSendTracking

/// The way that one event takes.
struct EventRoute: Sendable {
  /// What decides about the sinks that a document names.
  struct Narrowing: Sendable {
    let snapshot: RolloutSnapshot
    let subject: RolloutSubject
    let event: String
  }

  /// Which sides receive it.
  let decision: SinkDecision
  /// The revision that decided; `nil` where plain booleans did.
  let revision: Int64?
  /// Whether its unit belongs to the sample whose pairs are observed.
  let isInSample: Bool
  /// `nil` if every sink follows its side's flag.
  let narrowing: Narrowing?

  init(_ snapshot: RolloutSnapshot, _ subject: RolloutSubject, event: String, isInSample: Bool) {
    decision = snapshot.decision(for: event, subject: subject)
    revision = snapshot.revision
    self.isInSample = isInSample
    narrowing = snapshot.namesSinks ? Narrowing(snapshot: snapshot, subject: subject, event: event) : nil
  }

  /// Whether what both sinks get of the event is to be shown: there must be two of them.
  var isObserved: Bool { isInSample && decision.outcome == .both }

  /// The sinks that the rollout lets have the event.
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
