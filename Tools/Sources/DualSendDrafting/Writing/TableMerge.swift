package import DualSendCore
import DualSendRemapping

/// A draft put into a table that people wrote: what they wrote stays byte for byte, what is missing is added.
package struct TableMerge: Sendable {
  /// The table's text with what was added.
  package private(set) var bytes: [UInt8]
  /// What was added, one line each, sorted by event.
  package private(set) var added: [String] = []
  /// What of the draft contradicts a row that is there, with that row's place; such is not added.
  package private(set) var findings: [DocumentDiagnostic] = []

  /// - Parameter sample: the pairs that the draft was made from, and how sure a contradiction must be; `nil` for a draft
  ///   by names.
  /// - Throws: what is wrong with the table that is there.
  package init(
    _ draft: TableDraft, into bytes: [UInt8], name: String,
    heldAgainst sample: (pairs: PairSample, confidence: DraftConfidence)? = nil
  ) throws(DocumentError) {
    let table = try RemappingTable(bytes, name: name)
    let document = try DocumentReader(bytes, name: name).document
    self.bytes = bytes
    guard let events = document.root.member("events")?.value else { return }
    let shared = events.member("*")?.value
    var insertion = ObjectInsertion(bytes)
    var places: [(finding: DocumentDiagnostic, offset: Int)] = []
    var entries: [(key: String, value: EventValue)] = []
    for event in draft.events where event.canBeNamed {
      let entry = events.member(event.name)
      var comparison = WrittenComparison(table.rule(for: event.name), own: entry?.value, shared: shared)
      let missing = comparison.missing(of: event)
      if let sample {
        comparison.refute(
          event.name, by: sample.pairs.events[ExactText(event.name)]?.learned ?? [], through: table, sample.confidence)
      }
      // A row of `*` is named once, by the first event that contradicts it.
      let known = Set(places.map(\.offset))
      places += comparison.contradictions.filter { !known.contains($0.offset ?? -1) }.map { contradiction in
        let finding = DocumentDiagnostic(
          .warning, .contradictedRow, contradiction.message, file: name,
          path: EventPath([.key("events"), .key(event.name)]), notes: [contradiction.reason],
          help: "nothing was changed: correct the row, or leave it if the evidence is about something else")
        return (finding, contradiction.offset ?? entry?.keyOffset ?? 0)
      }
      if missing.claimCount > 0 || entry == nil { added += missing.additions(isNew: entry == nil) }
      if let entry {
        missing.insert(into: entry.value, by: &insertion)
      } else {
        entries.append((event.name, missing.json(commented: true)))
      }
    }
    insertion.add(entries, to: events)
    let positions = document.source.positions(at: Set(places.map(\.offset)))
    findings = places.map { $0.finding.at(positions[$0.offset]) }.sorted()
    let result = insertion.result
    // Whatever else the rows have against each other is found here, before anything is written.
    _ = try RemappingTable(result, name: name)
    self.bytes = result
  }
}

extension DraftedEvent {
  fileprivate func additions(isNew: Bool) -> [String] {
    let deeds =
      (newName.map { ["the new name `\($0)`"] } ?? []) + rows.map(\.deed) + constants.map { "adds `\($0.target)`" }
    return deeds.isEmpty && isNew ? ["\(name): an entry, nothing changes"] : deeds.map { "\(name): \($0)" }
  }

  fileprivate func insert(into entry: JSONNode, by insertion: inout ObjectInsertion) {
    var members: [(key: String, value: EventValue)] = []
    if let newName { members.append(("name", .string(newName))) }
    let lists = [
      ("parameters", rows.map { ($0.source.description, $0.json) }),
      ("add", constants.map { ($0.target.description, $0.value) }),
    ]
    for (key, list) in lists where !list.isEmpty {
      if let object = entry.member(key)?.value {
        insertion.add(list, to: object)
      } else {
        members.append((key, .object(Dictionary(list, uniquingKeysWith: { first, _ in first }))))
      }
    }
    insertion.add(members, to: entry)
  }
}

extension DocumentDiagnostic {
  fileprivate func at(_ position: DocumentDiagnostic.Position?) -> DocumentDiagnostic {
    DocumentDiagnostic(severity, code, message, file: file, position: position, path: path, notes: notes, help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// What a table says and what the evidence says exclude each other.
  static let contradictedRow = DocumentDiagnostic.Code(rawValue: "DS1101")
}
