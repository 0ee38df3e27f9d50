public import DualSendCore

/// A rollout that decides events, without locks, I/O or waiting.
///
/// Immutable: events that use one snapshot are all decided by one revision.
public struct RolloutSnapshot: Sendable {
  /// The old logger for every unit, as before the migration. The default until a first document is fetched.
  public static let oldLoggerOnly = RolloutSnapshot(.oldOnly)
  /// The new tracker for every unit: the in-app default of the last release before the document is deleted.
  public static let newTrackerOnly = RolloutSnapshot(.newOnly)

  /// The contents behind one reference, so that copying a snapshot copies one pointer.
  private final class Content: Sendable {
    let document: RolloutDocument?
    /// Replaces `document` if the compiled form was read from storage.
    let storedDocument: StoredDocument?
    let time: Int64?
    let compiled: CompiledRollout?
    /// The decision of plain booleans.
    let fixed: SinkDecision

    init(
      _ document: RolloutDocument? = nil, stored storedDocument: StoredDocument? = nil, at time: Int64? = nil,
      _ compiled: CompiledRollout? = nil, fixed: SinkDecision.Outcome = .oldOnly
    ) {
      self.document = document
      self.storedDocument = storedDocument
      self.time = time
      self.compiled = compiled
      self.fixed = SinkDecision(fixed, bucket: nil, oldLogger: .fixed, newTracker: .fixed)
    }
  }

  private let content: Content

  /// The document; `nil` if plain booleans are in force.
  ///
  /// A document from an earlier launch is parsed at the first access, on the caller's thread. This takes some milliseconds if
  /// it is large.
  public var document: RolloutDocument? { content.document ?? content.storedDocument?.document }
  /// The trusted time at which schedules were evaluated, in milliseconds since 1970-01-01T00:00:00Z.
  public var time: Int64? { content.time }
  /// Whether the compiled form was read from storage, so that the document is parsed only on demand.
  var isStored: Bool { content.storedDocument != nil }
  /// Whether any share depends on the time.
  var hasSchedules: Bool { content.compiled?.hasSchedules ?? false }
  /// The compiled document; `nil` if plain booleans are in force.
  package var compiled: CompiledRollout? { content.compiled }

  /// Compiles a document for a time.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - time: the trusted time at which schedules are evaluated, in milliseconds since 1970-01-01T00:00:00Z. Without one,
  ///     a scheduled flag counts as not set. Create a new snapshot when ``nextChange`` is reached.
  public init(_ document: RolloutDocument, at time: Int64? = nil) {
    self.init(document, at: time, document.compiled(at: time))
  }

  init(_ document: RolloutDocument, at time: Int64?, _ rollout: CompiledRollout) {
    content = Content(document, at: time, rollout)
  }

  /// Creates a snapshot of a document that an earlier launch proved and compiled.
  init(_ document: StoredDocument, at time: Int64?, _ rollout: CompiledRollout) {
    content = Content(stored: document, at: time, rollout)
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
    content = Content(fixed: outcome)
  }

  /// The document's revision; `nil` if plain booleans are in force.
  public var revision: Int64? { compiled?.revision }

  /// The time of the next step of a schedule, in milliseconds since 1970-01-01T00:00:00Z; `nil` if there is none.
  public var nextChange: Int64? {
    // Avoids parsing a stored document that has no schedules.
    guard hasSchedules else { return nil }
    return document?.changeTimes.first { change in time.map { change > $0 } ?? true }
  }

  /// The bucket of a unit; `nil` if plain booleans are in force.
  public func bucket(of unitID: String) -> RolloutBucket? {
    compiled?.bucketing.bucket(of: unitID)
  }

  /// Prepares a context for many decisions.
  public func subject(_ context: DecisionContext) -> RolloutSubject {
    RolloutSubject(context, owner: compiled)
  }

  /// Decides one event. Allocates nothing, but computes the unit's bucket each time.
  public func decision(for eventName: String, context: DecisionContext) -> SinkDecision {
    content.compiled?.decision(for: eventName, context: context) ?? content.fixed
  }

  /// Decides one event for a prepared context. Allocates nothing. The cost grows with the length of the event's name.
  public func decision(for eventName: String, subject: RolloutSubject) -> SinkDecision {
    content.compiled?.decision(for: eventName, subject: subject) ?? content.fixed
  }
}
