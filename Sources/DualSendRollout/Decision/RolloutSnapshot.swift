public import DualSendCore

/// A rollout in force: decides events by reading, without lock, I/O or waiting.
///
/// Immutable, so a burst of events that reads one snapshot is decided by one revision, whatever is swapped meanwhile.
public struct RolloutSnapshot: Sendable {
  /// The old logger for everybody, as before the migration: what holds until a first document is there.
  public static let oldLoggerOnly = RolloutSnapshot(.oldOnly)
  /// The new tracker for every unit: the in-app default of the last release before the document is deleted.
  public static let newTrackerOnly = RolloutSnapshot(.newOnly)

  /// Everything behind one reference, so that an event that reads a rollout in force copies one pointer.
  private final class Content: Sendable {
    let document: RolloutDocument?
    /// In the document's place where an earlier run has done all that deciding needs.
    let storedDocument: StoredDocument?
    let time: Int64?
    let compiled: CompiledRollout?
    /// What plain booleans decide.
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

  /// The document; `nil` where plain booleans decide.
  ///
  /// One that an earlier run of the app has stored is read when it is first asked for, on the thread that asks, which takes
  /// some milliseconds if it is large.
  public var document: RolloutDocument? { content.document ?? content.storedDocument?.document }
  /// The trusted time that the document's schedules were read at, in milliseconds since 1970-01-01T00:00:00Z.
  public var time: Int64? { content.time }
  /// Whether an earlier run has done all that deciding needs, so that the document is not read unless somebody asks for it.
  var isStored: Bool { content.storedDocument != nil }
  /// Whether another time could make another snapshot of the document.
  var hasSchedules: Bool { content.compiled?.hasSchedules ?? false }
  /// The document, taken apart; `nil` where plain booleans decide.
  var compiled: CompiledRollout? { content.compiled }

  /// Puts a document in force.
  ///
  /// - Parameter time: milliseconds since 1970-01-01T00:00:00Z by a trusted clock, for the document's schedules.
  ///   Without one, a scheduled flag counts as not set. Make a new snapshot when ``nextChange`` has come.
  public init(_ document: RolloutDocument, at time: Int64? = nil) {
    self.init(document, at: time, document.compiled(at: time))
  }

  init(_ document: RolloutDocument, at time: Int64?, _ rollout: CompiledRollout) {
    content = Content(document, at: time, rollout)
  }

  /// Puts a document in force that an earlier run has proved and compiled.
  init(_ document: StoredDocument, at time: Int64?, _ rollout: CompiledRollout) {
    content = Content(stored: document, at: time, rollout)
  }

  /// Puts two plain booleans in force, for teams that have their own way to deliver them.
  ///
  /// - Parameter allowNeither: must be `true` if both booleans are `false`, so that events are only lost on purpose.
  /// - Throws: ``DocumentError`` if both booleans are `false` and that is not allowed.
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

  /// The document's revision; `nil` where plain booleans decide.
  public var revision: Int64? { compiled?.revision }

  /// When the next step of a schedule comes, in milliseconds since 1970-01-01T00:00:00Z; `nil` if none does.
  public var nextChange: Int64? {
    // Without schedules the document need not be asked, which might have to be read first.
    guard hasSchedules else { return nil }
    return document?.changeTimes.first { change in time.map { change > $0 } ?? true }
  }

  /// The bucket of a unit; `nil` where plain booleans decide.
  public func bucket(of unitID: String) -> RolloutBucket? {
    compiled?.bucketing.bucket(of: unitID)
  }

  /// Makes a context ready for many decisions.
  public func subject(_ context: DecisionContext) -> RolloutSubject {
    RolloutSubject(context, owner: compiled)
  }

  /// Decides one event. Allocates nothing; derives the unit's bucket each time.
  public func decision(for eventName: String, context: DecisionContext) -> SinkDecision {
    content.compiled?.decision(for: eventName, context: context) ?? content.fixed
  }

  /// Decides one event for a subject of this snapshot. Allocates nothing; costs a walk along the name's bytes.
  public func decision(for eventName: String, subject: RolloutSubject) -> SinkDecision {
    content.compiled?.decision(for: eventName, subject: subject) ?? content.fixed
  }
}
