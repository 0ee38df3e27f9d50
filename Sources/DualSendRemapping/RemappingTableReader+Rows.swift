import DualSendCore

/// The rows of one event.
extension RemappingTableReader {
  mutating func readRows(_ node: JSONNode, at path: EventPath) -> [EventDraft.Placed<RemappingRow>] {
    let members = reader.entries(node, at: path) ?? []
    return members.compactMap { member in
      let path = path.appending(member.key)
      guard let source = pattern(member.key, at: member.keyOffset, path: path),
        let action = readAction(member, source: source, at: path)
      else { return nil }
      return EventDraft.Placed(
        content: RemappingRow(source: source, action: action), offset: member.keyOffset, path: path,
        label: member.key)
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
    guard let members = reader.members(of: node, at: path, known: ["to", "type", "values", "default", "allow"])
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
