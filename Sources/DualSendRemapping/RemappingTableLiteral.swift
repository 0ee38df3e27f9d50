import DualSendCore

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
        return try RemappingTable(document.canonicalJSON, name: file, hasPlaces: false)
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
    return .row(to: target, type: row.type, values: values, default: row.fallback)
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
