import DualSendCore

extension RolloutDocumentReader {
  private static let matchKeys =
    ["events"] + ContextProperty.ofApp.map(\.rawValue) + ["attributes", ContextProperty.unitID.rawValue]

  /// The platforms that apps with this library have; see `DeviceFacts.osName`.
  private static let platforms = ["iOS", "macOS", "tvOS", "watchOS", "visionOS", "Linux"]

  mutating func readMatch(_ node: JSONNode, at path: EventPath) -> RolloutMatch {
    guard let members = reader.members(of: node, at: path, known: Self.matchKeys) else { return .everything }
    let events = members["events"].flatMap { readPatterns($0.value, at: path.appending("events")) }
    var conditions = ContextProperty.allCases.compactMap { property in
      members[property.rawValue].flatMap {
        readCondition(on: property, $0.value, at: path.appending(property.rawValue))
      }
    }
    if let attributes = members["attributes"] {
      conditions += readAttributes(attributes.value, at: path.appending("attributes"))
    }
    return RolloutMatch(
      events: events, conditions: conditions.inOrder { ContextKey.inFormatOrder($0.key, $1.key) })
  }

  private mutating func readCondition(
    on property: ContextProperty, _ node: JSONNode, at path: EventPath
  ) -> ContextCondition? {
    if property == .appVersion {
      return readVersions(node, at: path).map { ContextCondition(.property(property), .version($0)) }
    }
    guard let texts = texts(node, at: path, of: "a \(property.words)") else { return nil }
    for text in texts where property == .platform {
      let name = Self.platforms.first { $0.lowercased().isExactly(text.text.lowercased()) }
      guard let name, !name.isExactly(text.text) else { continue }
      reader.report(
        .otherSpelling, "no app of this library has the platform `\(text.text)`", at: text.node.offset, path: text.path,
        severity: .warning, help: "it is `\(name)`")
    }
    return ContextCondition(.property(property), .anyOf(texts.map(\.text)))
  }

  private mutating func readPatterns(_ node: JSONNode, at path: EventPath) -> [EventPattern]? {
    texts(node, at: path, of: "an event")?.compactMap { text in
      if let pattern = EventPattern(text.text) { return pattern }
      reader.report(
        .invalidEventPattern, "`\(text.text)` is not an event pattern", at: text.node.offset, path: text.path,
        help: "write an exact name, or a prefix that ends in `*`, such as `home.*`")
      return nil
    }
  }

  private mutating func readVersions(_ node: JSONNode, at path: EventPath) -> VersionCondition? {
    guard let text = reader.string(node, at: path) else { return nil }
    if let condition = VersionCondition(text) { return condition }
    if DecisionContext.AppVersion.isTooLarge(in: text) {
      reader.report(
        .invalidVersionCondition, "a number of this version is too large", at: node.offset, path: path,
        help: "the largest is \(UInt64.max)")
      return nil
    }
    reader.report(
      .invalidVersionCondition, "`\(text)` is not a version condition", at: node.offset, path: path,
      help: "write comparisons of dotted numbers that must all hold, such as `>=25.4.10 <26`")
    return nil
  }

  private mutating func readAttributes(_ node: JSONNode, at path: EventPath) -> [ContextCondition] {
    let members = reader.entries(node, at: path, expected: "an object of lists") ?? []
    return members.compactMap { member in
      compareSpelling(of: member, at: path.appending(member.key))
      return list(member.value, at: path.appending(member.key), of: "a value").map {
        ContextCondition(.attribute(member.key), .anyOf($0))
      }
    }
  }

  /// Reports attributes that are canonically equivalent but have different bytes: a context's dictionary can hold only one.
  private mutating func compareSpelling(of member: JSONNode.Member, at path: EventPath) {
    guard let known = attributes.updateValue(member, forKey: member.key), !known.key.isExactly(member.key) else {
      return
    }
    let line = reader.document.source.position(at: known.keyOffset).line
    reader.report(
      .equivalentKeys, "the attribute is canonically equivalent to that of line \(line), but its bytes differ",
      at: member.keyOffset, path: path, help: "write both in one normal form (NFC), as the app does")
  }

  private mutating func list(_ node: JSONNode, at path: EventPath, of what: String) -> [String]? {
    texts(node, at: path, of: what)?.map(\.text)
  }

  /// Reads a list of strings that is not empty, with the positions of its entries.
  private mutating func texts(
    _ node: JSONNode, at path: EventPath, of what: String
  ) -> [(text: String, node: JSONNode, path: EventPath)]? {
    guard let elements = reader.elements(node, at: path) else { return nil }
    if elements.isEmpty {
      reader.report(
        .emptyList, "an empty list matches nothing", at: node.offset, path: path,
        help: "name \(what), or leave the key out to match everything")
    }
    var seen: Set<ExactText> = []
    var texts: [(text: String, node: JSONNode, path: EventPath)] = []
    for element in elements {
      guard let text = reader.string(element.node, at: element.path) else { continue }
      if seen.insert(ExactText(text)).inserted {
        texts.append((text, element.node, element.path))
      } else {
        reader.report(
          .repeatedEntry, "`\(text)` stands twice in one list", at: element.node.offset, path: element.path,
          severity: .warning, help: "remove one of the two")
      }
    }
    return texts
  }
}
