package import DualSendCore
package import DualSendRemapping
import DualSendTables

/// A draft of a remapping table, from names only.
package struct TableDraft: Sendable {
  /// The events, sorted by old name.
  package private(set) var events: [DraftedEvent]

  package init(_ events: [DraftedEvent]) {
    self.events = events.sorted { String.byteOrder($0.name, $1.name) }
  }

  /// Matches the names of both sides; see ``NameMatch`` for what is sure. Of a key, the event's new name must be sure as well,
  /// the types must not differ, and the path must have as many steps.
  ///
  /// A row converts the value if both sides have one type and these differ.
  package init(old: NamedEvents, new: NamedEvents, words: WordList = WordList()) {
    let match = NameMatch(
      old: old.events.mapValues { _ in NamedEvents.Key() }, new: new.events.mapValues { _ in NamedEvents.Key() },
      words: words)
    var found: [ExactText: NameMatch.Proposal] = [:]
    for proposal in match.proposals { for source in proposal.sources { found[source] = proposal } }
    let open = Dictionary(match.open.map { ($0.old, $0.candidates) }, uniquingKeysWith: { first, _ in first })
    self.init(
      old.events.map { name, keys in
        var event = DraftedEvent(name: name.text)
        if let proposal = found[name] {
          if proposal.target != name { event.newName = proposal.target.text }
          event.naming = DraftedEvent.Finding(way: proposal.way, isSure: proposal.isSure)
          event.match(keys, with: new.events[proposal.target] ?? [:], words)
        } else {
          event.open.append(DraftedEvent.Question(key: nil, candidates: open[name] ?? []))
        }
        return event
      })
  }

  /// How many matches are sure, and how many a person checks.
  package var matches: (sure: Int, unsure: Int) {
    events.reduce(into: (0, 0)) { counts, event in
      let findings = [event.naming].compactMap { $0 } + event.rows.map(\.finding)
      let sure = findings.count(where: \.isSure)
      counts = (counts.0 + sure, counts.1 + findings.count - sure)
    }
  }

  /// The table as JSON. With comments, each entry has the reasons for its rows and its open questions under `//`.
  package func json(commented: Bool = true) -> EventValue {
    var entries: [String: EventValue] = [:]
    for event in events where entries.index(forKey: event.name) == nil && event.canBeNamed {
      entries[event.name] = event.json(commented: commented)
    }
    return ["formatVersion": 1, "events": .object(entries)]
  }

  /// The table as indented JSON.
  package func text() -> String {
    IndentedJSON.text(json(), lineLength: 100, firstKeys: Self.firstKeys)
  }

  /// The order of keys in a table.
  package static let firstKeys = [
    "//", "formatVersion", "events", "name", "to", "type", "values", "default", "parameters", "add", "unmapped",
  ]

  /// The events that cannot have an entry, because their name is a comment's key, empty, or ends in `*`.
  package var unnamable: [String] { events.filter { !$0.canBeNamed }.map(\.name) }
}

/// The draft for one event: its entry in the table, and the open questions.
package struct DraftedEvent: Sendable {
  /// How a proposal was found, and whether a person need not look at it.
  package struct Finding: Sendable, Hashable {
    package let way: MatchWay
    package let isSure: Bool

    /// The words for a comment.
    package var text: String {
      let words =
        switch way {
        case .same: "the same name"
        case .restyled: "the same words"
        case .words: "the same words by the list or an abbreviation"
        case .values: "the same values"
        case .similar: "similar words"
        }
      return isSure ? words + ", sure" : words + ", check it"
    }
  }

  /// A row with its reason.
  package struct Row: Sendable {
    package let source: KeyPathPattern
    /// Further sources; the first that has a value wins.
    package var others: [KeyPathPattern] = []
    package let target: KeyPathPattern
    /// The type to which the value is converted; `nil` for none.
    package let type: ValueType?
    package let finding: Finding

    package var sources: [KeyPathPattern] { [source] + others }
    /// Whether the key stays as it is.
    package var isIdle: Bool { sources == [target] && type == nil }
  }

  /// What is left to a person.
  package struct Question: Sendable, Hashable {
    /// The old key; `nil` for the event's new name.
    package let key: ExactText?
    /// Names of the new side, never values.
    package let candidates: [ExactText]
    /// Why the only candidate has no row.
    package var obstacle: String?

    package var text: String {
      let candidates = NameMatch.text(candidates)
      guard let key else { return "the new name: " + candidates }
      return "`\(key)` " + candidates + (obstacle.map { ": " + $0 } ?? "")
    }
  }

  package let name: String
  /// The new name; `nil` if the old one stays or it is uncertain.
  package var newName: String?
  /// How the new event was found; `nil` if it was not.
  package var naming: Finding?
  package var rows: [Row] = []
  package var open: [Question] = []

  package init(name: String) {
    self.name = name
  }

  /// The rows and open questions as lines of a comment.
  package var notes: [String] {
    let renamed = newName.flatMap { _ in naming.map { "new name: " + $0.text } }
    let rows = rows.filter { !$0.isIdle || !$0.finding.isSure }
    return [renamed].compactMap { $0 } + rows.map { "\($0.deed): \($0.finding.text)" }.sorted(by: String.byteOrder)
      + open.map(\.text).sorted(by: String.byteOrder).map { "open: " + $0 }
  }

  /// Whether a table can have an entry with this name.
  var canBeNamed: Bool { !name.isEmpty && !name.hasSuffix("*") && name != "//" && name != "_comment" }

  package func json(commented: Bool) -> EventValue {
    var members: [String: EventValue] = [:]
    if commented, !notes.isEmpty { members["//"] = .array(notes.map { .string($0) }) }
    if let newName { members["name"] = .string(newName) }
    if !rows.isEmpty {
      // Of two canonically equivalent keys, keeps the first.
      let rows = rows.map { ($0.source.description, $0.json) }
      members["parameters"] = .object(Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }
    return .object(members)
  }

  // MARK: - By names

  fileprivate mutating func match(_ old: NamedEvents.Keys, with new: NamedEvents.Keys, _ words: WordList) {
    let match = NameMatch(old: old, new: new, words: words)
    // What is surer is not displaced by what is not, and nothing by a row that changes nothing.
    let proposals = match.proposals.sorted { ($0.way, $0.sources[0]) < ($1.way, $1.sources[0]) }
    let drafted = proposals.compactMap { proposal in row(proposal, old, new).map { (proposal, $0) } }
    for (proposal, row) in drafted where !row.isIdle || !row.finding.isSure { add(row, proposal) }
    let staying = drafted.map(\.1).filter { $0.isIdle && $0.finding.isSure }
    for row in staying.sorted(by: { $0.source.steps.count < $1.source.steps.count }) where !isTaken(row) {
      rows.append(row)
    }
    for question in match.open where !question.old.text.isEmpty {
      open.append(Question(key: question.old, candidates: question.candidates))
    }
    rows.sort { $0.source.description < $1.source.description }
  }

  /// The row of a proposal; `nil` if a name is no path.
  private func row(_ proposal: NameMatch.Proposal, _ old: NamedEvents.Keys, _ new: NamedEvents.Keys) -> Row? {
    let sources = proposal.sources.compactMap { try? KeyPathPattern($0.text) }
    guard let first = sources.first, let target = try? KeyPathPattern(proposal.target.text) else { return nil }
    let types = proposal.sources.reduce(into: Set<ValueType>()) { $0.formUnion(old[$1]?.types ?? []) }
    let type = Self.conversion(from: types, to: new[proposal.target]?.types ?? [])
    let isSure =
      proposal.isSure && naming?.isSure == true && type == nil && types.count < 2
      && first.steps.count == target.steps.count
    return Row(
      source: first, others: Array(sources.dropFirst()), target: target, type: type,
      finding: Finding(way: proposal.way, isSure: isSure))
  }

  /// Adds a row, or a question if there cannot be one.
  private mutating func add(_ row: Row, _ proposal: NameMatch.Proposal) {
    let obstacle: String? =
      if row.sources.contains(where: { $0.arrays != row.target.arrays }) {
        "they are in different arrays"
      } else if isTaken(row) {
        "another row overlaps with it"
      } else {
        nil
      }
    if let obstacle {
      open += proposal.sources.map { Question(key: $0, candidates: [proposal.target], obstacle: obstacle) }
    } else {
      rows.append(row)
    }
  }

  /// Whether another row has a place of this one, or one inside it or around it.
  private func isTaken(_ row: Row) -> Bool {
    rows.contains { other in
      other.target.overlaps(row.target) || other.sources.contains { one in row.sources.contains { one.overlaps($0) } }
    }
  }

  /// The new type, if each side has exactly one type and they differ.
  private static func conversion(from old: Set<ValueType>, to new: Set<ValueType>) -> ValueType? {
    guard old.count == 1, new.count == 1, old != new else { return nil }
    return new.first
  }
}

extension DraftedEvent.Row {
  /// The row in the table's JSON.
  package var json: EventValue {
    if isIdle { return Self.staying(target.description) }
    if type == nil, others.isEmpty { return .string(target.description) }
    var members: [String: EventValue] = ["to": .string(target.description)]
    if let type { members["type"] = .string(type.rawValue) }
    if !others.isEmpty { members["or"] = .array(others.map { .string($0.description) }) }
    return .object(members)
  }

  /// The row of a key that stays as it is, on purpose: without the allowance it would be a finding.
  static func staying(_ key: String) -> EventValue {
    ["to": .string(key), "allow": [.string(DocumentDiagnostic.Code.idleRow.rawValue)]]
  }

  /// The effect of the row, for messages.
  package var deed: String {
    isIdle ? "`\(source)` stays" : sources.map { "`\($0)`" }.joined(separator: ", else ") + " to `\(target)`"
  }
}

extension KeyPathPattern {
  /// Whether the paths are equal or one contains the other.
  func overlaps(_ other: KeyPathPattern) -> Bool { steps.starts(with: other.steps) || other.steps.starts(with: steps) }

  fileprivate var arrays: Int { steps.count { $0 == .eachElement } }
}
