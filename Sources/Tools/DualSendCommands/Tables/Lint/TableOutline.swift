import DualSendCore
import DualSendRemapping
import DualSendTables

/// A remapping table as written, with the position of every entry and row.
struct TableOutline {
  /// The entry of one event, or of `*`.
  struct Event {
    let name: String
    let offset: Int
    let path: EventPath
    /// The new name, if the entry gives one.
    let newName: Located?
    /// The setting for values without a row.
    let unmapped: Located?
    let rows: [Row]
    /// The keys of `add`.
    let constants: [Located]
    /// Their values, by key.
    let constantValues: [ExactText: EventValue]
  }

  /// One row.
  struct Row {
    let source: KeyPathPattern
    /// The further sources of `or`.
    let alternatives: [Located]
    let offset: Int
    let path: EventPath
    /// `nil` if the row drops its value.
    let target: Located?
    let type: ValueType?
    let values: [JSONNode.Member]?
    let valuesOffset: Int
    let fallback: JSONNode?

    var isDrop: Bool { target == nil }
  }

  /// A text of the table and where it stands.
  struct Located {
    let text: String
    let offset: Int
    let path: EventPath
  }

  static let wildcard = "*"

  /// The entries in the order of the document, without that of `*`.
  private(set) var events: [Event] = []
  private(set) var shared: Event?

  /// - Parameter root: an accepted table.
  init(of root: JSONNode) {
    let path = EventPath([.key("events")])
    for entry in root.entries(of: "events") {
      let event = Self.event(entry, at: path.appending(entry.key))
      if entry.key == Self.wildcard { shared = event } else { events.append(event) }
    }
  }

  private static func event(_ entry: JSONNode.Member, at path: EventPath) -> Event {
    let rows = path.appending("parameters")
    let constants = path.appending("add")
    return Event(
      name: entry.key, offset: entry.keyOffset, path: path, newName: placed("name", of: entry.value, at: path),
      unmapped: placed("unmapped", of: entry.value, at: path),
      rows: entry.value.entries(of: "parameters").compactMap { row($0, at: rows.appending($0.key)) },
      constants: entry.value.entries(of: "add").map {
        Located(text: $0.key, offset: $0.keyOffset, path: constants.appending($0.key))
      },
      constantValues: Dictionary(
        entry.value.entries(of: "add").map { (ExactText($0.key), $0.value.eventValue) }, uniquingKeysWith: { $1 }))
  }

  private static func row(_ member: JSONNode.Member, at path: EventPath) -> Row? {
    guard let source = try? KeyPathPattern(member.key) else { return nil }
    let node = member.value
    var target = placed("to", of: node, at: path)
    if case .string(let text) = node.content { target = Located(text: text, offset: node.offset, path: path) }
    let values = node.member("values")
    let alternatives = node.alternativeTexts.map { Located(text: $0.text, offset: $0.offset, path: path) }
    return Row(
      source: source, alternatives: alternatives, offset: member.keyOffset, path: path, target: target,
      type: placed("type", of: node, at: path).flatMap { ValueType(rawValue: $0.text) },
      values: values.map { _ in node.entries(of: "values") }, valuesOffset: values?.keyOffset ?? node.offset,
      fallback: node.member("default")?.value)
  }

  private static func placed(_ key: String, of node: JSONNode, at path: EventPath) -> Located? {
    guard let member = node.member(key), case .string(let text) = member.value.content else { return nil }
    return Located(text: text, offset: member.value.offset, path: path.appending(key))
  }
}

extension TableOutline.Event {
  /// The event's name after remapping.
  var finalName: String { newName?.text ?? name }

  /// Whether a constant tells the two events apart in the new stream.
  func isTold(from other: TableOutline.Event) -> Bool {
    constantValues.contains { key, value in other.constantValues[key].map { $0 != value } ?? false }
  }

  /// The sources of all rows.
  var sources: [TableOutline.Located] {
    rows.flatMap { row in
      [TableOutline.Located(text: row.source.description, offset: row.offset, path: row.path)] + row.alternatives
    }
  }

  var dropsUnmapped: Bool? { unmapped.map { $0.text == "drop" } }
}

extension JSONNode {
  /// The member of a key; `nil` if there is none, or this is not an object.
  func member(_ key: String) -> Member? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key.isExactly(key) }
  }

  /// The members of an object that is a member of this one, without its comments.
  func entries(of key: String) -> [Member] {
    guard case .object(let members)? = member(key)?.value.content else { return [] }
    return members.withoutComments
  }
}
