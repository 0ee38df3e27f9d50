import DualSendCore

/// Reads a rollout document and reports all errors with their positions.
struct RolloutDocumentReader {
  private static let keys = [
    "$schema", "formatVersion", "revision", "salt", "shouldSendLogToOldLogger", "shouldSendLogToNewTracker",
    "allowNeither", "missingUnit", "sinks", "rules", "allow", "audience",
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
  /// The percentages that are not 0, and their places.
  private var percentages: [(value: RolloutPercentage, number: JSONNode.Number, offset: Int, path: EventPath)] = []
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
    questionPartsOfAPercent()
    let audience = members["audience"].flatMap { reader.string($0.value, at: path.appending("audience")) }
    guard let revision, let salt else { return nil }
    return RolloutDocument(
      revision: revision, salt: salt, audience: audience, shouldSendLogToOldLogger: old ?? .percentage(.all),
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

// MARK: - Flag

extension RolloutDocumentReader {
  /// Reads `true`, `false`, a percentage or a schedule.
  mutating func flag(_ key: String, of members: [String: JSONNode.Member], at path: EventPath) -> RolloutFlag? {
    members[key].flatMap { flag($0.value, at: path.appending(key)) }
  }

  mutating func flag(_ node: JSONNode, at path: EventPath) -> RolloutFlag? {
    switch node.content {
    case .bool(let isOn): return .percentage(isOn ? .all : .none)
    case .number(let number): return percentage(number, of: node, at: path).map { .percentage($0) }
    case .object: return schedule(node, at: path).map { .schedule($0) }
    case .null, .string, .array:
      reader.wrongType(
        node, at: path, expected: "`true`, `false`, a percentage or a schedule",
        help: node.withoutQuotes(\.isBool) ?? node.plainPercentage)
      return nil
    }
  }

  private mutating func percentage(
    _ number: JSONNode.Number, of node: JSONNode, at path: EventPath
  ) -> RolloutPercentage? {
    do {
      let percentage = try RolloutPercentage(jsonNumber: number.text)
      if percentage > .none { percentages.append((percentage, number, node.offset, path)) }
      return percentage
    } catch {
      let fault =
        switch error {
        case .outOfRange: "is not between 0 and 100"
        case .tooManyDecimals: "has more than three decimals"
        }
      reader.report(
        .invalidPercentage, "\(number.quotation) \(fault)", at: node.offset, path: path,
        help: "a percentage is 0…100 with at most three decimals")
      return nil
    }
  }

  /// Reports percentages below 1 beside whole ones alone: a share of 0.05 is probably meant as 5 %.
  private mutating func questionPartsOfAPercent() {
    let (parts, others) = (
      percentages.filter { $0.value.thousandths < 1_000 }, percentages.filter { $0.value.thousandths >= 1_000 }
    )
    guard !others.isEmpty, others.allSatisfy({ $0.value.thousandths.isMultiple(of: 1_000) }) else { return }
    for part in parts {
      reader.report(
        .partOfAPercent, "\(part.number.text) is \(part.value), beside whole percentages", at: part.offset,
        path: part.path, severity: .warning, help: "5 % is written 5; if less than 1 % is meant, `allow` this")
    }
  }

  private mutating func schedule(_ node: JSONNode, at path: EventPath) -> RolloutSchedule? {
    guard let members = reader.members(of: node, at: path, known: ["schedule"]) else { return nil }
    guard let list = reader.member("schedule", of: members, in: node, at: path)?.value else { return nil }
    let path = path.appending("schedule")
    guard let elements = reader.elements(list, at: path) else { return nil }
    guard !elements.isEmpty else {
      reader.report(.emptyList, "a schedule needs at least one step", at: list.offset, path: path)
      return nil
    }
    var steps: [RolloutSchedule.Step] = []
    for element in elements {
      guard let step = step(element.node, at: element.path) else { continue }
      if let last = steps.last, last.from >= step.from {
        reader.report(
          .invalidSchedule, "this step is not later than the one before", at: element.node.offset, path: element.path,
          help: "order the steps by time, each time once")
      }
      steps.append(step)
    }
    return steps.count == elements.count ? RolloutSchedule(steps: steps) : nil
  }

  private mutating func step(_ node: JSONNode, at path: EventPath) -> RolloutSchedule.Step? {
    guard let members = reader.members(of: node, at: path, known: ["from", "percentage"]) else { return nil }
    let from = reader.member("from", of: members, in: node, at: path)
      .flatMap { time($0.value, at: path.appending("from")) }
    var percentage: RolloutPercentage?
    if let value = reader.member("percentage", of: members, in: node, at: path)?.value {
      if case .number(let number) = value.content {
        percentage = self.percentage(number, of: value, at: path.appending("percentage"))
      } else {
        reader.wrongType(
          value, at: path.appending("percentage"), expected: "a percentage", help: value.plainPercentage)
      }
    }
    guard let from, let percentage else { return nil }
    return RolloutSchedule.Step(from: from, percentage: percentage)
  }

  private mutating func time(_ node: JSONNode, at path: EventPath) -> Int64? {
    guard let text = reader.string(node, at: path) else { return nil }
    guard let time = Timestamp.milliseconds(text: text) else {
      reader.report(
        .invalidSchedule, "this is not a time", at: node.offset, path: path,
        help: "write it as RFC 3339 does: `2026-12-01T00:00:00Z`")
      return nil
    }
    return time
  }
}

// MARK: - Sinks

/// `"sinks": { "new": { "amplitude": 25 } }`: the shares of named sinks.
extension RolloutDocumentReader {
  /// The highest number of named sinks. Each is proved separately.
  static let maximumSinks = 64

  /// Reads the sinks of the top level, or those of a rule, which must be named by the top level, so that a typo is an error.
  mutating func readSinks(
    _ member: JSONNode.Member?, at path: EventPath, ofTopLevel isTopLevel: Bool
  ) -> [RolloutSinkShare] {
    guard let member else { return [] }
    let path = path.appending(member.key)
    if formatVersion < RolloutDocument.formatVersionOfSinks {
      reader.report(
        .sinksNeedFormat, "`sinks` needs format version \(RolloutDocument.formatVersionOfSinks)",
        at: member.keyOffset, path: path,
        help:
          "write `\"formatVersion\": \(RolloutDocument.formatVersionOfSinks)`; apps that cannot read that refuse the"
          + " document and keep the one they have")
    }
    let sides = RolloutSide.allCases.map(\.rawValue)
    guard let members = reader.members(of: member.value, at: path, known: sides) else { return [] }
    return RolloutSide.allCases.flatMap { side -> [RolloutSinkShare] in
      guard let node = members[side.rawValue]?.value else { return [] }
      let path = path.appending(side.rawValue)
      let entries = reader.entries(node, at: path, expected: "an object of sinks, each with its share") ?? []
      return entries.compactMap { entry in
        let path = path.appending(entry.key)
        let isRight = isTopLevel ? name(entry, on: side, at: path) : knows(entry, on: side, at: path)
        // Reads the share even if the name is invalid, to report all errors.
        guard let flag = flag(entry.value, at: path), isRight else { return nil }
        return RolloutSinkShare(
          sink: RolloutSink(side: side, id: entry.key), flag: flag, offset: entry.value.offset)
      }
    }
  }

  /// Registers a sink that the top level names.
  ///
  /// - Returns: whether the name is valid.
  private mutating func name(_ entry: JSONNode.Member, on side: RolloutSide, at path: EventPath) -> Bool {
    if let principal = RolloutSink.principals.first(where: { $0.id.isExactly(entry.key) }) {
      reader.report(
        .invalidSinkID, "the flag `\(principal.side.flagKey)` decides about `\(entry.key)`, and nothing else does",
        at: entry.keyOffset, path: path, help: "remove it; `sinks` is for further sinks of a side")
      return false
    }
    guard RolloutSink.isWellFormed(entry.key) else {
      reader.report(
        .invalidSinkID, "`\(entry.key)` is not a sink's id", at: entry.keyOffset, path: path,
        help: "an id is 1 to \(RolloutSink.maximumLength) of the characters A-Z, a-z, 0-9, `_`, `.` and `-`")
      return false
    }
    if let other = sinks.first(where: { $0.sink.id.isExactly(entry.key) }) {
      let line = reader.document.source.position(at: other.offset).line
      reader.report(
        .repeatedSink, "`\(entry.key)` is a sink of both sides", at: entry.keyOffset, path: path,
        notes: ["line \(line) names it on the \(other.sink.side.rawValue) side"],
        help: "give each sink an id of its own")
      return false
    }
    guard sinks.count < Self.maximumSinks else {
      reader.report(
        .tooManySinks, "a document names at most \(Self.maximumSinks) sinks", at: entry.keyOffset, path: path,
        help: "leave out those that follow their side's flag")
      return false
    }
    sinks.append(NamedEntry(sink: RolloutSink(side: side, id: entry.key), offset: entry.keyOffset))
    return true
  }

  /// Whether the top level names a sink.
  private mutating func knows(_ entry: JSONNode.Member, on side: RolloutSide, at path: EventPath) -> Bool {
    if sinks.contains(where: { $0.sink.isNamed(entry.key, on: side) }) { return true }
    let known = sinks.filter { $0.sink.side == side }.map(\.sink.id)
    let other = sinks.first { $0.sink.side != side && $0.sink.id.isExactly(entry.key) }?.sink.side
    let help =
      other.map { "it is a sink of the \($0.rawValue) side" }
      ?? nearestWord(to: entry.key, among: known).map { "did you mean `\($0)`?" }
      ?? "name it there first; at 100 it follows its side's flag"
    reader.report(
      .unknownSink, "the top level's `sinks.\(side.rawValue)` does not name `\(entry.key)`", at: entry.keyOffset,
      path: path, help: help)
    return false
  }
}
