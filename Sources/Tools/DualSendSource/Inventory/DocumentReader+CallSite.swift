import DualSendCore

/// Reads a line of an inventory.
extension DocumentReader {
  private typealias Members = [String: JSONNode.Member]

  /// Reads the document as a call site. If errors are reported, the result is `nil` or has no meaning.
  mutating func callSite() -> CallSite? {
    let (root, path) = (document.root, EventPath())
    let known = ["certainty", "column", "events", "file", "function", "line", "open", "type", "via"]
    guard let members = members(of: root, at: path, known: known) else { return nil }
    let certainty: Certainty? = member("certainty", of: members, in: root, at: path).flatMap {
      word($0.value, at: path.appending("certainty"), code: .invalidCallSite, kind: "certainty")
    }
    let callSite = CallSite(
      certainty: certainty ?? .dynamic, file: text("file", of: members, in: root, at: path),
      line: count("line", of: members, in: root, at: path), column: count("column", of: members, in: root, at: path),
      type: text("type", of: members, in: root, at: path), function: text("function", of: members, in: root, at: path),
      via: texts("via", of: members, in: root, at: path), open: texts("open", of: members, in: root, at: path),
      events: list("events", of: members, in: root, at: path).compactMap { sentEvent($0.node, at: $0.path) })
    if !hasErrors { check(callSite) }
    return callSite
  }

  /// Reports a certainty that contradicts the rest of the line, because checks rely on it.
  private mutating func check(_ callSite: CallSite) {
    let contradiction: String? =
      switch callSite.certainty {
      case .exact:
        callSite.events.isEmpty
          ? "an exact call site has no event"
          : callSite.open.isEmpty && !callSite.events.contains { $0.isOpen || $0.isPattern }
            ? nil : "an exact call site has an open part or a name pattern"
      case .partial: callSite.events.isEmpty ? "a call site without a name is dynamic, not partial" : nil
      case .dynamic: callSite.events.isEmpty ? nil : "a dynamic call site has an event"
      }
    guard let contradiction else { return }
    let path = EventPath([.key("certainty")])
    report(.invalidCallSite, contradiction, at: document.root.offset, path: path, help: "make the inventory again")
  }

  private mutating func sentEvent(_ node: JSONNode, at path: EventPath) -> SentEvent? {
    guard let members = members(of: node, at: path, known: ["isPattern", "name", "open", "parameters"]) else {
      return nil
    }
    let name = text("name", of: members, in: node, at: path)
    let isPattern = members["isPattern"].flatMap { bool($0.value, at: path.appending("isPattern")) } ?? false
    if isPattern, NamePattern(name) == nil {
      report(
        .invalidCallSite, "in a pattern, a backslash must precede `*` or `\\`", at: node.offset,
        path: path.appending("name"), help: "write `\\\\` for a backslash of the name (each twice in JSON)")
    }
    let parameters = list("parameters", of: members, in: node, at: path)
      .compactMap { sentParameter($0.node, at: $0.path) }
    let event = SentEvent(
      name: name, isPattern: isPattern, isOpen: flag("open", of: members, in: node, at: path), parameters: parameters)
    if event.parameters.count < parameters.count {
      report(
        .invalidCallSite, "a key is listed twice", at: node.offset, path: path.appending("parameters"),
        help: "list each key once, with all its types")
    }
    return event
  }

  private mutating func sentParameter(_ node: JSONNode, at path: EventPath) -> SentParameter? {
    guard let members = members(of: node, at: path, known: ["key", "optional", "types", "values"]) else { return nil }
    let types: [SentType] = list("types", of: members, in: node, at: path).compactMap {
      word($0.node, at: $0.path, code: .invalidCallSite, kind: "type")
    }
    let values = members["values"].flatMap { elements($0.value, at: path.appending("values")) }
    return SentParameter(
      key: text("key", of: members, in: node, at: path),
      isOptional: flag("optional", of: members, in: node, at: path), types: types,
      values: values.map { $0.map(\.node.eventValue) })
  }

  private mutating func text(_ key: String, of members: Members, in node: JSONNode, at path: EventPath) -> String {
    member(key, of: members, in: node, at: path).flatMap { string($0.value, at: path.appending(key)) } ?? ""
  }

  private mutating func flag(_ key: String, of members: Members, in node: JSONNode, at path: EventPath) -> Bool {
    member(key, of: members, in: node, at: path).flatMap { bool($0.value, at: path.appending(key)) } ?? false
  }

  /// A number of at least 1.
  private mutating func count(_ key: String, of members: Members, in node: JSONNode, at path: EventPath) -> Int {
    guard let member = member(key, of: members, in: node, at: path),
      let number = integer(member.value, at: path.appending(key))
    else { return 1 }
    if number < 1 {
      report(
        .invalidCallSite, "`\(key)` is counted from 1", at: member.value.offset, path: path.appending(key),
        help: "make the inventory again")
    }
    return Int(clamping: number)
  }

  private mutating func texts(_ key: String, of members: Members, in node: JSONNode, at path: EventPath) -> [String] {
    list(key, of: members, in: node, at: path).compactMap { string($0.node, at: $0.path) }
  }

  private mutating func list(
    _ key: String, of members: Members, in node: JSONNode, at path: EventPath
  ) -> [(node: JSONNode, path: EventPath)] {
    member(key, of: members, in: node, at: path).flatMap { elements($0.value, at: path.appending(key)) } ?? []
  }
}

extension DocumentDiagnostic.Code {
  /// A line of an inventory is not a valid call site.
  static let invalidCallSite = DocumentDiagnostic.Code(rawValue: "DS1001")
}
