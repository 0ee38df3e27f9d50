package import DualSendCore
import DualSendRemapping
import DualSendTables

/// A remapping table imported from a spreadsheet; see ``TableSheet`` for the columns.
package struct TableImport: Sendable {
  package let json: EventValue
  /// What a person should look at: keys that become one, and keys without a new one.
  package let warnings: [DocumentDiagnostic]
  /// The columns, with their headings where these are others; what was not read; how many lines have the event of a line
  /// above.
  package let reading: String

  package static let columns = TableSheet.columns + [TableSheet.reviewColumn]
  /// What is no line of the table and was left out, each with its place.
  package let leftOut: [String]

  /// The table as indented JSON.
  package var text: String { IndentedJSON.text(json, lineLength: 100, firstKeys: TableDraft.firstKeys) }

  /// - Parameters:
  ///   - columns: the headings of columns that are not recognised; an empty one leaves its column out.
  ///   - words: what stands in place of a new name.
  /// - Throws: all findings with their places in the spreadsheet.
  package init(
    _ bytes: [UInt8], name: String? = nil, columns: [String: String] = [:], words: SheetWords = SheetWords()
  ) throws(DocumentError) {
    let sheet = try Sheet(
      bytes, name: name, known: Self.columns, required: ["event"], chosen: columns, words: words)
    leftOut = sheet.leftOut
    var reader = SheetReader(findings: sheet.findings, hasActions: sheet.columns.contains("action"))
    for row in sheet.rows { reader.read(row) }
    try reader.findings.throwIfAny()
    warnings = reader.findings.warnings(reader.warnings)
    let inherited = reader.inheritedEvents
    let merged = inherited > 0 ? "; \(inherited.counted("line")) without an event: that of the line above" : ""
    reading = sheet.reading + merged
    json = ["formatVersion": 1, "events": .object(reader.entries)]
    do throws(DocumentError) { _ = try RemappingTable(reading: json.canonicalJSON, name: name) } catch {
      for diagnostic in error.diagnostics where diagnostic.severity == .error {
        reader.findings.add(
          diagnostic.code, diagnostic.message, at: reader.offset(of: diagnostic.path), help: diagnostic.help)
      }
      throw reader.findings.error
    }
  }
}

/// Groups the lines of a spreadsheet by event.
private struct SheetReader {
  var findings: SheetFindings
  private var events: [String: [String: EventValue]] = [:]
  /// The rows and constants of each event, by `parameters` and `add`.
  private var lists: [String: [String: [String: EventValue]]] = [:]
  /// The byte offsets of the table's entries.
  private var offsets: [EventPath: Int] = [:]
  private(set) var warnings: [SheetWarning] = []
  /// The number of lines that have the event of the line above: merged cells.
  private(set) var inheritedEvents = 0
  private var lastEvent: String?
  private let hasActions: Bool
  /// Whether a person has looked at the line, by the column `review`.
  private var isReviewed = false
  /// The first key of each new key of each event.
  private var firsts: [String: [String: (key: String, offset: Int)]] = [:]

  init(findings: SheetFindings, hasActions: Bool) {
    (self.findings, self.hasActions) = (findings, hasActions)
  }

  var entries: [String: EventValue] {
    Dictionary(
      uniqueKeysWithValues: events.map { event, members in
        var lists = (lists[event] ?? [:]).mapValues { EventValue.object($0) }
        // That the sheet says of a key that it stays is no oversight.
        if case .object(let rows)? = lists["parameters"], members["unmapped"] == nil {
          lists["parameters"] = .object(
            rows.reduce(into: rows) { rows, row in
              guard row.value == .string(row.key) else { return }
              rows[row.key] = DraftedEvent.Row.staying(row.key)
            })
        }
        return (event, .object(members.merging(lists) { own, _ in own }))
      })
  }

  /// The offset of the line for a path or its nearest ancestor.
  func offset(of path: EventPath) -> Int {
    var path = path
    while !path.steps.isEmpty {
      if let offset = offsets[path] { return offset }
      path.steps.removeLast()
    }
    return 0
  }

  mutating func read(_ row: Sheet.Row) {
    let review = TableSheet.Review(rawValue: row.text(TableSheet.reviewColumn).lowercased())
    isReviewed = review?.isDone ?? false
    if row.name("event").isEmpty, lastEvent != nil { inheritedEvents += 1 }
    guard let event = row.name("event").isEmpty ? lastEvent : row.name("event") else {
      return findings.add(.unfitCell, "the line names no event", at: row.offset, help: "write its old name, or `*`")
    }
    lastEvent = event
    let path = EventPath([.key("events"), .key(event)])
    if events[event] != nil, events.index(exactly: event) == nil {
      return findings.add(
        .contradictoryRows, "`\(event)` is canonically equivalent to another line's event, but its bytes differ",
        at: row.offset,
        help: "write both in one normal form (NFC)")
    }
    if offsets[path] == nil { offsets[path] = row.offset }
    if events[event] == nil { events[event] = [:] }
    for (column, key) in [("new event", "name"), ("unmapped", "unmapped"), ("on clash", "onClash")] {
      let text = row.name(column)
      if !text.isEmpty { setOnce(.string(text), key, of: event, at: row.offset(column), named: column) }
    }
    // A word that is not known approves nothing.
    let isProposal = !row.text(TableSheet.reviewColumn).isEmpty && review != .sure && review != .open
    if isProposal, !isReviewed { warnUnreviewed(row, event) }
    guard let action = action(of: row) else { return }
    refuseIdleCells(of: row, action)
    switch action {
    case .event:
      if review == .open, row.name("new event").isEmpty {
        warnings.append(
          SheetWarning(
            code: .keptKey, message: "`\(event)` has no new name, so it keeps its own", offset: row.offset,
            help: "write one, or `ok` in the column `review`"))
      }
      if let codes = codes(of: row) { setOnce(codes, "allow", of: event, at: row.offset("allow"), named: "allow") }
    case .drop: put(.null, row.name("key"), into: "parameters", of: event, at: row.offset("key"))
    case .move:
      guard let move = move(row) else { break }
      if let first = firsts[event]?[row.name("new key")] {
        if !isReviewed { warnMerged(row, first, of: event) }
        addSource(row, move, to: first.key, of: event)
      } else {
        put(move, row.name("key"), into: "parameters", of: event, at: row.offset("key"))
        firsts[event, default: [:]][row.name("new key")] = (row.name("key"), row.offset("key"))
      }
    case .or:
      guard let first = firsts[event]?[row.name("new key")], let move = move(row) else {
        findings.add(
          .unfitCell, "no line above gives `\(event)` the new key `\(row.name("new key"))`", at: row.offset("action"),
          help: "write `or` in the lines after the one that wins")
        break
      }
      addSource(row, move, to: first.key, of: event)
    case .add:
      guard let value = value(of: "value", in: row) else { return }
      put(value, row.name("new key"), into: "add", of: event, at: row.offset("new key"))
    }
  }

  private mutating func warnUnreviewed(_ row: Sheet.Row, _ event: String) {
    let (key, target) = (row.name("key"), row.name("new key"))
    let proposal =
      key.isEmpty ? "`\(event)` to `\(row.name("new event"))`" : "`\(key)` of `\(event)` to `\(target)`"
    warnings.append(
      SheetWarning(
        code: .unreviewed, message: "\(proposal) is a proposal that is not reviewed", offset: row.offset,
        help: "correct the line or leave it, and write `ok` in the column `review`; other words for it are "
          + TableSheet.Review.approvals.dropFirst().map { "`\($0.rawValue)`" }.joined(separator: ", ")))
  }

  private mutating func warnMerged(_ row: Sheet.Row, _ first: (key: String, offset: Int), of event: String) {
    warnings.append(
      SheetWarning(
        code: .mergedKeys,
        message: "`\(first.key)` and `\(row.name("key"))` of `\(event)` both become `\(row.name("new key"))`",
        offset: row.offset("key"), other: first,
        help: "of both, the first line wins: order the lines, then write `or` as the action; or rename one"))
  }

  private mutating func action(of row: Sheet.Row) -> TableSheet.Action? {
    let (key, target, word) = (row.name("key"), row.name("new key"), row.text("action").lowercased())
    if !word.isEmpty, TableSheet.Action(rawValue: word) == nil {
      let known = TableSheet.Action.allCases.map(\.rawValue)
      let nearest = nearestWord(to: word, among: known).map { "did you mean `\($0)`? " } ?? ""
      findings.add(
        .unfitCell, "unknown action `\(word)`", at: row.offset("action"),
        help: nearest + "one of " + known.joined(separator: ", "))
      return nil
    }
    if row.isNone("new event") {
      findings.add(
        .unfitCell, "a table cannot leave out an event", at: row.offset("new event"),
        help: "remove the line, and retire the event in the rollout (`allowNeither`)")
    }
    let meant: TableSheet.Action =
      switch (key.isEmpty, target.isEmpty) {
      case (true, true): .event
      case (true, false): .add
      case (false, false): .move
      case (false, true): .drop
      }
    if word == meant.rawValue || word.isEmpty && meant != .drop { return meant }
    if meant == .move, word == TableSheet.Action.or.rawValue { return .or }
    if meant == .drop, row.isNone("new key") { return .drop }
    if meant == .drop, !hasActions, isReviewed { return nil }
    if meant == .drop, !hasActions {
      warnings.append(
        SheetWarning(
          code: .keptKey, message: "`\(key)` has no new key, so it keeps its name", offset: row.offset("key"),
          help: "write one, or `drop` in a column `action` if its value is to be left out"))
    } else if meant == .drop {
      findings.add(
        .unfitCell, "`\(key)` has no new key", at: row.offset("key"),
        help: "write one, or `drop` as the action if the value is to be left out")
    } else {
      findings.add(
        .unfitCell, "the action is `\(word)`, but the keys of the line mean `\(meant.rawValue)`",
        at: row.offset("action"), help: "a row has a key, a constant a new key alone, an event's line neither")
    }
    return nil
  }

  /// Reports cells that the line's action does not use.
  private mutating func refuseIdleCells(of row: Sheet.Row, _ action: TableSheet.Action) {
    let used: Set<String> =
      switch action {
      case .event: ["allow"]
      case .move, .or: ["type", "values", "default", "allow"]
      case .drop: []
      case .add: ["value"]
      }
    for column in ["type", "values", "default", "value", "allow"] where !used.contains(column) {
      guard !row.text(column).isEmpty else { continue }
      findings.add(
        .unfitCell, "`\(column)` has no meaning in a line with the action `\(action.rawValue)`",
        at: row.offset(column), help: "leave the cell empty")
    }
  }

  private mutating func move(_ row: Sheet.Row) -> EventValue? {
    var members: [String: EventValue] = [:]
    if !row.text("type").isEmpty { members["type"] = .string(row.text("type")) }
    if !row.text("values").isEmpty {
      guard case .object(let table)? = try? JSONReader().value(row.text("values").utf8) else {
        findings.add(
          .unfitCell, "`values` is not a JSON object", at: row.offset("values"),
          help: #"write it as `{"old": "new", "1": true}`"#)
        return nil
      }
      members["values"] = .object(table)
    }
    if !row.text("default").isEmpty {
      guard let value = value(of: "default", in: row) else { return nil }
      members["default"] = value
    }
    if let codes = codes(of: row) { members["allow"] = codes }
    let target = EventValue.string(row.name("new key"))
    if members.isEmpty { return target }
    members["to"] = target
    return .object(members)
  }

  /// Adds a key to the row of the first key with the same new key.
  private mutating func addSource(_ row: Sheet.Row, _ move: EventValue, to first: String, of event: String) {
    let key = row.name("key")
    guard var entry = lists[event]?["parameters"]?[first] else { return }
    var members: [String: EventValue] = ["to": .string(row.name("new key"))]
    if case .object(let written) = entry { members = written }
    if case .object(let own) = move, own.contains(where: { members[$0.key] != $0.value }) {
      return findings.add(
        .contradictoryRows, "`\(key)` and `\(first)` have one new key and other conversions", at: row.offset("key"),
        help: "write the conversion in the first line only")
    }
    var sources: [EventValue] = []
    if case .array(let known)? = members["or"] { sources = known }
    guard key != first, !sources.contains(.string(key)) else {
      return findings.add(
        .contradictoryRows, "`\(key)` of `\(event)` already has a line", at: row.offset("key"),
        help: "keep one of the two")
    }
    members["or"] = .array(sources + [.string(key)])
    entry = .object(members)
    lists[event]?["parameters"]?[first] = entry
  }

  private mutating func value(of column: String, in row: Sheet.Row) -> EventValue? {
    let text = row.text(column)
    if text.isEmpty {
      findings.add(
        .unfitCell, "the constant has no value", at: row.offset(column), help: "`\"\"` stands for an empty text")
      return nil
    }
    guard let value = TableSheet.value(of: text) else {
      findings.add(
        .unfitCell, "`\(column)` looks like JSON but is not valid", at: row.offset(column),
        help: "write a text that starts like this in double quotes")
      return nil
    }
    return value
  }

  private func codes(of row: Sheet.Row) -> EventValue? {
    let codes = row.text("allow").split(separator: " ")
    return codes.isEmpty ? nil : .array(codes.map { .string(String($0)) })
  }

  private mutating func setOnce(
    _ value: EventValue, _ key: String, of event: String, at offset: Int, named column: String
  ) {
    if let known = events[event]?[key], known != value {
      return findings.add(
        .contradictoryRows, "another line has a different `\(column)` for `\(event)`", at: offset,
        help: "write it once, or the same in each line")
    }
    events[event]?[key] = value
    offsets[EventPath([.key("events"), .key(event), .key(key)])] = offset
  }

  private mutating func put(_ value: EventValue, _ key: String, into list: String, of event: String, at offset: Int) {
    if lists[event]?[list]?[key] != nil {
      return findings.add(
        .contradictoryRows, "`\(key)` of `\(event)` already has a line", at: offset, help: "keep one of the two")
    }
    lists[event, default: [:]][list, default: [:]][key] = value
    offsets[EventPath([.key("events"), .key(event), .key(list), .key(key)])] = offset
  }
}
