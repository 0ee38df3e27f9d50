public import DualSendCore

/// A rollout that decides events, without locks, I/O or waiting.
///
/// Immutable: events that use one snapshot are all decided by one revision.
public struct RolloutSnapshot: Sendable {
  /// The old logger for every unit, as before the migration. The default until a first document is fetched.
  public static let oldLoggerOnly = RolloutSnapshot(.oldOnly)
  /// The new tracker for every unit: the in-app default of the last release before the document is deleted.
  public static let newTrackerOnly = RolloutSnapshot(.newOnly)

  /// The compiled document; `nil` if plain booleans are in force.
  let compiled: CompiledRollout?
  /// The decision of plain booleans.
  private let fixed: SinkDecision

  /// The outcome of plain booleans; `nil` if a document is in force.
  var booleans: SinkDecision.Outcome? { compiled == nil ? fixed.outcome : nil }
  /// The document; `nil` if plain booleans are in force.
  public var document: RolloutDocument? { compiled?.document }
  /// The trusted time at which schedules were evaluated, in milliseconds since 1970-01-01T00:00:00Z.
  public var time: Int64? { compiled?.time }

  /// Compiles a document for a time.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - time: the trusted time at which schedules are evaluated, in milliseconds since 1970-01-01T00:00:00Z. Without one,
  ///     a scheduled flag counts as not set. Create a new snapshot when ``nextChange`` is reached.
  public init(_ document: RolloutDocument, at time: Int64? = nil) {
    self.init(CompiledRollout(document, at: time))
  }

  init(_ rollout: CompiledRollout) {
    compiled = rollout
    fixed = SinkDecision(.oldOnly, bucket: nil, oldLogger: .fixed, newTracker: .fixed)
  }

  /// Creates a snapshot of two plain booleans, for teams that deliver them over their own channel.
  ///
  /// - Parameters:
  ///   - shouldSendLogToOldLogger: whether the old logger receives all events.
  ///   - shouldSendLogToNewTracker: whether the new tracker receives all events.
  ///   - allowNeither: must be `true` if both booleans are `false`. Prevents losing all events by mistake.
  /// - Throws: ``DocumentError`` if both booleans are `false` and `allowNeither` is not `true`.
  public init(
    shouldSendLogToOldLogger: Bool, shouldSendLogToNewTracker: Bool, allowNeither: Bool = false
  ) throws(DocumentError) {
    let outcome = SinkDecision.Outcome(oldLogger: shouldSendLogToOldLogger, newTracker: shouldSendLogToNewTracker)
    guard outcome != .neither || allowNeither else {
      throw DocumentError([
        DocumentDiagnostic(
          .error, .neitherSink, "both booleans are false, so that every event would be lost",
          help: "switch one of them on, or pass `allowNeither: true`")
      ])
    }
    self.init(outcome)
  }

  init(_ outcome: SinkDecision.Outcome) {
    compiled = nil
    fixed = SinkDecision(outcome, bucket: nil, oldLogger: .fixed, newTracker: .fixed)
  }

  /// The document's revision; `nil` if plain booleans are in force.
  public var revision: Int64? { compiled?.document.revision }

  /// The time of the next step of a schedule, in milliseconds since 1970-01-01T00:00:00Z; `nil` if there is none.
  public var nextChange: Int64? {
    guard let compiled, compiled.hasSchedules else { return nil }
    return compiled.document.changeTimes.first { change in compiled.time.map { change > $0 } ?? true }
  }

  /// The bucket of a unit; `nil` if plain booleans are in force.
  package func bucket(of unitID: String) -> RolloutBucket? {
    compiled?.bucketing.bucket(of: unitID)
  }

  /// Prepares a context for many decisions.
  package func subject(_ context: DecisionContext) -> RolloutSubject {
    RolloutSubject(context, owner: compiled)
  }

  /// Decides one event. Allocates nothing, but computes the unit's bucket each time.
  public func decision(for eventName: String, context: DecisionContext) -> SinkDecision {
    compiled?.decision(for: eventName, context: context) ?? fixed
  }

  /// Decides one event for a prepared context. Allocates nothing. The cost grows with the length of the event's name.
  package func decision(for eventName: String, subject: RolloutSubject) -> SinkDecision {
    compiled?.decision(for: eventName, subject: subject) ?? fixed
  }
}

// MARK: - Named sinks

extension RolloutSnapshot {
  /// Whether the document names sinks. If it does not, every sink follows its side's flag.
  package var namesSinks: Bool { compiled?.namesSinks ?? false }

  /// Whether one sink of a side receives an event that this snapshot decided. Allocates nothing.
  ///
  /// A sink receives an event if its side does and the unit's bucket is in the sink's share. The units of a lower share are
  /// a subset of those of a higher one. A sink that the document does not name follows its side's flag; so do the principal
  /// sinks `oldLogger` and `newTracker`, which no document can name. Without a unit, a sink with a share below 100 %
  /// receives nothing.
  ///
  /// - Parameters:
  ///   - sink: the sink's id.
  ///   - side: the side of the sink.
  ///   - event: the event's old name.
  ///   - subject: the context; a subject of another snapshot works too, but more slowly.
  ///   - decision: this snapshot's decision for the event and the subject.
  package func receives(
    _ sink: String, on side: RolloutSide, event: String, subject: RolloutSubject, decision: SinkDecision
  ) -> Bool {
    compiled?.receives(sink, on: side, event: event, subject: subject, decision: decision)
      ?? decision.outcome.includes(side)
  }

  /// Whether one sink of a side receives an event. Decides the event first.
  package func receives(
    _ sink: String, on side: RolloutSide, event: String, context: DecisionContext
  ) -> Bool {
    let outcome = decision(for: event, context: context)
    guard outcome.outcome.includes(side) else { return false }
    guard let share = compiled?.share(ofSink: sink, on: side, event: event, context: context) else { return true }
    return CompiledSink.holds(share.buckets, on: side, bucket: outcome.bucket)
  }
}

/// A context prepared for many decisions of one snapshot: its bucket, and the rules whose conditions it fulfils.
///
/// Create one with ``RolloutSnapshot/subject(_:)``, and again when the context or the snapshot changes. A subject of another
/// snapshot still gives correct decisions, but more slowly.
package final class RolloutSubject: Sendable {
  /// The context that was prepared.
  package let context: DecisionContext
  /// The unit's bucket; `nil` without a unit, and if plain booleans are in force.
  package let bucket: RolloutBucket?
  let owner: CompiledRollout?
  /// One bit for each rule: whether its conditions besides the event's name hold.
  private let matched: [UInt64]

  init(_ context: DecisionContext, owner: CompiledRollout?) {
    self.context = context
    self.owner = owner
    bucket = owner.flatMap { owner in context.unitID.map { owner.bucketing.bucket(of: $0) } }
    let conditions = owner?.conditions ?? []
    var matched = [UInt64](repeating: 0, count: (conditions.count + 63) / 64)
    for (index, conditions) in conditions.enumerated() where conditions.hold(for: context) {
      matched[index / 64] |= 1 << (index % 64)
    }
    self.matched = matched
  }

  /// Whether this snapshot created the subject.
  package func belongs(to snapshot: RolloutSnapshot) -> Bool {
    owner === snapshot.compiled
  }

  @inline(__always)
  func matches(rule index: Int) -> Bool {
    matched[index >> 6] >> (index & 63) & 1 == 1
  }
}
