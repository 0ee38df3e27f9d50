import DualSendCommandLine
package import DualSendCore
package import DualSendRemapping
package import Foundation

/// A parsed line.
struct ParsedEvent {
  let record: LineRecord
  /// The event id, or the number of the line if it has none.
  let id: String
  let name: String
  let newName: String
  /// The decision that the line carries, if any.
  let decision: CarriedDecision?
  /// Whether the old payload has a parameter for the decision that is none.
  let hasUnreadableDecision: Bool
  /// The new payload, or the old one after the table.
  let payload: [String: EventValue]
}

/// Parses lines, and applies the table to those of ``StreamForm/legacy``.
struct EventReader {
  private let table: RemappingTable
  private let join: JoinRule
  private let keys: LineKeys
  private var decisions = DecisionReader()

  init(_ comparer: ParityComparer, _ keys: LineKeys) {
    (table, join, self.keys) = (comparer.table, comparer.join, keys)
  }

  mutating func decision(of line: EventLine) -> CarriedDecision? { decisions.decision(of: line) }

  /// Parses a line; `nil` if it is not a valid event.
  mutating func event(_ record: LineRecord) -> ParsedEvent? {
    let (line, header) = (record.line, record.header)
    guard let name = line.eventName, var payload = line.payload else { return nil }
    var id = line.eventID
    var newName = name
    var decision = decisions.decision(of: line)
    var isUnreadable = false
    if keys.form(of: header.side) == .legacy {
      if case .eventID(let parameter?) = join {
        id = payload.removeValue(forKey: parameter)?.text
        let inPayload = DecisionReader.take(from: &payload)
        isUnreadable = inPayload == nil && payload.value(exactly: CarriedDecision.key).map { $0 != .null } ?? false
        decision = decision ?? inPayload
      }
      let remapped = table.apply(to: name, payload: payload)
      (newName, payload) = (remapped.name, remapped.payload)
    }
    return ParsedEvent(
      record: record, id: id ?? header.place, name: name, newName: newName,
      decision: decision, hasUnreadableDecision: isUnreadable, payload: payload)
  }
}

/// The old names of each new name.
struct OldNames {
  /// The old names of one new name.
  struct Names {
    /// All old names; the new name itself if there are none.
    let all: [String]
    /// The only old name; the new name if there are none or several.
    let single: String
  }

  private let names: [ExactText: [String]]

  init(_ table: RemappingTable) {
    names = Dictionary(grouping: table.rules.keys.sorted(by: String.byteOrder)) { old in
      ExactText(table.rule(for: old).name ?? old)
    }
  }

  subscript(newName: String) -> Names {
    let all = names[ExactText(newName)] ?? [newName]
    return Names(all: all, single: all.count == 1 ? all[0] : newName)
  }
}

// MARK: - Decision reader

/// Reads the decisions of lines. Caches them by text, because few texts occur in many lines.
package struct DecisionReader {
  private static let maximumKnown = 4096

  private var known: [TextHash: CarriedDecision?] = [:]

  /// The `decision` of a line; `nil` if it has none.
  mutating func decision(of line: EventLine) -> CarriedDecision? {
    guard let text = line.decision else { return nil }
    var key = TextHash()
    key.add(text)
    if let decision = known[key] { return decision }
    let decision: CarriedDecision? =
      if case .string(let text)? = ScalarText(text).value { CarriedDecision(text) } else { nil }
    if known.count < Self.maximumKnown { known[key] = decision }
    return decision
  }

  /// Whether a line has a `decision` that is none.
  mutating func isUnreadable(in line: EventLine) -> Bool {
    guard let text = line.decision, decision(of: line) == nil else { return false }
    return !text.elementsEqual("null".utf8)
  }

  /// The `decision` in the members of a line; `nil` if there is none.
  package static func decision(in members: [String: EventValue]) -> CarriedDecision? {
    guard case .string(let text)? = members["decision"] else { return nil }
    return CarriedDecision(text)
  }

  /// Removes the decision from an old payload and returns it; `nil` if there is no valid one.
  package static func take(from payload: inout [String: EventValue]) -> CarriedDecision? {
    guard case .string(let text)? = payload.value(exactly: CarriedDecision.key), let decision = CarriedDecision(text)
    else {
      return nil
    }
    payload.removeValue(forKey: CarriedDecision.key)
    return decision
  }
}

// MARK: - Dead letter lines

/// Dead letters as JSON lines of ``StreamForm/wire``, as `dualsend db letters --output` writes them.
package enum DeadLetterLines {
  /// The dead letters of a period by their new name, each by a hash of its id, which counts once, because exports may
  /// overlap; or of its unit, if it has one.
  ///
  /// A last line without a line feed that is not an event is ignored: it is still being written.
  ///
  /// - Parameter unit: the path of the unit in the payload; `nil` counts ids.
  /// - Throws: ``ParityError`` if a file cannot be read, or another line is not an event.
  package static func letters(
    in files: [URL], of period: ClosedRange<Int64>, unit: KeyPathPattern? = nil
  ) throws(ParityError) -> [String: Set<UInt64>] {
    try ParityError.wrapping {
      var letters: [String: Set<UInt64>] = [:]
      for file in files {
        var reader = try LineReader(file)
        var bad: Int?
        var last = 0
        reader.forEachLine { bytes, number, isCut in
          last = number
          guard bytes.contains(where: { $0 > 0x20 }) else { return }
          guard !isCut, let line = EventLine(bytes, form: .wire), let name = line.eventName, let id = line.eventID,
            let time = line.milliseconds
          else {
            bad = bad ?? number
            return
          }
          guard period.contains(time) else { return }
          let unit = unit.flatMap { path in line.payload.flatMap { path.value(in: $0)?.unitID } }
          letters[name, default: []].insert(TextHash(unit ?? id).low)
        }
        if let failure = reader.failure { throw failure }
        if let bad, !(reader.isUnfinished && bad == last) {
          throw ParityError(reason: "line \(bad) of \(file.path) is not a dead letter")
        }
      }
      return letters
    }
  }
}
