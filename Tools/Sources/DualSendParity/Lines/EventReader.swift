import DualSendCore
import DualSendRemapping

/// A parsed line.
struct ParsedEvent {
  let record: LineRecord
  /// The event id, or the number of the line if it has none.
  let id: String
  let name: String
  let newName: String
  /// The decision that the line carries, if any.
  let stamp: DecisionStamp?
  /// The new payload, or the old one after the table.
  let payload: [String: EventValue]
}

/// Parses lines, and applies the table to those of ``StreamForm/legacy``.
struct EventReader {
  private let table: RemappingTable
  private let join: JoinRule
  private let keys: LineKeys
  private var stamps = StampReader()

  init(_ comparer: ParityComparer, _ keys: LineKeys) {
    (table, join, self.keys) = (comparer.table, comparer.join, keys)
  }

  mutating func stamp(of line: EventLine) -> DecisionStamp? { stamps.stamp(of: line) }

  /// Parses a line; `nil` if it is not a valid event.
  mutating func event(_ record: LineRecord) -> ParsedEvent? {
    let (line, header) = (record.line, record.header)
    guard let name = line.eventName, var payload = line.payload else { return nil }
    var id = line.eventID
    var newName = name
    var stamp = stamps.stamp(of: line)
    if keys.form(of: header.side) == .legacy {
      if case .eventID(let parameter?) = join {
        id = payload.removeValue(forKey: parameter)?.text
        let inPayload = StampReader.take(from: &payload)
        stamp = stamp ?? inPayload
      }
      let remapped = table.apply(to: name, payload: payload)
      (newName, payload) = (remapped.name, remapped.payload)
    }
    return ParsedEvent(
      record: record, id: id ?? "\(header.side.word) line \(header.line)", name: name, newName: newName, stamp: stamp,
      payload: payload)
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
