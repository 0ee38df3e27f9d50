import DualSendCodeGeneration
import DualSendCore
import DualSendInventory
import DualSendRemapping
import DualSendSource

/// The changes that one place needs in order to log with its new name and keys.
struct WantedChanges {
  /// Code that several places may share.
  enum Unit: Hashable {
    case text(WrittenSite.Text)
    case element(WrittenSite.Entry)
    /// A function that passes its arguments on.
    case forwarder(String)
  }

  enum Change: Hashable {
    case stays
    /// The function calls the tracker.
    case tracker
    case text(String)
    case element(ElementChange)
  }

  /// Every name and key of the place, with its new text.
  private(set) var changes: [Unit: Change] = [:]
  /// The edits that only this place needs, or all places with the same elements; by file.
  private(set) var edits: [Int: [SourceEdit]] = [:]
  /// The files in which calls are replaced with the tracker's.
  private(set) var callers: Set<Int> = []
  private var constants: [String]?

  /// - Throws: the reason why the change must be made by hand.
  init(
    _ one: WrittenSite, _ table: RemappingTable, _ calls: CallEdits, _ dictionaries: DictionaryEdits, _ uses: OtherUses
  ) throws(NotRewritten) {
    guard one.site.certainty == .exact else { throw NotRewritten(one.site.open.joined(separator: "; ")) }
    guard !one.events.isEmpty else { throw NotRewritten("it hands a function on") }
    if one.function?.staysAfterMigration == true {
      throw NotRewritten("it stays as it is: its event gets the new name and keys where they are written")
    }
    for event in one.events { try add(event, of: one.site, table.rule(for: event.name)) }
    if let function = one.function, !function.isOldLogger { try checkAgain(one.site, table, function) }
    let reasons = changes.filter { $0.value != .stays }.keys.compactMap { unit -> String? in
      switch unit {
      case .text(let text): uses.reason(text, of: one)
      case .element(let entry): uses.reason(entry, of: one)
      case .forwarder: nil
      }
    }
    if let first = reasons.min(by: String.byteOrder) { throw NotRewritten(first) }
    let elements = changes.compactMap { unit, change -> (WrittenSite.Entry, ElementChange)? in
      guard case .element(let entry) = unit, case .element(let change) = change else { return nil }
      return (entry, change)
    }
    edits = try dictionaries.edits(Dictionary(elements) { first, _ in first })
    guard let function = one.function else {
      if let first = constants?.first { throw NotRewritten("the table adds `\(first)`: write it by hand") }
      // When all calls through a function are renamed, it calls the tracker.
      for name in one.forwarders where one.isOldLoggers { try note(.forwarder(name), .tracker, name) }
      for place in one.through {
        edits[place.file, default: []] += try calls.edits(place)
        callers.insert(place.file)
      }
      return
    }
    if function.isOldLogger { callers.insert(one.file) }
    let around = edits[one.file] ?? []
    for edit in try calls.edits(one, function, adding: constants ?? []) {
      let start = edit.range.lowerBound
      let outer = around.first { $0.range.lowerBound < start && edit.range.upperBound <= $0.range.upperBound }
      if let outer, edit.isLast, outer.replacement == ":" {
        throw NotRewritten("the table drops all keys of its dictionary and adds others: write it by hand")
      }
      // A dictionary that is written anew has an explicit type; constants follow its elements.
      if outer == nil || edit.isLast { edits[one.file, default: []].append(edit) }
    }
  }

  private mutating func add(
    _ event: WrittenSite.Event, of site: CallSite, _ rule: EventRule
  ) throws(NotRewritten) {
    try set(event.nameText, event.name, to: rule.name ?? event.name, "name")
    let known = site.events.first { $0.name == event.name }?.parameters ?? []
    for key in event.keys { try add(key, in: event, known, rule) }
    try checkAlternatives(rule, event)
    try checkArrays(rule, event)
    try checkClashes(rule, known)
    for row in rule.rows {
      if case .move(_, let value?) = row.action, value.fallback != nil,
        !event.keys.contains(where: { KeyPathPattern(keys: $0.path) == row.source })
      {
        throw NotRewritten("the table has a default for `\(row.source)`: write it by hand")
      }
    }
    let missing = rule.constants.filter { constant in
      // An element that moves elsewhere frees its key.
      !event.keys.contains { key in
        let path = KeyPathPattern(keys: key.path)
        return path == constant.target && !rule.rows.contains { $0.source == path && $0.action != .drop }
      }
    }
    let added = try missing.map { constant throws(NotRewritten) in
      guard let key = constant.target.onlyKey, let value = constant.value.swiftLiteral else {
        throw NotRewritten("the table adds `\(constant.target)`: write it by hand")
      }
      return SwiftLiteral.string(key) + ": " + value
    }
    if let constants, constants != added {
      throw NotRewritten("the table adds different keys to its events: write them by hand")
    }
    constants = added
  }

  /// Two elements of one dictionary cannot get one key.
  private func checkAlternatives(_ rule: EventRule, _ event: WrittenSite.Event) throws(NotRewritten) {
    for row in rule.rows where row.rank > 0 {
      let sources = rule.rows.filter { $0.target == row.target }.map(\.source)
      let sent = sources.filter { source in event.keys.contains { KeyPathPattern(keys: $0.path) == source } }
      guard let target = row.target, sent.count > 1 else { continue }
      throw NotRewritten("`\(sent[0])` and `\(sent[1])` both become `\(target)`: send one of them")
    }
  }

  private mutating func add(
    _ key: WrittenSite.Key, in event: WrittenSite.Event, _ known: [SentParameter], _ rule: EventRule
  ) throws(NotRewritten) {
    let path = KeyPathPattern(keys: key.path)
    guard let last = key.path.last else { return }
    let row = rule.rows.first { $0.source == path }
    let isInside = rule.rows.contains { path.isAt($0.source) && path != $0.source }
    let isDropped =
      row?.action == .drop
      || rule.unmapped == .drop && !rule.rows.contains { path.isAt($0.source) || $0.source.isAt(path) }
    if isInside {
      // An element that is removed with its parent needs no change; one that moves with it keeps its own key.
      return try keep(key)
    }
    if row == nil || row?.action == .drop, let constant = rule.constants.first(where: { $0.target == path }) {
      guard rule.clashPolicy == .mapped || row != nil else { return try keep(key) }
      guard let value = constant.value.swiftLiteral,
        known.first(where: { $0.key == path.description })?.isOptional == false
      else { throw NotRewritten("the table sets `\(path)`: write it by hand") }
      return try set(key.entry, .replace(value), "sets `\(path)`: write it by hand")
    }
    if isDropped { return try set(key.entry, .drop, "drops `\(path)`: remove it by hand") }
    guard case .move(let target, let value)? = row?.action else {
      let types = known.first { $0.key == path.description }?.types ?? []
      if let inner = rule.rows.first(where: { $0.source.isAt(path) }),
        types.contains(.unknown) || types.contains(.object)
      {
        throw NotRewritten("the table changes `\(inner.source)`, which is not written out here: change it by hand")
      }
      return try keep(key)
    }
    let needed = value.flatMap { rule in
      let types = known.first { $0.key == path.description }?.types ?? []
      let isType = !types.isEmpty && types.allSatisfy { $0.rawValue == rule.type?.rawValue }
      return rule.table == nil && rule.fallback == nil && isType ? nil : rule
    }
    let keys = target.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
    let parent = key.path.dropLast()
    let byHand = "moves `\(path)` to `\(target)`: move it by hand"
    guard keys.count == target.steps.count else { throw NotRewritten("the table " + byHand) }
    if keys.count == key.path.count, keys.dropLast() == parent, let new = keys.last {
      if let needed { try set(key.entry, .convert(needed), "converts `\(path)`: write the conversion by hand") }
      return try set(key.text, last, to: new, "key")
    }
    let isBelow = keys.count > parent.count && keys.starts(with: parent)
    guard isBelow || parent.count == 1 else { throw NotRewritten("the table " + byHand) }
    let change = ElementChange.move(
      keys: isBelow ? Array(keys.dropFirst(parent.count)) : keys, leaves: !isBelow, needed)
    try set(key.entry, change, byHand)
  }

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

  /// A row that walks over arrays must be applied by hand.
  private func checkArrays(_ rule: EventRule, _ event: WrittenSite.Event) throws(NotRewritten) {
    for row in rule.rows where row.source.steps.contains(.eachElement) {
      if event.keys.contains(where: { key in row.source.steps.first == KeyPathPattern(keys: key.path).steps.first }) {
        throw NotRewritten("the table moves `\(row.source)`, which stands in an array: change it by hand")
      }
    }
  }

  /// Leaves a call to a person if two of its keys end at the same place, or one inside the other: which of them wins can
  /// depend on their values, and a dictionary literal with a key twice stops the app.
  private func checkClashes(_ rule: EventRule, _ parameters: [SentParameter]) throws(NotRewritten) {
    var sources: [KeyPathPattern: KeyPathPattern] = [:]
    for parameter in parameters {
      guard let path = try? KeyPathPattern(parameter.key) else { continue }
      if let target = rule.target(of: path), let other = sources.updateValue(path, forKey: target) {
        throw NotRewritten("the table moves `\(other)` and `\(path)` to `\(target)`: change it by hand")
      }
    }
    let constants = rule.constants.map(\.target)
    for (target, path) in sources {
      let others = sources.keys.filter { $0 != target } + constants.filter { $0 != target }
      if let other = others.first(where: { $0.isAt(target) || target.isAt($0) }) {
        throw NotRewritten("the table writes `\(target)` and `\(other)`, one inside the other: change it by hand")
      }
      // A dictionary that `path` moves into and that another key is written in.
      let entered = target.steps.indices.dropFirst().map { target.steps[..<$0] }.filter { !path.steps.starts(with: $0) }
      if let other = sources.first(where: { other in
        entered.contains { other.key.steps.starts(with: $0) && other.value.steps.starts(with: $0) }
      }) {
        throw NotRewritten("the table moves `\(path)` into the dictionary of `\(other.value)`: move it by hand")
      }
    }
  }

  // MARK: units

  private mutating func keep(_ key: WrittenSite.Key) throws(NotRewritten) {
    if let text = key.text { try note(.text(text), .stays, text.text) }
    if let entry = key.entry { try note(.element(entry), .stays, key.path.last ?? "") }
  }

  private mutating func set(
    _ entry: WrittenSite.Entry?, _ change: ElementChange, _ what: String
  ) throws(NotRewritten) {
    guard let entry else { throw NotRewritten("the table " + what) }
    try note(.element(entry), .element(change), "an element")
  }

  /// Sets the new text of a text. If more text follows, only the start is set.
  private mutating func set(
    _ text: WrittenSite.Text?, _ old: String, to new: String, _ what: String
  ) throws(NotRewritten) {
    guard let text else {
      if old == new { return }
      throw NotRewritten("its \(what) `\(old)` is put together: write `\(new)` by hand")
    }
    let rest = old.utf8.dropFirst(text.text.utf8.count)
    guard old.utf8.starts(with: text.text.utf8), new.utf8.count >= rest.count,
      new.utf8.suffix(rest.count).elementsEqual(rest),
      let beginning = String(new.utf8.dropLast(rest.count)), !beginning.isEmpty
    else {
      throw NotRewritten(
        "its \(what) `\(old)` begins with `\(text.text)` and is computed from there: `\(new)` does not end the same,"
          + " write it by hand")
    }
    try note(.text(text), beginning == text.text ? .stays : .text(beginning), text.text)
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
    var units: Set<WantedChanges.Unit> = []
    for event in events {
      for text in [event.nameText] + event.keys.map(\.text) { if let text { units.insert(.text(text)) } }
      for entry in event.keys.compactMap(\.entry) { units.insert(.element(entry)) }
    }
    for name in forwarders { units.insert(.forwarder(name)) }
    return units
  }
}

extension KeyPathPattern {
  /// A path of keys.
  init(keys: [String]) {
    let text = keys.map { KeyPathPattern(key: $0).description }.joined(separator: ".")
    self = (try? KeyPathPattern(text)) ?? KeyPathPattern(key: keys.last ?? "")
  }
}
