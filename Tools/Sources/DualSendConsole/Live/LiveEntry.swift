import DualSend
import DualSendCore
import DualSendParity
import DualSendRollout

/// One event as far as the console has seen it: its old side, its new side, or both.
struct LiveEntry: Sendable {
  /// How an event stands.
  enum State: String, Sendable, Hashable, CaseIterable {
    /// Both sides are there, and the new one is what the table makes of the old one.
    case matched
    /// Both sides are there and say different things.
    case differs
    /// The other side has not come yet.
    case waiting
    /// The other side should be there too, and has not come in time.
    case lost
    /// A side is there that should not be.
    case unexpected
    /// The one side that was asked for is there.
    case alone
    /// The other side has not come in time, and the revisions that could have been in force disagree about it.
    case undecided
    /// The other side has not come in time, and nothing says which unit the event is of.
    case withoutUnit

    /// What the page calls it.
    var word: String { self == .withoutUnit ? "unit unknown" : rawValue }

    init(_ verdict: LoneVerdict) {
      self =
        switch verdict {
        case .expected: .alone
        case .lost: .lost
        case .unexpected: .unexpected
        case .undecided: .undecided
        case .withoutUnit: .withoutUnit
        }
    }
  }

  let id: EventID
  /// Rises with every change of any entry.
  var sequence: Int64 = 0
  /// Milliseconds since 1970-01-01T00:00:00Z.
  var time: Int64
  var unit: String?
  /// Whether `unit` is known; an event may be known to have none.
  var isUnitKnown = false
  /// What each side says that the app decided.
  var stamps: (old: DecisionStamp?, new: DecisionStamp?)
  var oldName: String?
  var newName: String?
  var decision: LiveDecision?
  var state = State.waiting
  /// Whether both sides are there and nothing compared them: there is no table, or a payload was too large to keep.
  var isUncompared = false
  /// By what it was counted as an event that only one stream has; `nil` if it was not, or no longer is.
  var countedAloneIn: EventMembership?
  var old: LivePayload?
  var new: LivePayload?

  init(id: EventID, time: Int64) {
    (self.id, self.time) = (id, time)
  }

  /// Whether its other side may still come and change what is counted.
  var isOpen: Bool { (oldName == nil || newName == nil) && state != .alone }

  /// The side that is there of an event whose other side is missing.
  var loneSide: StreamSide { oldName == nil ? .new : .old }

  /// How many bytes its payloads take.
  var payloadBytes: Int { (old?.bytes.count ?? 0) + (new?.bytes.count ?? 0) }

  /// The entry as the page gets it.
  var json: EventValue {
    var members: [String: EventValue] = [
      "sequence": .int(sequence), "id": .string(id.description), "time": .int(time),
      "unit": unit.map { .string($0) } ?? .null, "oldName": oldName.map { .string($0) } ?? .null,
      "newName": newName.map { .string($0) } ?? .null, "state": .string(state.rawValue),
      "outcome": decision.map { .string($0.outcome.rawValue) } ?? .null,
      "reason": (decision?.reason).map { .string($0) } ?? .null,
    ]
    if isUncompared { members["uncompared"] = true }
    return .object(members)
  }
}

/// Where an event was sent, and why.
enum LiveDecision: Sendable {
  /// What the event itself says, with what the document of its revision decides, if that is known.
  case stamped(DecisionStamp, SinkDecision?, by: RolloutSnapshot?)
  /// Worked out from the document that was in force when the event came.
  case computed(SinkDecision, by: RolloutSnapshot)
  /// What the app's mirror said.
  case mirrored(SinkDecision.Outcome, reason: String?)

  var outcome: SinkDecision.Outcome {
    switch self {
    case .stamped(let stamp, _, _): SinkDecision.Outcome(oldLogger: stamp.oldLogger, newTracker: stamp.newTracker)
    case .computed(let decision, _): decision.outcome
    case .mirrored(let outcome, _): outcome
    }
  }

  /// One line a flag.
  var reason: String? {
    switch self {
    case .stamped(let stamp, let decision?, let snapshot?) where decision.outcome == outcome && stamp.reason == nil:
      snapshot.explanation(of: decision).description
    case .stamped(let stamp, _, _):
      (stamp.revision.map { "revision \($0)" } ?? "no document")
        + (stamp.reason.map { ", \($0.word)" } ?? "")
    case .computed(let decision, let snapshot): snapshot.explanation(of: decision).description
    case .mirrored(_, let reason): reason
    }
  }
}

/// A payload that is kept as text.
struct LivePayload: Sendable {
  /// Canonical JSON; empty if the payload was too large or had to make room.
  private(set) var bytes: [UInt8]
  /// Whether the payload is not kept.
  private(set) var isCut: Bool

  init(_ members: [String: EventValue], limit: Int) {
    bytes = EventValue.object(members).canonicalJSON
    isCut = bytes.count > limit
    if isCut { bytes = [] }
  }

  /// The payload; `nil` if it is not kept.
  var members: [String: EventValue]? {
    guard !isCut, case .object(let members)? = try? JSONReader().value(bytes) else { return nil }
    return members
  }

  /// Lets the payload go.
  mutating func cut() {
    (bytes, isCut) = ([], true)
  }
}
