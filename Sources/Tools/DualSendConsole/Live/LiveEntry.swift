import DualSend
import DualSendCore
import DualSendParity
import DualSendRollout

/// How an event of only one stream was counted, so that it can be taken back.
struct CountedUnpaired: Sendable {
  let membership: EventMembership
  let unit: String?
}

/// An event with its old side, its new side, or both.
struct LiveEntry: Sendable {
  /// The state of an event.
  enum State: String, Sendable, Hashable, CaseIterable {
    /// Both sides arrived, and the new one equals the remapped old one.
    case matched
    /// Both sides arrived, and they differ.
    case differs
    /// Both sides arrived and were not compared: there is no table, or a payload is not kept. Nothing is known of it.
    case uncompared
    /// The other side has not arrived yet.
    case waiting
    /// The other side is expected, and did not arrive in time.
    case lost
    /// A side arrived that was not expected.
    case unexpected
    /// The only expected side arrived.
    case alone
    /// The other side did not arrive in time, and the revisions that may have been in force disagree about it.
    case undecided
    /// The other side did not arrive in time, and the event's unit is unknown.
    case withoutUnit

    /// The state's name on the page.
    var word: String {
      switch self {
      case .withoutUnit: "unit unknown"
      case .uncompared: "not compared"
      default: rawValue
      }
    }

    init(_ verdict: UnpairedVerdict) {
      self =
        switch verdict {
        case .oneSided: .alone
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
  /// The app's decision as each side carries it.
  var carried: (old: CarriedDecision?, new: CarriedDecision?)
  var oldName: String?
  var newName: String?
  var decision: LiveDecision?
  var state = State.waiting
  /// What else holds of an unexpected pair: it differs too, or was not compared.
  var also: State?
  /// How it is counted as an event of only one stream; `nil` if it is not counted so.
  var countedUnpaired: CountedUnpaired?
  var old: LivePayload?
  var new: LivePayload?

  init(id: EventID, time: Int64) {
    (self.id, self.time) = (id, time)
  }

  /// Notes what a comparison found of a pair, which may have a side that was not expected.
  mutating func place(_ misplaced: State?, _ found: State) {
    state = misplaced ?? found
    also = misplaced != nil && found != .matched ? found : nil
  }

  /// The states by which it is found and counted.
  var states: [State] { [state] + (also.map { [$0] } ?? []) }

  /// Whether the other side may still arrive and change the counts.
  var isOpen: Bool { (oldName == nil || newName == nil) && state != .alone }

  /// The side that arrived, of an event with one side.
  var onlySide: StreamSide { oldName == nil ? .new : .old }

  /// The memory of its payloads.
  var payloadBytes: Int { (old?.memoryBytes ?? 0) + (new?.memoryBytes ?? 0) }

  /// The entry for the page.
  var json: EventValue {
    [
      "sequence": .int(sequence), "id": .string(id.description), "time": .int(time),
      "unit": unit.map { .string($0) } ?? .null, "oldName": oldName.map { .string($0) } ?? .null,
      "newName": newName.map { .string($0) } ?? .null, "state": .string(state.rawValue),
      "also": also.map { .string($0.rawValue) } ?? .null,
      "outcome": decision.map { .string($0.outcome.rawValue) } ?? .null,
      "reason": (decision?.reason).map { .string($0) } ?? .null,
    ]
  }
}

/// The sinks of an event, and the reason.
enum LiveDecision: Sendable {
  /// The decision that the event carries, with that of its revision's document, if known.
  case carried(CarriedDecision, SinkDecision?, by: RolloutSnapshot?)
  /// The decision of the document in force when the event arrived.
  case computed(SinkDecision, by: RolloutSnapshot)
  /// The decision that the app's mirror reported.
  case mirrored(SinkDecision.Outcome, reason: String?)

  var outcome: SinkDecision.Outcome {
    switch self {
    case .carried(let carried, _, _): SinkDecision.Outcome(oldLogger: carried.oldLogger, newTracker: carried.newTracker)
    case .computed(let decision, _): decision.outcome
    case .mirrored(let outcome, _): outcome
    }
  }

  /// One line per flag.
  var reason: String? {
    switch self {
    case .carried(let carried, let decision?, let snapshot?) where decision.outcome == outcome && carried.reason == nil:
      snapshot.explanation(of: decision).description
    case .carried(let carried, _, _):
      (carried.revision.map { "revision \($0)" } ?? "no document")
        + (carried.reason.map { ", \($0.word)" } ?? "")
    case .computed(let decision, let snapshot): snapshot.explanation(of: decision).description
    case .mirrored(_, let reason): reason
    }
  }
}

/// A payload stored as canonical JSON.
struct LivePayload: Sendable {
  private enum Place {
    case memory([UInt8])
    case disk(SpillFile.Block)
    case lost
  }

  private var place: Place

  /// - Parameter limit: a longer payload is kept on disk, in bytes.
  init(_ members: [String: EventValue], limit: Int, disk: SpillFile?) {
    place = .memory(EventValue.object(members).canonicalJSON)
    if memoryBytes > limit { move(to: disk) }
  }

  var memoryBytes: Int { if case .memory(let bytes) = place { bytes.count } else { 0 } }

  /// The payload; `nil` if it is not kept.
  func members(on disk: SpillFile?) -> [String: EventValue]? {
    let bytes: [UInt8]? =
      switch place {
      case .memory(let bytes): bytes
      case .disk(let block): disk?.bytes(of: block)
      case .lost: nil
      }
    guard let bytes, case .object(let members)? = try? JSONReader().value(bytes) else { return nil }
    return members
  }

  /// Frees its memory. Without room on disk, the payload is lost.
  mutating func move(to disk: SpillFile?) {
    guard case .memory(let bytes) = place else { return }
    place = bytes.withUnsafeBytes { try? disk?.append($0) }.map(Place.disk) ?? .lost
  }
}
