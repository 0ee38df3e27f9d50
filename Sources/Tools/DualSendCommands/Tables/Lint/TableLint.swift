import DualSendCore
import DualSendRemapping

/// Warns about valid parts of a table that are probably mistakes.
///
/// The warnings follow from the table alone, without knowledge of the events. Apps do not run it.
struct TableLint {
  let table: TableOutline
  private(set) var reader: DocumentReader
  /// The byte at which each line starts.
  private let lineStarts: [Int]

  /// The warnings that the table does not silence.
  ///
  /// - Parameter bytes: a table that was accepted.
  static func findings(in bytes: [UInt8], name: String) throws(DocumentError) -> [DocumentDiagnostic] {
    var lint = TableLint(try DocumentReader(bytes, name: name))
    lint.readAllowances()
    lint.checkNames()
    for event in [lint.table.shared].compactMap({ $0 }) + lint.table.events {
      lint.checkSpaces(event)
      lint.checkPaths(event)
      lint.checkDrops(event)
      for row in event.rows { lint.checkValues(row) }
    }
    lint.checkTypes()
    return lint.reader.diagnostics
  }

  private init(_ reader: DocumentReader) {
    self.reader = reader
    let bytes = reader.document.source.bytes
    lineStarts = [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    table = TableOutline(of: reader.document.root)
  }

  private mutating func readAllowances() {
    let path = EventPath([.key("events")])
    for entry in reader.document.root.entries(of: "events") {
      let path = path.appending(entry.key)
      readAllowance(of: entry.value, at: path)
      for row in entry.value.entries(of: "parameters") {
        readAllowance(of: row.value, at: path.appending("parameters").appending(row.key))
      }
    }
  }

  private mutating func readAllowance(of node: JSONNode, at path: EventPath) {
    reader.readAllowance(node.member("allow"), at: path)
    reader.warnOfUnknownAllowances(node.member("allow"), at: path)
  }

  mutating func warn(
    _ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, path: EventPath, notes: [String] = [],
    help: String
  ) {
    reader.report(code, message, at: offset, path: path, severity: .warning, notes: notes, help: help)
  }

  /// The line of a byte.
  func line(_ offset: Int) -> Int {
    // Binary search: a table may have thousands of findings, each with a note.
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The rows of `*` that apply to an event because it does not replace them.
  func inheritedRows(of event: TableOutline.Event) -> [TableOutline.Row] {
    guard event.name != TableOutline.wildcard, let shared = table.shared else { return [] }
    return shared.rows.filter { row in !event.rows.contains { $0.source == row.source } }
  }

  /// Whether values without a row are dropped.
  func dropsUnmapped(_ event: TableOutline.Event) -> Bool {
    event.dropsUnmapped ?? table.shared?.dropsUnmapped ?? false
  }
}

extension DocumentReader {
  /// Warns about codes in an `allow` that silence nothing.
  mutating func warnOfUnknownAllowances(_ member: JSONNode.Member?, at path: EventPath) {
    guard let member, case .array(let elements) = member.value.content else { return }
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.content,
        !DocumentDiagnostic.Code.silenceable.contains(DocumentDiagnostic.Code(rawValue: text))
      else { continue }
      report(
        .unknownAllowance, "no warning about a document has the code `\(text)`", at: element.offset,
        path: path.appending(member.key).appending(index), severity: .warning,
        help: "remove it; errors cannot be silenced")
    }
  }
}

// MARK: - Drops

/// Checks of dropped values.
extension TableLint {
  mutating func checkDrops(_ event: TableOutline.Event) {
    checkCancelledDrops(event)
    checkRedundantDrops(event)
    checkEmptyEvents(event)
  }

  private func sharedRow(for row: TableOutline.Row, of event: TableOutline.Event) -> TableOutline.Row? {
    guard event.name != TableOutline.wildcard else { return nil }
    return table.shared?.rows.first { $0.source == row.source }
  }

  private mutating func checkCancelledDrops(_ event: TableOutline.Event) {
    for row in event.rows where !row.isDrop {
      guard let shared = sharedRow(for: row, of: event), shared.isDrop else { continue }
      warn(
        .cancelledDrop, "`*` drops `\(row.source)`, but this row keeps it", at: row.offset, path: row.path,
        notes: ["the row of `*` is in line \(line(shared.offset))"],
        help: "remove the row if the value is dropped for privacy")
    }
  }

  private mutating func checkRedundantDrops(_ event: TableOutline.Event) {
    for row in event.rows where row.isDrop {
      let shared = sharedRow(for: row, of: event)
      if let shared, shared.isDrop {
        warnOfRedundantDrop(row, "`*` already drops `\(row.source)`", line(shared.offset))
      } else if shared == nil, event.name == TableOutline.wildcard ? everyEventDropsUnmapped : dropsUnmapped(event) {
        warnOfRedundantDrop(row, "`\"unmapped\": \"drop\"` already drops `\(row.source)`", nil)
      }
    }
  }

  private mutating func warnOfRedundantDrop(_ row: TableOutline.Row, _ message: String, _ line: Int?) {
    warn(
      .redundantDrop, message, at: row.offset, path: row.path,
      notes: line.map { ["the row of `*` is in line \($0)"] } ?? [], help: "remove the row")
  }

  /// Whether `*` drops values without a row, and no event overrides that.
  private var everyEventDropsUnmapped: Bool {
    table.shared?.dropsUnmapped == true && table.events.allSatisfy { $0.dropsUnmapped != false }
  }

  private mutating func checkEmptyEvents(_ event: TableOutline.Event) {
    let rows = event.rows + inheritedRows(of: event)
    guard dropsUnmapped(event), rows.allSatisfy(\.isDrop) else { return }
    // In a table that lists the allowed values, `*` drops everything on purpose.
    if event.name == TableOutline.wildcard, table.events.contains(where: { $0.rows.contains { !$0.isDrop } }) { return }
    let isOwn = event.unmapped != nil
    warn(
      .dropsEverything,
      (isOwn ? "" : "`*` has ") + "`\"unmapped\": \"drop\"`, and no row keeps a value: all values are dropped",
      at: event.unmapped?.offset ?? event.offset, path: event.unmapped?.path ?? event.path,
      help: "write a row for each value to keep, or `\"unmapped\": \"keep\"`")
  }
}

// MARK: - Names

/// Checks of the names of events and keys.
extension TableLint {
  mutating func checkNames() {
    checkSharedNames()
    let names = table.events.map { TableOutline.Located(text: $0.name, offset: $0.offset, path: $0.path) }
    checkCase(names, of: "event")
    let kept = names.enumerated().filter { table.events[$0.offset].newName == nil }.map(\.element)
    checkCase(kept + table.events.compactMap(\.newName), startingAt: kept.count, of: "new name")
    for name in names where name.text.utf8.contains(UInt8(ascii: "*")) {
      warn(
        .literalWildcard,
        "the `*` in `\(name.text)` is a literal character: the entry matches only an event of this name",
        at: name.offset, path: name.path, help: "write an entry for each event; only `*` alone matches all")
    }
  }

  private mutating func checkSharedNames() {
    var known: [ExactText: TableOutline.Event] = [:]
    for event in table.events {
      guard let other = known.updateValue(event, forKey: ExactText(event.finalName)) else { continue }
      // Entries have different names, so at least one of them was renamed.
      guard let place = event.newName ?? other.newName, !event.isTold(from: other) else { continue }
      let (here, there) = event.newName == nil ? (other, event) : (event, other)
      warn(
        .sharedEventName, "`\(here.name)` and `\(there.name)` both become `\(here.finalName)`", at: place.offset,
        path: place.path,
        notes: ["`\(there.name)` (line \(line(there.offset))) " + (there.newName == nil ? "keeps it" : "gets it too")],
        help:
          "the two cannot be told apart in the new stream: give one of them another name, or each a constant of its own "
          + "with one key in `add`")
    }
  }

  /// Warns about each text that differs from an earlier one only in case.
  private mutating func checkCase(_ texts: [TableOutline.Located], of kind: String) {
    var known: [String: TableOutline.Located] = [:]
    for text in texts {
      let folded = text.text.lowercased()
      guard let other = known[folded] else {
        known[folded] = text
        continue
      }
      // The sources of one row are meant to be alike.
      guard other.text != text.text, other.path != text.path else { continue }
      warn(
        .differsInCase, "the \(kind)s `\(other.text)` and `\(text.text)` differ only in case",
        at: text.offset, path: text.path, notes: ["`\(other.text)` is in line \(line(other.offset))"],
        help: "if both mean the same, spell them alike")
    }
  }

  mutating func checkSpaces(_ event: TableOutline.Event) {
    let name = TableOutline.Located(text: event.name, offset: event.offset, path: event.path)
    for text in [name, event.newName].compactMap({ $0 }) where text.text.hasStraySpace { warnOfSpace(text) }
    let places = (event.sources + event.rows.compactMap(\.target) + event.constants).compactMap { place in
      (try? KeyPathPattern(place.text)).map { (pattern: $0, offset: place.offset, path: place.path) }
    }
    for place in places where place.pattern.keys.contains(where: \.hasStraySpace) {
      warnOfSpace(TableOutline.Located(text: place.pattern.description, offset: place.offset, path: place.path))
    }
  }

  private mutating func warnOfSpace(_ text: TableOutline.Located) {
    warn(
      .straySpace, "the name `\(text.text)` starts or ends with white space", at: text.offset, path: text.path,
      help: "remove it, unless the name really has it")
  }

  /// Checks an event's paths, each alone and against the others.
  mutating func checkPaths(_ event: TableOutline.Event) {
    let inherited = inheritedRows(of: event)
    let own = event.sources
    for source in own where source.text.utf8.contains(UInt8(ascii: "*")) {
      warn(
        .literalWildcard, "the `*` in `\(source.text)` is a literal character", at: source.offset, path: source.path,
        help: "write a row for each key; `[]` matches every element of an array")
    }
    let shared = inherited.map { TableOutline.Located(text: $0.source.description, offset: $0.offset, path: $0.path) }
    checkCase(shared + own, startingAt: shared.count, of: "source")
    let targets = event.rows.compactMap(\.target) + event.constants
    let sharedTargets = inherited.compactMap(\.target)
    checkCase(sharedTargets + targets, startingAt: sharedTargets.count, of: "target")

    var trie = PatternTrie<TableOutline.Located>(refusesContradictions: true)
    for row in shared { _ = (try? KeyPathPattern(row.text)).map { trie.insert($0, row) } }
    for place in own {
      guard let source = try? KeyPathPattern(place.text), case .contradicts(let other)? = trie.insert(source, place)
      else { continue }
      warn(
        .arrayAndObject, "`\(place.text)` and `\(other.text)` expect both an array and an object in one place",
        at: place.offset, path: place.path, notes: ["`\(other.text)` is in line \(line(other.offset))"],
        help: "no event matches both: correct one of them")
    }
  }

  /// The same for texts of which those before `start` are already compared with each other.
  private mutating func checkCase(_ texts: [TableOutline.Located], startingAt start: Int, of kind: String) {
    var seen: Set<String> = []
    let known = texts[..<start].filter { seen.insert($0.text.lowercased()).inserted }
    checkCase(known + texts[start...], of: kind)
  }
}

extension KeyPathPattern {
  /// The keys of the path.
  var keys: [String] {
    steps.compactMap { step in
      if case .key(let key) = step { key } else { nil }
    }
  }
}

extension String {
  /// Whether the text starts or ends with white space or a zero-width character.
  fileprivate var hasStraySpace: Bool {
    [unicodeScalars.first, unicodeScalars.last].contains { scalar in
      scalar.map { $0.properties.isWhitespace || Self.withoutWidth.contains($0) } ?? false
    }
  }

  /// The zero-width space, the word joiner and the byte order mark. Joiners are left out: some scripts end in them.
  private static let withoutWidth: Set<Unicode.Scalar> = ["\u{200B}", "\u{2060}", "\u{FEFF}"]
}
