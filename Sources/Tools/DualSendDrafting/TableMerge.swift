import DualSendCommandLine
package import DualSendCore
import DualSendRemapping
import DualSendTables

/// Merges a draft into an existing table. Keeps all existing bytes, and adds what is missing.
package struct TableMerge: Sendable {
  /// The merged table.
  package private(set) var bytes: [UInt8]
  /// The additions, one line each, sorted by event.
  package private(set) var added: [String] = []
  /// The drafted rows that contradict an existing row, with its place. They are not added.
  package private(set) var findings: [DocumentDiagnostic] = []

  /// - Throws: the findings about the existing table.
  package init(_ draft: TableDraft, into bytes: [UInt8], name: String) throws(DocumentError) {
    let table = try RemappingTable(reading: bytes, name: name)
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
      // Reports a row of `*` only for the first event that contradicts it.
      let known = Set(places.map(\.offset))
      places += comparison.contradictions.filter { !known.contains($0.offset ?? -1) }.map { contradiction in
        let finding = DocumentDiagnostic(
          .warning, .contradictedRow, contradiction.message, file: name,
          path: EventPath([.key("events"), .key(event.name)]), notes: [contradiction.reason],
          help: "nothing was changed: correct the row, or leave it if the names do not mean the same")
        return (finding, contradiction.offset ?? entry?.keyOffset ?? 0)
      }
      added += missing.additions(isNew: entry == nil)
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
    _ = try RemappingTable(reading: result, name: name)
    self.bytes = result
  }
}

extension DraftedEvent {
  fileprivate func additions(isNew: Bool) -> [String] {
    let deeds = (newName.map { ["the new name `\($0)`"] } ?? []) + rows.map(\.deed)
    return deeds.isEmpty && isNew ? ["\(name): an entry, nothing changes"] : deeds.map { "\(name): \($0)" }
  }

  fileprivate func insert(into entry: JSONNode, by insertion: inout ObjectInsertion) {
    var members: [(key: String, value: EventValue)] = []
    if let newName { members.append(("name", .string(newName))) }
    let added = rows.map { ($0.source.description, $0.json) }
    if let object = entry.member("parameters")?.value {
      insertion.add(added, to: object)
    } else if !added.isEmpty {
      members.append(("parameters", .object(Dictionary(added, uniquingKeysWith: { first, _ in first }))))
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
  /// A table contradicts a drafted row.
  static let contradictedRow = DocumentDiagnostic.Code(rawValue: "DS1101")
}

// MARK: - What the table has

/// Compares a drafted event with an existing rule: what the rule lacks, and what contradicts it.
private struct WrittenComparison {
  /// A drafted name or row that an existing row excludes.
  struct Contradiction {
    let message: String
    let reason: String
    /// The offset of the existing row, if found.
    let offset: Int?
  }

  private let rule: EventRule
  private let own: JSONNode?
  private let shared: JSONNode?
  private(set) var contradictions: [Contradiction] = []

  /// - Parameters:
  ///   - rule: the event's rule, including the rows of `*`.
  ///   - own: the event's entry.
  ///   - shared: the entry of `*`.
  init(_ rule: EventRule, own: JSONNode?, shared: JSONNode?) {
    (self.rule, self.own, self.shared) = (rule, own, shared)
  }

  /// The name and the rows that the rule neither contains nor excludes.
  mutating func missing(of event: DraftedEvent) -> DraftedEvent {
    var missing = event
    if let newName = event.newName, let written = rule.name {
      missing.newName = nil
      if !newName.isExactly(written) {
        report(
          "the table names it `\(written)`, the draft `\(newName)`", event.naming?.text ?? "",
          at: own?.member("name")?.value.offset)
      }
    }
    missing.rows = event.rows.filter { isMissing($0) }
    return missing
  }

  private mutating func isMissing(_ row: DraftedEvent.Row) -> Bool {
    let action = RemappingRow.Action.move(to: row.target, row.type.map { ValueRule(type: $0) })
    let isWritten = row.sources.allSatisfy { source in
      rule.rows.contains { $0.source == source && $0.action == action }
    }
    if isWritten { return false }
    // Nothing is wrong if the table does more to the key than to keep it.
    if row.isIdle { return !isTaken(row.source) }
    for written in rule.rows
    where row.sources.contains(where: written.source.overlaps) || written.target?.overlaps(row.target) == true {
      return excluded(row, by: "row of", written.source, in: "parameters")
    }
    if let constant = rule.constants.first(where: { $0.target.overlaps(row.target) }) {
      return excluded(row, by: "constant", constant.target, in: "add")
    }
    return true
  }

  /// Whether a row or a constant has this place, or one inside it or around it.
  private func isTaken(_ place: KeyPathPattern) -> Bool {
    rule.rows.contains { $0.source.overlaps(place) || $0.target?.overlaps(place) == true }
      || rule.constants.contains { $0.target.overlaps(place) }
  }

  /// Reports a drafted row that a row or a constant at a path excludes.
  private mutating func excluded(
    _ row: DraftedEvent.Row, by kind: String, _ path: KeyPathPattern, in list: String
  ) -> Bool {
    report("the \(kind) `\(path)` contradicts the draft: \(row.deed)", row.finding.text, at: offset(of: path, in: list))
    return false
  }

  private mutating func report(_ message: String, _ reason: String, at offset: Int?) {
    contradictions.append(Contradiction(message: message, reason: reason, offset: offset))
  }

  /// The offset of a row or a constant, in the event's own entry or in that of `*`.
  private func offset(of path: KeyPathPattern, in list: String) -> Int? {
    [own, shared].compactMap { entry in
      entry?.members(list).first { (try? KeyPathPattern($0.key)) == path }?.keyOffset
    }.first
  }
}

extension RemappingRow {
  fileprivate var target: KeyPathPattern? {
    if case .move(let target, _) = action { target } else { nil }
  }
}

// MARK: - Insertion

/// Appends members to objects of a JSON text. All other bytes stay the same.
private struct ObjectInsertion {
  private let bytes: [UInt8]
  /// The insertions by byte offset.
  private var parts: [Int: String] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The text with all insertions.
  var result: [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for (offset, text) in parts.sorted(by: { $0.key < $1.key }) {
      result += bytes[position..<offset] + Array(text.utf8)
      position = offset
    }
    return result + bytes[position...]
  }

  /// Appends members to an object.
  mutating func add(_ members: [(key: String, value: EventValue)], to object: JSONNode) {
    guard case .object(let known) = object.content, !members.isEmpty else { return }
    let indent = known.last.flatMap { indentation(before: $0.keyOffset) }
    let texts = members.map { key, value in
      EventValue.string(key).canonicalText + ": " + Self.text(value, indent: indent ?? "")
    }
    let separator = indent.map { ",\n" + $0 } ?? ", "
    let text = texts.joined(separator: separator)
    let end = known.isEmpty ? object.offset + 1 : endOfLastMember(of: object)
    parts[end, default: ""] += known.isEmpty ? " " + text + " " : separator + text
  }

  private func endOfLastMember(of object: JSONNode) -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(bytes: buffer, range: object.offset..<buffer.count)
      _ = scanner.openObject()
      var end = object.offset + 1
      while let member = scanner.nextMember() { end = member.value.upperBound }
      return end
    }
  }

  /// The indentation before an offset; `nil` if the line has other text before it.
  private func indentation(before offset: Int) -> String? {
    let line = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)..<offset] }
    guard let line, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  private static func text(_ value: EventValue, indent: String) -> String {
    let lines = IndentedJSON.text(value, lineLength: 80, firstKeys: TableDraft.firstKeys).split(separator: "\n")
    return lines.joined(separator: "\n" + indent)
  }
}
