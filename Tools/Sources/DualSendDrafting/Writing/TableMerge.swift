package import DualSendCore
import DualSendRemapping

/// Merges a draft into an existing table. Keeps all existing bytes, and adds what is missing.
package struct TableMerge: Sendable {
  /// The merged table.
  package private(set) var bytes: [UInt8]
  /// The additions, one line each, sorted by event.
  package private(set) var added: [String] = []
  /// The claims that contradict an existing row, with its place. They are not added.
  package private(set) var findings: [DocumentDiagnostic] = []

  /// - Parameter sample: the pairs of the draft and the confidence, to detect contradictions; `nil` for a draft by
  ///   names.
  /// - Throws: the findings about the existing table.
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
      // Reports a row of `*` only for the first event that contradicts it.
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
    // Detects all other conflicts before anything is written.
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
  /// A table contradicts the evidence.
  static let contradictedRow = DocumentDiagnostic.Code(rawValue: "DS1101")
}
