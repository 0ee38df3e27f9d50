@_spi(Tools) public import DualSendCore

/// A rollout in force: decides events by reading, without lock, I/O or waiting.
///
/// Immutable, so a burst of events that reads one snapshot is decided by one revision, whatever is swapped meanwhile.
public struct RolloutSnapshot: Sendable {
  /// The old logger for everybody, as before the migration: what holds until a first document is there.
  public static let oldLoggerOnly = RolloutSnapshot(.oldOnly)

  /// The document; `nil` where plain booleans decide.
  public let document: RolloutDocument?
  /// The trusted time that the document's schedules were read at, in milliseconds since 1970-01-01T00:00:00Z.
  public let time: Int64?
  /// The document, taken apart; `nil` where plain booleans decide.
  let compiled: CompiledRollout?
  /// What plain booleans decide.
  private let fixed: SinkDecision

  /// Puts a document in force.
  ///
  /// - Parameter time: milliseconds since 1970-01-01T00:00:00Z by a trusted clock, for the document's schedules.
  ///   Without one, a scheduled flag counts as not set. Make a new snapshot when ``nextChange`` has come.
  public init(_ document: RolloutDocument, at time: Int64? = nil) {
    self.init(document, at: time, CompiledRollout(document, at: time))
  }

  init(_ document: RolloutDocument, at time: Int64?, _ rollout: CompiledRollout) {
    self.document = document
    self.time = time
    compiled = rollout
    fixed = SinkDecision(.oldOnly, bucket: nil, oldLogger: .fixed, newTracker: .fixed)
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
    document = nil
    time = nil
    compiled = nil
    fixed = SinkDecision(outcome, bucket: nil, oldLogger: .fixed, newTracker: .fixed)
  }

  /// The document's revision; `nil` where plain booleans decide.
  public var revision: Int64? { document?.revision }

  /// When the next step of a schedule comes, in milliseconds since 1970-01-01T00:00:00Z; `nil` if none does.
  public var nextChange: Int64? {
    document?.changeTimes.first { change in time.map { change > $0 } ?? true }
  }

  /// The bucket of a unit; `nil` where plain booleans decide.
  @_spi(Tools) public func bucket(of unitID: String) -> RolloutBucket? {
    compiled?.bucketing.bucket(of: unitID)
  }

  /// Makes a context ready for many decisions.
  @_spi(Tools) public func subject(_ context: DecisionContext) -> RolloutSubject {
    RolloutSubject(context, owner: compiled)
  }

  /// Decides one event. Allocates nothing; derives the unit's bucket each time.
  public func decision(for eventName: String, context: DecisionContext) -> SinkDecision {
    compiled?.decision(for: eventName, context: context) ?? fixed
  }

  /// Decides one event for a subject of this snapshot. Allocates nothing; costs a walk along the name's bytes.
  @_spi(Tools) public func decision(for eventName: String, subject: RolloutSubject) -> SinkDecision {
    compiled?.decision(for: eventName, subject: subject) ?? fixed
  }
}
