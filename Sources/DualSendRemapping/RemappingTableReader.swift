@_spi(Tools) import DualSendCore

/// Takes a table's text apart into drafts and reports everything that is wrong with single entries.
struct RemappingTableReader {
  static let formatVersion: Int64 = 1

  var reader: DocumentReader
  private(set) var drafts: [String: EventDraft] = [:]

  init(_ bytes: some Sequence<UInt8>, name: String?) throws(DocumentError) {
    reader = try DocumentReader(bytes, name: name)
    readDocument()
  }

  private mutating func readDocument() {
    let root = reader.document.root
    let known = ["$schema", "formatVersion", "events"]
    guard let members = reader.members(of: root, at: EventPath(), known: known) else { return }
    if let schema = members["$schema"] { _ = reader.string(schema.value, at: EventPath([.key("$schema")])) }
    readFormatVersion(members["formatVersion"], of: root)
    let path = EventPath([.key("events")])
    guard let events = members["events"] else {
      reader.report(.missingKey, "`events` is missing", at: root.offset, path: EventPath())
      return
    }
    guard case .object(let entries) = events.value.content else {
      reader.wrongType(events.value, at: path, expected: "an object")
      return
    }
    for entry in entries { readEvent(entry, at: path.appending(entry.key)) }
  }

  private mutating func readFormatVersion(_ member: JSONNode.Member?, of root: JSONNode) {
    let path = EventPath([.key("formatVersion")])
    guard let member else {
      reader.report(
        .missingKey, "`formatVersion` is missing", at: root.offset, path: EventPath(),
        help: "add `\"formatVersion\": \(Self.formatVersion)`")
      return
    }
    guard let version = reader.integer(member.value, at: path), version != Self.formatVersion else { return }
    reader.report(
      .unsupportedFormat, "format version \(version) cannot be read", at: member.value.offset, path: path,
      help: "this version reads format \(Self.formatVersion)")
  }

  private mutating func readEvent(_ entry: JSONNode.Member, at path: EventPath) {
    if entry.key.isEmpty || (entry.key.hasSuffix("*") && entry.key != EventDraft.wildcardName) {
      reader.report(
        .invalidEventName, "no event has the name `\(entry.key)`", at: entry.keyOffset, path: path,
        help: "an entry is about one event, or about all if it is named `*`")
    }
    let known = ["name", "parameters", "add", "unmapped", "onClash"]
    guard let members = reader.members(of: entry.value, at: path, known: known) else { return }
    var draft = EventDraft()
    if let name = members["name"] { draft.newName = readName(name, of: entry.key, at: path.appending("name")) }
    if let rows = members["parameters"] { draft.rows = readRows(rows.value, at: path.appending("parameters")) }
    if let constants = members["add"] { draft.constants = readConstants(constants.value, at: path.appending("add")) }
    draft.unmapped = members["unmapped"].flatMap { word($0.value, at: path.appending("unmapped")) }
    draft.clashPolicy = members["onClash"].flatMap { word($0.value, at: path.appending("onClash")) }
    drafts[entry.key] = draft
  }

  private mutating func readName(_ member: JSONNode.Member, of event: String, at path: EventPath) -> String? {
    guard let name = reader.string(member.value, at: path) else { return nil }
    if event == EventDraft.wildcardName {
      reader.report(
        .invalidEventName, "`*` cannot give every event one name", at: member.keyOffset, path: path,
        help: "give new names to events one by one")
    } else if name.isEmpty {
      reader.report(.invalidEventName, "the new name is empty", at: member.value.offset, path: path)
    }
    return name
  }

  private mutating func readConstants(
    _ node: JSONNode, at path: EventPath
  ) -> [EventDraft.Placed<EventDraft.Constant>] {
    guard case .object(let members) = node.content else {
      reader.wrongType(node, at: path, expected: "an object")
      return []
    }
    return members.compactMap { member in
      let path = path.appending(member.key)
      guard let target = pattern(member.key, at: member.keyOffset, path: path) else { return nil }
      if target.arrayCount > 0 {
        reader.report(
          .unevenArrays, "a constant cannot go into every element of `\(target)`", at: member.keyOffset, path: path,
          help: "name a place outside of arrays")
      }
      let constant = EventDraft.Constant(target: target, value: member.value.eventValue)
      return EventDraft.Placed(
        content: constant, offset: member.keyOffset, path: path, label: "add." + member.key)
    }
  }

  /// Reads a path, or reports why it is none.
  mutating func pattern(_ text: String, at offset: Int, path: EventPath) -> KeyPathPattern? {
    do {
      return try KeyPathPattern(text)
    } catch {
      reader.report(
        .invalidPath, "`\(text)` is not a path: \(error)", at: offset, path: path, help: error.help)
      return nil
    }
  }

  /// Reads one of a few words, or reports it.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ node: JSONNode, at path: EventPath, code: DocumentDiagnostic.Code = .unknownWord
  ) -> Word? where Word.RawValue == String {
    guard let text = reader.string(node, at: path) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map(\.rawValue)
    let nearest = nearestWord(to: text, among: known).map { "did you mean `\($0)`? " } ?? ""
    let subject = code == .unknownType ? "unknown type" : "unknown word"
    reader.report(
      code, "\(subject) `\(text)`", at: node.offset, path: path,
      help: nearest + "one of " + known.map { "`\($0)`" }.joined(separator: ", "))
    return nil
  }
}
