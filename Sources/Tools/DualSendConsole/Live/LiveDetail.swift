import DualSend
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendRollout

extension LiveComparison {
  /// The answer to `api/live/ID`: an entry with its payloads, and each field with its row; `nil` if it is not kept.
  ///
  /// - Parameter showsValues: if `false`, every value is replaced by its type.
  func detail(_ id: EventID, showsValues: Bool) -> EventValue? {
    guard let entry = store[id], case .object(var members) = entry.json else { return nil }
    let detail = LiveDetail(entry, disk, table, showsValues: showsValues)
    members.merge(detail.members) { _, new in new }
    return .object(members)
  }
}

/// An entry for the detail view.
private struct LiveDetail {
  private let entry: LiveEntry
  private let old: EventValue?
  private let new: EventValue?
  private let expected: RemappedEvent?
  private let trace: RemappingTrace?
  private let table: LiveTable?
  private let showsValues: Bool

  init(_ entry: LiveEntry, _ disk: SpillFile?, _ table: LiveTable?, showsValues: Bool) {
    (self.entry, self.table, self.showsValues) = (entry, table, showsValues)
    let oldMembers = entry.old?.members(on: disk)
    old = oldMembers.map { .object($0) }
    new = (entry.new?.members(on: disk)).map { .object($0) }
    if let table, let name = entry.oldName, let oldMembers {
      let (remapped, trace) = table.table.trace(name, payload: oldMembers)
      (expected, self.trace) = (remapped, trace)
    } else {
      (expected, trace) = (nil, nil)
    }
  }

  var members: [String: EventValue] {
    [
      "old": shown(old), "new": shown(new), "expected": shown(expectedPayload),
      "expectedName": expected.map { .string($0.name) } ?? .null, "fields": .array(fields),
      "decision": decision, "valuesHidden": .bool(!showsValues),
      "cut": .array(
        [("old", entry.oldName, old), ("new", entry.newName, new)].filter { $0.1 != nil && $0.2 == nil }.map {
          .string($0.0)
        }),
    ]
  }

  private var expectedPayload: EventValue? { expected.map { .object($0.payload) } }

  private func shown(_ value: EventValue?) -> EventValue {
    guard let value else { return .null }
    return showsValues ? value : value.hidden
  }

  /// The fields of the new side with their old fields, then the dropped old fields.
  private var fields: [EventValue] {
    guard let trace, let expected else { return lone }
    let origins = Dictionary(trace.outputs.map { ($0.path, $0.origin) }, uniquingKeysWith: { first, _ in first })
    let compared: [ComparedField]
    if case .object(let actual)? = new {
      compared = ComparedField.all(expected: expected.payload, actual: actual, table?.normalisation ?? .none)
    } else {
      compared = trace.outputs.map { ComparedField(path: $0.path, outcome: .missing) }
    }
    let made = compared.map { field -> EventValue in
      let origin = origins[field.path]
      let outcome = entry.newName == nil ? "pending" : field.outcome.rawValue
      return self.field(field.path, origin, outcome: outcome)
    }
    return made + dropped(trace)
  }

  private func field(_ path: EventPath, _ origin: RemappingTrace.Origin?, outcome: String) -> EventValue {
    let source: EventPath? =
      switch origin {
      case .row(let source, _)?: source
      case .unmapped?: path
      case .defaultValue?, .constant?, nil: nil
      }
    let row = origin.flatMap { origin in entry.oldName.flatMap { table?.row($0, origin) } }
    return [
      "path": .string(path.description), "oldPath": source.map { .string($0.description) } ?? .null,
      "old": shown(source.flatMap { old?.value(at: $0) }), "expected": shown(expectedPayload?.value(at: path)),
      "new": shown(new?.value(at: path)), "outcome": .string(outcome), "row": row?.json ?? .null,
    ]
  }

  private func dropped(_ trace: RemappingTrace) -> [EventValue] {
    trace.inputs.compactMap { input in
      switch input.destination {
      case .moved, .kept: return nil
      case .dropped, .droppedUnmapped, .yielded, .lost:
        let row = entry.oldName.flatMap { table?.row($0, .row(source: input.path, .unchanged)) }
        return [
          "path": .null, "oldPath": .string(input.path.description), "old": shown(old?.value(at: input.path)),
          "expected": .null, "new": .null, "outcome": "dropped", "row": row?.json ?? .null,
        ]
      }
    }
  }

  /// The fields of a new side without an old side.
  private var lone: [EventValue] {
    guard case .object(let members)? = new else { return [] }
    return ComparedField.all(expected: members, actual: members).map { field in
      [
        "path": .string(field.path.description), "oldPath": .null, "old": .null, "expected": .null,
        "new": shown(new?.value(at: field.path)), "outcome": "uncompared", "row": .null,
      ]
    }
  }

  private var decision: EventValue {
    switch entry.decision {
    case nil: return .null
    case .carried(let carried, _, _)?:
      return [
        "outcome": (entry.decision?.outcome).map { .string($0.rawValue) } ?? .null,
        "reason": (entry.decision?.reason).map { .string($0) } ?? .null, "by": "event",
        "revision": carried.revision.map { .int($0) } ?? .null, "carried": .string(carried.description),
      ]
    case .mirrored(let outcome, let reason)?:
      return [
        "outcome": .string(outcome.rawValue), "reason": reason.map { .string($0) } ?? .null, "by": "mirror",
      ]
    case .computed(let decision, let snapshot)?:
      let explanation = snapshot.explanation(of: decision)
      return [
        "outcome": .string(decision.outcome.rawValue), "reason": .string(explanation.description), "by": "document",
        "revision": snapshot.revision.map { .int($0) } ?? .null,
        "bucket": decision.bucket.map { .int(Int64($0)) } ?? .null,
      ]
    }
  }
}

extension EventValue {
  /// The value with every scalar replaced by its type, for pages that hide values.
  var hidden: EventValue {
    switch self {
    case .null: .string("‹null›")
    case .bool: .string("‹true or false›")
    case .int, .uint: .string("‹whole number›")
    case .double: .string("‹number›")
    case .date: .string("‹time›")
    case .string(let text): .string("‹text, \(text.count) character\(text.count == 1 ? "" : "s")›")
    case .array(let elements): .array(elements.map(\.hidden))
    case .object(let members): .object(members.mapValues(\.hidden))
    }
  }
}
