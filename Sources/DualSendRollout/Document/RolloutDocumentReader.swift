import DualSendCore

/// Reads a rollout document and reports all errors with their positions.
struct RolloutDocumentReader {
  private static let keys = [
    "$schema", "formatVersion", "revision", "salt", "shouldSendLogToOldLogger", "shouldSendLogToNewTracker",
    "allowNeither", "missingUnit", "sinks", "rules", "allow",
  ]
  private static let ruleKeys = [
    "name", "match", "shouldSendLogToOldLogger", "shouldSendLogToNewTracker", "allowNeither", "sinks", "allow",
  ]

  /// A sink that the top level names, and its position.
  struct NamedEntry {
    let sink: RolloutSink
    let offset: Int
  }

  var reader: DocumentReader
  /// The document's format.
  private(set) var formatVersion = RolloutDocument.formatVersion
  /// The sinks that the top level names.
  var sinks: [NamedEntry] = []
  /// The attributes that rules test, by canonical equivalence.
  var attributes: [String: JSONNode.Member] = [:]

  init(_ bytes: some Sequence<UInt8>, name: String?) throws(DocumentError) {
    reader = try DocumentReader(bytes, name: name)
  }

  /// Reads the document.
  mutating func document() throws(DocumentError) -> RolloutDocument {
    guard let formatVersion = reader.format(among: 1...RolloutDocument.formatVersion) else {
      throw DocumentError(reader.diagnostics)
    }
    self.formatVersion = formatVersion
    // A statement of its own: reading reports the errors that the guard checks.
    let draft = readDraft()
    guard var document = draft, !reader.hasErrors else { throw DocumentError(reader.diagnostics) }
    document.locate(in: reader.document.source)
    document.warnings = reader.diagnostics.inOrder()
    document.allowances = reader.allowances
    return document
  }

  private mutating func readDraft() -> RolloutDocument? {
    let root = reader.document.root
    let path = EventPath()
    guard let members = reader.members(of: root, at: path, known: known(Self.keys, in: root)) else { return nil }
    if let schema = members["$schema"] { _ = reader.string(schema.value, at: path.appending("$schema")) }
    let revisionMember = reader.member(
      "revision", of: members, in: root, at: path, help: "add `\"revision\": 1` and count it up with every edit")
    let revision = revisionMember.flatMap { readRevision($0.value, at: path.appending("revision")) }
    let saltMember = reader.member(
      "salt", of: members, in: root, at: path,
      help: "add a text that never changes during the rollout, such as `\"salt\": \"tracker-2025\"`")
    let salt = saltMember.flatMap { readSalt($0.value, at: path.appending("salt")) }
    let old = flag("shouldSendLogToOldLogger", of: members, at: path)
    let new = flag("shouldSendLogToNewTracker", of: members, at: path)
    let allowNeither = bool("allowNeither", of: members, at: path)
    let missingUnit: MissingUnitOutcome? = members["missingUnit"].flatMap {
      reader.word($0.value, at: path.appending("missingUnit"), code: .unknownWord)
    }
    reader.readAllowance(members["allow"], at: path)
    // Before the rules, which may only use the sinks that it names.
    let sinks = readSinks(members["sinks"], at: path, ofTopLevel: true)
    let rules = members["rules"].map { readRules($0.value, at: path.appending("rules")) } ?? []
    guard let revision, let salt else { return nil }
    return RolloutDocument(
      revision: revision, salt: salt, shouldSendLogToOldLogger: old ?? .percentage(.all),
      shouldSendLogToNewTracker: new ?? .percentage(.none), allowNeither: allowNeither,
      missingUnit: missingUnit ?? .old, rules: rules, offsets: Self.offsets(of: root, members),
      sinks: sinks)
  }

  private mutating func readRevision(_ node: JSONNode, at path: EventPath) -> Int64? {
    guard let revision = reader.integer(node, at: path) else { return nil }
    guard revision >= 0 else {
      reader.report(.invalidRevision, "a revision cannot be negative", at: node.offset, path: path)
      return nil
    }
    return revision
  }

  private mutating func readSalt(_ node: JSONNode, at path: EventPath) -> String? {
    guard let salt = reader.string(node, at: path) else { return nil }
    guard !salt.isEmpty else {
      reader.report(
        .emptySalt, "the salt is empty", at: node.offset, path: path,
        help: "use any text that stays the same during the rollout")
      return nil
    }
    return salt
  }

  private mutating func readRules(_ node: JSONNode, at path: EventPath) -> [RolloutRule] {
    let elements = reader.elements(node, at: path) ?? []
    return elements.compactMap { readRule($0.node, at: $0.path) }
  }

  private mutating func readRule(_ node: JSONNode, at path: EventPath) -> RolloutRule? {
    guard let members = reader.members(of: node, at: path, known: known(Self.ruleKeys, in: node)) else { return nil }
    let name = members["name"].flatMap { reader.string($0.value, at: path.appending("name")) }
    reader.readAllowance(members["allow"], at: path)
    let match = members["match"].map { readMatch($0.value, at: path.appending("match")) } ?? .everything
    let old = flag("shouldSendLogToOldLogger", of: members, at: path)
    let new = flag("shouldSendLogToNewTracker", of: members, at: path)
    let sinks = readSinks(members["sinks"], at: path, ofTopLevel: false)
    let setsFlag = members["shouldSendLogToOldLogger"] != nil || members["shouldSendLogToNewTracker"] != nil
    if !setsFlag, !Self.namesSinks(members["sinks"]) {
      reader.report(
        .ruleWithoutFlag, "the rule sets no flag and narrows no sink, so it does nothing", at: node.offset, path: path,
        severity: .warning,
        help: "set `shouldSendLogToNewTracker` or `shouldSendLogToOldLogger`, narrow one of `sinks`, or remove the rule"
      )
    }
    return RolloutRule(
      name: name, match: match, shouldSendLogToOldLogger: old, shouldSendLogToNewTracker: new,
      allowNeither: bool("allowNeither", of: members, at: path),
      offsets: Self.offsets(of: node, members), sinks: sinks)
  }

  /// Whether a rule has entries in `sinks`, valid or not.
  private static func namesSinks(_ member: JSONNode.Member?) -> Bool {
    guard let member else { return false }
    guard case .object(let sides) = member.value.content else { return true }
    return sides.withoutComments.contains { side in
      guard case .object(let entries) = side.value.content else { return true }
      return !entries.withoutComments.isEmpty
    }
  }

  /// The keys that diagnostics suggest. Format 1 has no `sinks`; a document that has it anyway gets an error of its own.
  private func known(_ keys: [String], in node: JSONNode) -> [String] {
    guard formatVersion < RolloutDocument.formatVersionOfSinks, case .object(let members) = node.content,
      !members.contains(where: { $0.key == "sinks" })
    else { return keys }
    return keys.filter { $0 != "sinks" }
  }

  private static func offsets(of node: JSONNode, _ members: [String: JSONNode.Member]) -> RolloutOffsets {
    RolloutOffsets(
      start: node.offset, oldLogger: members["shouldSendLogToOldLogger"]?.value.offset,
      newTracker: members["shouldSendLogToNewTracker"]?.value.offset, revision: members["revision"]?.value.offset)
  }

  private mutating func bool(_ key: String, of members: [String: JSONNode.Member], at path: EventPath) -> Bool {
    members[key].flatMap { reader.bool($0.value, at: path.appending(key)) } ?? false
  }
}
