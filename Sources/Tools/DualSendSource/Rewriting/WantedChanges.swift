import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// The changes that one place needs in order to log with its new name and keys.
///
/// Only names and keys change, where they are written. A row that does more is left to a person.
struct WantedChanges {
  /// Code that several places may share.
  enum Unit: Hashable {
    case text(WrittenSite.Text)
    /// A function that passes its arguments on.
    case forwarder(String)
  }

  enum Change: Hashable {
    case stays
    /// The function calls the tracker.
    case tracker
    case text(String)
  }

  /// Every name and key of the place, with its new text.
  private(set) var changes: [Unit: Change] = [:]
  /// The edits that replace calls of the old logger with the tracker's, by file.
  private(set) var calls: [Int: [TextEdit]] = [:]

  /// - Throws: the reason why the change must be made by hand.
  init(_ one: WrittenSite, _ table: RemappingTable, _ edits: CallEdits, _ uses: OtherUses) throws(NotRewritten) {
    guard one.site.certainty == .exact else { throw NotRewritten(one.site.open.joined(separator: "; ")) }
    guard !one.events.isEmpty else { throw NotRewritten("it hands a function on") }
    if one.function?.staysAfterMigration == true {
      throw NotRewritten("it stays as it is: its event gets the new name and keys where they are written")
    }
    for event in one.events {
      let known = one.site.events.first { $0.name == event.name }?.parameters ?? []
      try add(event, known, table.rule(for: event.name))
    }
    if let function = one.function, !function.isOldLogger { try checkAgain(one.site, table, function) }
    let reasons = changes.compactMap { unit, change -> String? in
      if case .text(let text) = unit, change != .stays { uses.reason(text, of: one) } else { nil }
    }
    if let first = reasons.min(by: String.byteOrder) { throw NotRewritten(first) }
    if let function = one.function {
      if function.isOldLogger { calls[one.place.file] = try edits.edits(one.place) }
      return
    }
    // When all calls through a function are renamed, it calls the tracker.
    for name in one.forwarders where one.isOldLoggers { try note(.forwarder(name), .tracker, name) }
    for place in one.through { calls[place.file, default: []] += try edits.edits(place) }
  }

  private mutating func add(
    _ event: WrittenSite.Event, _ known: [SentParameter], _ rule: EventRule
  ) throws(NotRewritten) {
    try set(event.nameText, event.name, to: rule.name ?? event.name, "name")
    if let constant = rule.constants.first {
      let value = constant.value.canonicalText
      throw NotRewritten("the table sets `\(constant.target)` to `\(value)`: write it by hand")
    }
    for row in rule.rows {
      guard case .move(_, let value?) = row.action, value.fallback != nil else { continue }
      throw NotRewritten("the table has a default for `\(row.source)`: write it by hand")
    }
    var sources: [KeyPathPattern: KeyPathPattern] = [:]
    for key in event.keys {
      let target = try add(key, known, rule)
      let path = KeyPathPattern(keys: key.path)
      if let other = sources.updateValue(path, forKey: target), other != path {
        // A dictionary literal with a key twice stops the app.
        throw NotRewritten("`\(other)` and `\(path)` both become `\(target)`: send one of them")
      }
    }
  }

  /// Renames one key in its place.
  ///
  /// - Returns: its new path.
  private mutating func add(
    _ key: WrittenSite.Key, _ known: [SentParameter], _ rule: EventRule
  ) throws(NotRewritten) -> KeyPathPattern {
    let path = KeyPathPattern(keys: key.path)
    guard let target = rule.target(of: path), let old = key.path.last else {
      throw NotRewritten("the table drops `\(path)`: remove it by hand")
    }
    let parent = key.path.count > 1 ? rule.target(of: KeyPathPattern(keys: key.path.dropLast()))?.steps : []
    guard case .key(let new)? = target.steps.last, target.steps.dropLast().elementsEqual(parent ?? []), parent != nil
    else { throw NotRewritten("the table moves `\(path)` to `\(target)`: move it by hand") }
    try checkValue(at: path, known, rule)
    try set(key.text, old, to: new, "key")
    return target
  }

  /// Leaves a conversion to a person, and a row for a part of a value that is not written out here.
  private func checkValue(
    at path: KeyPathPattern, _ known: [SentParameter], _ rule: EventRule
  ) throws(NotRewritten) {
    let own = known.first { $0.key == path.description }
    let types = own?.types ?? []
    let row = rule.rows.first { $0.source == path }
    if case .move(_, let value?)? = row?.action {
      let isType = !types.isEmpty && types.allSatisfy { $0.rawValue == value.type?.rawValue }
      guard value.table == nil, isType else {
        let examples = (own?.values ?? []).prefix(Self.shownValues).map { old in
          "`\(old.canonicalText)` becomes `\(value.apply(to: old).0.canonicalText)`"
        }
        let shown = examples.isEmpty ? "" : ": " + examples.joined(separator: ", ")
        throw NotRewritten("the table converts `\(path)`: write the conversion by hand" + shown)
      }
    }
    let isOpen =
      types.contains { [.unknown, .object, .array].contains($0) }
      || known.contains { $0.key.hasPrefix(path.description + "[]") }
    if isOpen, let inner = rule.rows.first(where: { $0.source.isAt(path) && $0.source != path }) {
      throw NotRewritten(
        "the table changes `\(inner.source)`, which is not written out here: change it by hand")
    }
  }

  private static let shownValues = 3

  /// A team's own function may still use the wrapped logger, which applies the table to the new names and keys.
  private func checkAgain(
    _ site: CallSite, _ table: RemappingTable, _ function: LoggingFunction
  ) throws(NotRewritten) {
    for event in site.events {
      guard let once = event.renamed(by: table), let twice = once.renamed(by: table) else { continue }
      if once.withoutValues != twice.withoutValues {
        throw NotRewritten(
          "the table would change `\(once.name)` again where `\(function.name)` goes through the wrapped logger: change it"
            + " when that is gone")
      }
    }
  }

  private mutating func set(
    _ text: WrittenSite.Text?, _ old: String, to new: String, _ what: String
  ) throws(NotRewritten) {
    if let text { return try note(.text(text), old == new ? .stays : .text(new), old) }
    if old != new { throw NotRewritten("its \(what) `\(old)` is put together: write `\(new)` by hand") }
  }

  private mutating func note(_ unit: Unit, _ change: Change, _ text: String) throws(NotRewritten) {
    if let other = changes[unit], other != change {
      throw NotRewritten("`\(text)` stands once for several of its events, which the table changes differently")
    }
    changes[unit] = change
  }
}

extension WrittenSite {
  /// Everything that must stay unchanged if the place is kept.
  var units: Set<WantedChanges.Unit> {
    Set(texts.map(WantedChanges.Unit.text)).union(forwarders.map(WantedChanges.Unit.forwarder))
  }
}
