import DualSendCore

/// Reads a table into drafts and reports the errors of single entries.
package struct RemappingTableReader {
  package static let formatVersion: Int64 = 1

  var reader: DocumentReader
  /// The entries in the order of the document, without that of `*`.
  private(set) var drafts: [(event: String, draft: EventDraft)] = []
  private(set) var wildcard = EventDraft()

  init(_ bytes: some Sequence<UInt8>, name: String?, hasPlaces: Bool) throws(DocumentError) {
    reader = try DocumentReader(bytes, name: name)
    reader.hasPlaces = hasPlaces
    readDocument()
  }

  private mutating func readDocument() {
    guard reader.hasFormat(Self.formatVersion) else { return }
    let root = reader.document.root
    let known = ["$schema", "formatVersion", "events"]
    guard let members = reader.members(of: root, at: EventPath(), known: known) else { return }
    if let schema = members["$schema"] { _ = reader.string(schema.value, at: EventPath([.key("$schema")])) }
    let path = EventPath([.key("events")])
    guard
      let events = reader.member(
        "events", of: members, in: root, at: EventPath(), help: "add `\"events\": {}` and an entry for each event")
    else { return }
    for entry in reader.entries(events.value, at: path) ?? [] { readEvent(entry, at: path.appending(entry.key)) }
  }

  private mutating func readEvent(_ entry: JSONNode.Member, at path: EventPath) {
    if entry.key.isEmpty || (entry.key.hasSuffix("*") && entry.key != EventDraft.wildcardName) {
      reader.report(
        .invalidEventName, "no event has the name `\(entry.key)`", at: entry.keyOffset, path: path,
        help: "an entry is about one event, or about all if it is named `*`")
    }
    let known = ["name", "parameters", "add", "unmapped", "onClash", "allow"]
    guard let members = reader.members(of: entry.value, at: path, known: known) else { return }
    var draft = EventDraft()
    if let name = members["name"] { draft.newName = readName(name, of: entry.key, at: path.appending("name")) }
    if let rows = members["parameters"] { draft.rows = readRows(rows.value, at: path.appending("parameters")) }
    if let constants = members["add"] { draft.constants = readConstants(constants.value, at: path.appending("add")) }
    draft.unmapped = members["unmapped"].flatMap {
      reader.word($0.value, at: path.appending("unmapped"), code: .unknownWord)
    }
    draft.clashPolicy = members["onClash"].flatMap {
      reader.word($0.value, at: path.appending("onClash"), code: .unknownWord)
    }
    reader.readAllowance(members["allow"], at: path)
    if entry.key == EventDraft.wildcardName { wildcard = draft } else { drafts.append((entry.key, draft)) }
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
  ) -> [EventDraft.Placed<EventRule.Constant>] {
    let members = reader.entries(node, at: path) ?? []
    return members.compactMap { member in
      let path = path.appending(member.key)
      guard let target = pattern(member.key, at: member.keyOffset, path: path) else { return nil }
      if target.arrayCount > 0 {
        reader.report(
          .unevenArrays, "a constant cannot go into every element of `\(target)`", at: member.keyOffset, path: path,
          help: "name a place outside of arrays")
      }
      let constant = EventRule.Constant(target: target, value: member.value.eventValue)
      return EventDraft.Placed(
        content: constant, offset: member.keyOffset, path: path, label: "add." + member.key)
    }
  }

  /// Parses a path, or reports an error.
  mutating func pattern(_ text: String, at offset: Int, path: EventPath) -> KeyPathPattern? {
    do {
      return try KeyPathPattern(text)
    } catch {
      reader.report(
        .invalidPath, "`\(text)` is not a path: \(error)", at: offset, path: path, help: error.help)
      return nil
    }
  }
}
