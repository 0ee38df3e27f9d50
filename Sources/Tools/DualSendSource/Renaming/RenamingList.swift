import DualSendCore
package import DualSendRemapping
package import DualSendTables

/// What a remapping table makes of the names and keys of each place, for a person who renames the calls by hand.
package struct RenamingList: Sendable {
  /// A name, a key or a constant of an event, and what becomes of it.
  package struct Entry: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
      case name, key
      /// A value that the table adds.
      case constant
    }

    package let kind: Kind
    /// Empty for a constant.
    package let old: String
    /// `nil` for a key that the table drops.
    package let new: String?
    /// The line of the table's row; `nil` if no row is about it.
    package let row: Int?
    /// What a person must write besides the new text; empty for nothing.
    package let byHand: [String]

    package var isChange: Bool { new.map { !old.isExactly($0) } ?? true || !byHand.isEmpty }
  }

  package struct Event: Sendable {
    /// The old name, or a pattern of names.
    package let name: String
    package let entries: [Entry]
  }

  package struct Place: Sendable {
    package let site: CallSite
    package let events: [Event]

    var entries: [Entry] { events.flatMap(\.entries) }
    /// Whether everything is known, and only names and keys change.
    var isRenaming: Bool { site.certainty == .exact && entries.allSatisfy(\.byHand.isEmpty) }
  }

  /// The places, in the order of the inventory.
  package let places: [Place]

  private static let namedEntries = 8
  private static let shownValues = 3

  package init(_ sites: [CallSite], _ table: RemappingTable, _ rows: TablePlaces) {
    places = sites.map { site in
      Place(site: site, events: site.events.map { Self.event($0, table, rows) })
    }
  }

  private static func event(_ event: SentEvent, _ table: RemappingTable, _ rows: TablePlaces) -> Event {
    guard !event.isPattern else { return Event(name: event.name, entries: names(matching: event, table, rows)) }
    let rule = table.rule(for: event.name)
    let keys = Keys(event, rule, rows)
    var entries = [name(event, rule, table, rows)]
    entries += event.parameters.map(keys.entry)
    entries += rule.constants.map(keys.entry)
    return Event(name: event.name, entries: entries)
  }

  private static func name(
    _ event: SentEvent, _ rule: EventRule, _ table: RemappingTable, _ rows: TablePlaces
  ) -> Entry {
    let new = rule.name ?? event.name
    var byHand: [String] = []
    // Until the table is gone, it also applies to what the renamed call sends.
    if event.isChangedTwice(by: table) {
      byHand.append("the table changes `\(new)` too: rename the call together with the table's removal")
    }
    return Entry(
      kind: .name, old: event.name, new: new, row: rows.place(ofEvent: ExactText(event.name))?.line, byHand: byHand)
  }

  /// The entries of the table that a name may have of which a part is unknown.
  private static func names(matching event: SentEvent, _ table: RemappingTable, _ rows: TablePlaces) -> [Entry] {
    let matching = table.rules.keys.filter(event.mayBeNamed).sorted(by: String.byteOrder)
    var entries = matching.prefix(namedEntries).map { name in
      Entry(
        kind: .name, old: name, new: table.rule(for: name).name ?? name,
        row: rows.place(ofEvent: ExactText(name))?.line,
        byHand: ["if `\(event.name)` is this name"])
    }
    let rest = matching.count - entries.count
    if rest > 0 || matching.isEmpty {
      let reason = rest > 0 ? "the table has \(rest) more such names" : "the table has no such name"
      entries.append(Entry(kind: .name, old: event.name, new: event.name, row: nil, byHand: [reason]))
    }
    return entries
  }

  /// The keys of one event.
  private struct Keys {
    let event: SentEvent
    let rule: EventRule
    let rows: TablePlaces
    /// How many keys of the event become each new one.
    let sources: [KeyPathPattern: Int]

    init(_ event: SentEvent, _ rule: EventRule, _ rows: TablePlaces) {
      (self.event, self.rule, self.rows) = (event, rule, rows)
      let targets = event.parameters.compactMap { one in
        (try? KeyPathPattern(one.key)).flatMap { rule.target(of: $0) }
      }
      sources = Dictionary(targets.map { ($0, 1) }, uniquingKeysWith: +)
    }

    func entry(_ parameter: SentParameter) -> Entry {
      guard let path = try? KeyPathPattern(parameter.key) else {
        return Entry(kind: .key, old: parameter.key, new: parameter.key, row: nil, byHand: ["it is no path"])
      }
      let row = rule.row(at: path)
      let line = row.flatMap { row in position { rows.place(of: .init(event: $0, source: row.source)) } }
      guard let target = rule.target(of: path) else {
        return Entry(kind: .key, old: parameter.key, new: nil, row: line, byHand: ["leave it out"])
      }
      var byHand: [String] = []
      if target.steps.dropLast() != path.steps.dropLast() { byHand.append("move it to `\(target)`") }
      if sources[target, default: 0] > 1 { byHand.append("several keys become `\(target)`: send one of them") }
      if let row, row.source == path, case .move(_, let value?) = row.action {
        byHand += conversion(value, of: parameter)
      }
      let isOpen = parameter.types.contains { [.unknown, .object, .array].contains($0) }
      if isOpen, let inner = rule.rows.first(where: { $0.source.isAt(path) && $0.source != path }) {
        byHand.append("the table changes `\(inner.source)`, which is not written out here")
      }
      return Entry(kind: .key, old: parameter.key, new: target.description, row: line, byHand: byHand)
    }

    func entry(_ constant: EventRule.Constant) -> Entry {
      Entry(
        kind: .constant, old: "", new: constant.target.description,
        row: position { rows.place(ofConstant: .init(event: $0, source: constant.target)) },
        byHand: ["add it with the value `\(constant.value.canonicalText)`"])
    }

    /// The line of a row of the event's own entry, or of that of `*`.
    private func position(_ find: (ExactText) -> DocumentDiagnostic.Position?) -> Int? {
      (find(ExactText(event.name)) ?? find(ExactText("*")))?.line
    }

    private func conversion(_ value: ValueRule, of parameter: SentParameter) -> [String] {
      var byHand: [String] = []
      let types = parameter.types
      let isType = !types.isEmpty && types.allSatisfy { $0.rawValue == value.type?.rawValue }
      if value.table != nil || !isType && value.type != nil {
        let examples = (parameter.values ?? []).prefix(RenamingList.shownValues).map { old in
          "`\(old.canonicalText)` becomes `\(value.apply(to: old).value.canonicalText)`"
        }
        let how = value.table != nil ? "by the row's `values`" : "to \(value.type?.rawValue ?? "")"
        byHand.append("convert it \(how)" + (examples.isEmpty ? "" : ": " + examples.joined(separator: ", ")))
      }
      if let fallback = value.fallback {
        byHand.append("send `\(fallback.canonicalText)` where it is missing or null")
      }
      return byHand
    }
  }
}

extension SentEvent {
  /// Whether the table would change the event again that it makes of this one.
  fileprivate func isChangedTwice(by table: RemappingTable) -> Bool {
    guard let once = renamed(by: table), let twice = once.renamed(by: table) else { return false }
    return once != twice
  }

  /// The event with its new name and keys alone; `nil` if a key is no path.
  private func renamed(by table: RemappingTable) -> SentEvent? {
    let rule = table.rule(for: name)
    var keys: [String] = rule.constants.map(\.target.description)
    for parameter in parameters {
      guard let path = try? KeyPathPattern(parameter.key) else { return nil }
      if let target = rule.target(of: path) { keys.append(target.description) }
    }
    return SentEvent(
      name: rule.name ?? name, parameters: keys.map { SentParameter(key: $0, isOptional: false, types: []) })
  }
}

extension EventRule {
  /// The innermost row for a key; `nil` if no row names it.
  fileprivate func row(at path: KeyPathPattern) -> RemappingRow? {
    rows.filter { path.isAt($0.source) }.max { $0.source.steps.count < $1.source.steps.count }
  }

  /// The place of a key after this rule; `nil` if the rule drops it.
  fileprivate func target(of path: KeyPathPattern) -> KeyPathPattern? {
    guard let row = row(at: path) else { return unmapped == .drop ? nil : path }
    guard case .move(let target, _) = row.action else { return nil }
    let inner = path.steps.dropFirst(row.source.steps.count).map { step in
      switch step {
      case .key(let key): "." + KeyPathPattern(key: key).description
      case .eachElement: "[]"
      }
    }
    return try? KeyPathPattern(target.description + inner.joined())
  }
}

extension KeyPathPattern {
  /// Whether this is the given place, or inside it.
  fileprivate func isAt(_ place: KeyPathPattern) -> Bool { steps.starts(with: place.steps) }
}
