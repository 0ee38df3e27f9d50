package import DualSendCore

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
  ) -> [EventDraft.Located<EventRule.Constant>] {
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
      return EventDraft.Located(
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

// MARK: - Rows

/// The rows of one event.
extension RemappingTableReader {
  mutating func readRows(_ node: JSONNode, at path: EventPath) -> [EventDraft.Located<RemappingRow>] {
    let members = reader.entries(node, at: path) ?? []
    return members.flatMap { member -> [EventDraft.Located<RemappingRow>] in
      let path = path.appending(member.key)
      guard let source = pattern(member.key, at: member.keyOffset, path: path),
        let action = readAction(member, source: source, at: path)
      else { return [] }
      let first = EventDraft.Located(
        content: RemappingRow(source: source, action: action), offset: member.keyOffset, path: path,
        label: member.key)
      return [first] + readAlternatives(to: first, in: member.value)
    }
  }

  /// A row for each further source of a row, in order.
  private mutating func readAlternatives(
    to row: EventDraft.Located<RemappingRow>, in node: JSONNode
  ) -> [EventDraft.Located<RemappingRow>] {
    guard case .object(let members) = node.content, let member = members.first(where: { $0.key.isExactly("or") }) else {
      return []
    }
    let path = row.path.appending("or")
    guard case .array(let elements) = member.value.content else {
      reader.wrongType(member.value, at: path, expected: "an array of keys")
      return []
    }
    if elements.isEmpty {
      reader.report(.noAlternatives, "`or` names no key", at: member.value.offset, path: path, help: "leave `or` out")
    }
    return elements.enumerated().compactMap { index, element in
      guard let text = reader.string(element, at: path),
        let source = pattern(text, at: element.offset, path: path)
      else { return nil }
      if source.arrayCount != row.content.source.arrayCount {
        reader.report(
          .unevenArrays,
          "`\(source)` walks over \(Self.arrays(source.arrayCount)), `\(row.content.source)` over "
            + Self.arrays(row.content.source.arrayCount), at: element.offset, path: path,
          help: "all sources need the same number of `[]`")
      }
      return EventDraft.Located(
        content: RemappingRow(source: source, action: row.content.action, rank: index + 1), offset: element.offset,
        path: row.path, label: text)
    }
  }

  private mutating func readAction(
    _ member: JSONNode.Member, source: KeyPathPattern, at path: EventPath
  ) -> RemappingRow.Action? {
    switch member.value.content {
    case .null: return .drop
    case .string(let text):
      let target = readTarget(text, at: member.value.offset, source: source, path: path)
      return target.map { .move(to: $0, nil) }
    case .object: return readMove(member.value, source: source, at: path)
    default:
      reader.wrongType(member.value, at: path, expected: "a new name, `null` or an object with `to`")
      return nil
    }
  }

  private mutating func readMove(
    _ node: JSONNode, source: KeyPathPattern, at path: EventPath
  ) -> RemappingRow.Action? {
    guard let members = reader.members(of: node, at: path, known: ["to", "or", "type", "values", "default", "allow"])
    else { return nil }
    reader.readAllowance(members["allow"], at: path)
    let type: ValueType? = members["type"].flatMap {
      reader.word($0.value, at: path.appending("type"), code: .unknownType, kind: "type")
    }
    let table = members["values"].flatMap { readTable($0.value, type: type, at: path.appending("values")) }
    let fallback = members["default"].flatMap { readDefault($0.value, type: type, at: path.appending("default")) }
    guard
      let to = reader.member(
        "to", of: members, in: node, at: path,
        help: "add `\"to\": \"…\"`; write `null` in place of the object to drop the value")
    else { return nil }
    let toPath = path.appending("to")
    guard let text = reader.string(to.value, at: toPath),
      let target = readTarget(text, at: to.value.offset, source: source, path: toPath)
    else { return nil }
    let isPlain = type == nil && table == nil && fallback == nil
    return .move(to: target, isPlain ? nil : ValueRule(type: type, table: table, fallback: fallback))
  }

  private mutating func readTarget(
    _ text: String, at offset: Int, source: KeyPathPattern, path: EventPath
  ) -> KeyPathPattern? {
    guard let target = pattern(text, at: offset, path: path) else { return nil }
    if target.arrayCount != source.arrayCount {
      reader.report(
        .unevenArrays,
        "`\(source)` walks over \(Self.arrays(source.arrayCount)), `\(target)` over \(Self.arrays(target.arrayCount))",
        at: offset, path: path, help: "both paths need the same number of `[]`")
    }
    return target
  }

  private mutating func readTable(
    _ node: JSONNode, type: ValueType?, at path: EventPath
  ) -> [String: EventValue]? {
    guard let entries = reader.entries(node, at: path) else { return nil }
    if entries.isEmpty {
      reader.report(
        .unfitValueTable, "the value table is empty", at: node.offset, path: path, help: "leave `values` out")
    }
    var table: [String: EventValue] = [:]
    for member in entries {
      switch member.value.content {
      case .array, .object:
        reader.report(
          .unfitValueTable, "a value table cannot hold \(member.value.typeDescription)", at: member.value.offset,
          path: path.appending(member.key))
      default:
        table[member.key] = constant(
          member.value, type: type, code: .unfitValueTable, at: path.appending(member.key))
      }
    }
    return table
  }

  private mutating func readDefault(_ node: JSONNode, type: ValueType?, at path: EventPath) -> EventValue? {
    if case .null = node.content {
      reader.report(
        .unfitDefault, "`null` cannot be a default", at: node.offset, path: path,
        help: "leave `default` out: what is absent stays absent")
      return nil
    }
    return constant(node, type: type, code: .unfitDefault, at: path)
  }

  private mutating func constant(
    _ node: JSONNode, type: ValueType?, code: DocumentDiagnostic.Code, at path: EventPath
  ) -> EventValue? {
    guard let type else { return node.eventValue }
    if let value = type.constant(node.eventValue) { return value }
    reader.report(
      code, "the row's type is \(type.rawValue), this is \(node.typeDescription)", at: node.offset, path: path,
      help: type == .date ? "write an RFC 3339 text such as `2026-01-31T12:00:00Z`" : nil)
    return nil
  }

  private static func arrays(_ count: Int) -> String {
    count == 0 ? "no array" : count == 1 ? "one array" : "\(count) arrays"
  }
}

// MARK: - Row

extension EventValue {
  /// A row as a document has it: the target alone if nothing else is set.
  ///
  /// - Parameter alternatives: the further sources.
  package static func row(
    to target: String, or alternatives: [String] = [], type: ValueType?, values: [String: EventValue]?,
    default fallback: EventValue?
  ) -> EventValue {
    var members: [String: EventValue] = ["to": .string(target)]
    if !alternatives.isEmpty { members["or"] = .array(alternatives.map { .string($0) }) }
    members["type"] = type.map { .string($0.rawValue) }
    members["values"] = values.map { .object($0) }
    members["default"] = fallback
    return members.count == 1 ? .string(target) : .object(members)
  }
}
