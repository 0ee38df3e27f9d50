public import DualSendCore

/// Converts a table literal to its JSON document, so that the same code checks both.
struct RemappingTableLiteral {
  private var events: [String: EventValue] = [:]
  /// The source file, for diagnostics.
  private let file: String?
  /// The errors so far.
  private(set) var problems: [DocumentDiagnostic] = []

  init(_ entries: [(String, RemappingTable.Entry)], file: String?) {
    self.file = file
    let path = EventPath([.key("events")])
    let named = entries.map { event, entry in
      (key: event, value: EventValue.object(members(of: entry, at: path.appending(event))))
    }
    events = object(named, at: path, .invalidEventName, ("two entries are named ", ""))
  }

  /// Reads the document. Repeats this without the refused parts until it is valid.
  mutating func table() -> RemappingTable {
    while true {
      let document = EventValue.object(["formatVersion": 1, "events": .object(events)])
      do throws(DocumentError) {
        return try RemappingTable(reading: document.canonicalJSON, name: file, hasPlaces: false)
      } catch {
        let refused = error.diagnostics.filter { $0.severity == .error && $0.code != .moreFindings }
        problems += refused
        let known = events
        for finding in refused { remove(finding.path) }
        if known == events { return RemappingTable() }
      }
    }
  }

  private mutating func members(of entry: RemappingTable.Entry, at path: EventPath) -> [String: EventValue] {
    let rowPath = path.appending("parameters")
    let rows = entry.parameters.map { source, row in (source, value(of: row, at: rowPath.appending(source))) }
    let parameters = object(rows, at: rowPath, .repeatedSource, ("two rows take ", ""))
    let constants = object(entry.constants, at: path.appending("add"), .repeatedTarget, ("`add` writes ", " twice"))
    var members: [String: EventValue] = [:]
    members["name"] = entry.name.map { .string($0) }
    if !parameters.isEmpty { members["parameters"] = .object(parameters) }
    if !constants.isEmpty { members["add"] = .object(constants) }
    members["unmapped"] = entry.unmapped.map { .string($0.rawValue) }
    members["onClash"] = entry.clashPolicy.map { .string($0.rawValue) }
    return members
  }

  private mutating func value(of row: RemappingTable.Row, at path: EventPath) -> EventValue {
    guard let target = row.target else { return .null }
    let values = row.values.map {
      object($0, at: path.appending("values"), .unfitValueTable, ("the value table names ", " twice"))
    }
    return .row(to: target, or: row.alternatives, type: row.type, values: values, default: row.fallback)
  }

  /// The members as an object. Reports repeated keys, of which the first one wins, and keys of comments.
  ///
  /// - Parameter repeated: the message about a repeated key, before and after the key.
  private mutating func object(
    _ members: [(key: String, value: EventValue)], at path: EventPath, _ code: DocumentDiagnostic.Code,
    _ repeated: (before: String, after: String)
  ) -> [String: EventValue] {
    var object: [String: EventValue] = [:]
    for (key, value) in members {
      if JSONNode.Member.isComment(key) {
        let path = path.appending(key)
        problems.append(DocumentDiagnostic(.error, code, "`\(key)` is the key of a comment", file: file, path: path))
      } else if object[key] != nil {
        problems.append(
          DocumentDiagnostic(
            .error, code, repeated.before + "`\(key)`" + repeated.after, file: file, path: path.appending(key),
            help: "keep one of them"))
      } else {
        object[key] = value
      }
    }
    return object
  }

  /// Removes the row or constant at a path; the whole event for any other path.
  private mutating func remove(_ path: EventPath) {
    let keys = path.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
    guard keys.count > 1, case .object(var entry)? = events[keys[1]] else { return }
    if keys.count > 3, case .object(var part)? = entry[keys[2]] {
      part[keys[3]] = nil
      entry[keys[2]] = .object(part)
    } else if keys.count > 2 {
      entry[keys[2]] = nil
    } else {
      events[keys[1]] = nil
      return
    }
    events[keys[1]] = .object(entry)
  }
}

// MARK: - Literal

/// A table as a Swift literal, with the terms of the JSON document.
///
/// ```swift
/// let table: RemappingTable = [
///   "*": .init(parameters: ["uid": "user_id"]),
///   "app.open": .init(name: "app.launch"),
///   "home.like_button.tap": .init(
///     name: "home.like.tap",
///     parameters: ["item_id": "new_item_id", "pos": .init(to: "position", type: .int), "debug": nil],
///     add: ["schema": 2]),
/// ]
/// ```
///
/// The literal is checked like its JSON document. An invalid row is left out, so its value keeps its old name, and
/// ``problems`` gives the reason. A debug build also stops with an assertion; a release build never stops.
extension RemappingTable: ExpressibleByDictionaryLiteral {
  /// Creates a table from an entry for each event; the entry of `*` is for every event.
  public init(dictionaryLiteral entries: (String, Entry)...) {
    self.init(literal: entries, file: nil)
    assert(problems.isEmpty, problemText)
  }

  /// Creates a table from an entry for each event. ``problems`` and the assertion name the source file.
  public init(_ entries: KeyValuePairs<String, Entry>, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(literal: entries.map { ($0.key, $0.value) }, file: "\(fileID)")
    assert(problems.isEmpty, problemText, file: fileID, line: line)
  }

  /// The same without the debug build's assertion.
  init(literal entries: [(String, Entry)], file: String?) {
    var literal = RemappingTableLiteral(entries, file: file)
    self = literal.table()
    problems = literal.problems.inOrder()
  }

  private var problemText: String {
    "\n" + problems.map(\.description).joined(separator: "\n\n")
  }

  /// An event's entry in a table literal, with the members that it has in the JSON document.
  public struct Entry: Sendable {
    let name: String?
    let parameters: [(key: String, value: Row)]
    let constants: [(key: String, value: EventValue)]
    let unmapped: RemappingTable.Unmapped?
    let clashPolicy: RemappingTable.ClashPolicy?

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - name: the event's new name; `nil` keeps the old one.
    ///   - parameters: the rows by the paths of the old values, such as `screen.name` or `items[].id`.
    ///   - add: values to add to each event, by their paths.
    ///   - unmapped: the treatment of values that no row names; `nil` for that of `*`, by default to keep them.
    ///   - onClash: the value that wins a clash; `nil` for that of `*`, by default the row's.
    public init(
      name: String? = nil, parameters: KeyValuePairs<String, Row> = [:], add: KeyValuePairs<String, EventValue> = [:],
      unmapped: RemappingTable.Unmapped? = nil, onClash: RemappingTable.ClashPolicy? = nil
    ) {
      self.name = name
      self.parameters = Array(parameters)
      constants = Array(add)
      self.unmapped = unmapped
      clashPolicy = onClash
    }
  }

  /// A row of a table literal: a string is the new path, `nil` drops the value.
  public struct Row: Sendable, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    let target: String?
    let alternatives: [String]
    let type: ValueType?
    let values: [(key: String, value: EventValue)]?
    let fallback: EventValue?

    /// Creates a row that moves a value and optionally converts it.
    ///
    /// - Parameters:
    ///   - target: the new path.
    ///   - alternatives: further sources, in order: the first value that is not `null` wins.
    ///   - type: the type to convert to.
    ///   - values: new values by the text of the old ones, as described for ``ValueRule/table``.
    ///   - fallback: the default for a value that is absent, `null` or cannot be converted.
    public init(
      to target: String, or alternatives: [String] = [], type: ValueType? = nil,
      values: KeyValuePairs<String, EventValue>? = nil, default fallback: EventValue? = nil
    ) {
      self.target = target
      self.alternatives = alternatives
      self.type = type
      self.values = values.map { Array($0) }
      self.fallback = fallback
    }

    /// Creates a row that moves a value unchanged.
    public init(stringLiteral target: String) {
      self.init(to: target)
    }

    /// Creates a row that drops a value.
    public init(nilLiteral: ()) {
      target = nil
      alternatives = []
      type = nil
      values = nil
      fallback = nil
    }
  }
}
