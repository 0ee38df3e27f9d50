import DualSendCore
import DualSendRemapping

/// Checks of the names of events and keys.
extension TableLint {
  mutating func checkNames() {
    checkSharedNames()
    let names = table.events.map { TableOutline.Placed(text: $0.name, offset: $0.offset, path: $0.path) }
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
      guard let place = event.newName ?? other.newName else { continue }
      let (here, there) = event.newName == nil ? (other, event) : (event, other)
      warn(
        .sharedEventName, "`\(here.name)` and `\(there.name)` both become `\(here.finalName)`", at: place.offset,
        path: place.path,
        notes: ["`\(there.name)` (line \(line(there.offset))) " + (there.newName == nil ? "keeps it" : "gets it too")],
        help: "the two cannot be told apart in the new stream: give one of them another name")
    }
  }

  /// Warns about each text that differs from an earlier one only in case.
  private mutating func checkCase(_ texts: [TableOutline.Placed], of kind: String) {
    var known: [String: TableOutline.Placed] = [:]
    for text in texts {
      let folded = text.text.lowercased()
      guard let other = known[folded] else {
        known[folded] = text
        continue
      }
      guard other.text != text.text else { continue }
      warn(
        .differsInCase, "the \(kind)s `\(other.text)` and `\(text.text)` differ only in case",
        at: text.offset, path: text.path, notes: ["`\(other.text)` is in line \(line(other.offset))"],
        help: "if both mean the same, spell them alike")
    }
  }

  mutating func checkSpaces(_ event: TableOutline.Event) {
    let name = TableOutline.Placed(text: event.name, offset: event.offset, path: event.path)
    for text in [name, event.newName].compactMap({ $0 }) where text.text.hasStraySpace { warnOfSpace(text) }
    let sources = event.rows.map { (pattern: $0.source, offset: $0.offset, path: $0.path) }
    let targets = (event.rows.compactMap(\.target) + event.constants).compactMap { place in
      (try? KeyPathPattern(place.text)).map { (pattern: $0, offset: place.offset, path: place.path) }
    }
    for place in sources + targets where place.pattern.keys.contains(where: \.hasStraySpace) {
      warnOfSpace(TableOutline.Placed(text: place.pattern.description, offset: place.offset, path: place.path))
    }
  }

  private mutating func warnOfSpace(_ text: TableOutline.Placed) {
    warn(
      .straySpace, "the name `\(text.text)` starts or ends with white space", at: text.offset, path: text.path,
      help: "remove it, unless the name really has it")
  }

  /// Checks an event's paths, each alone and against the others.
  mutating func checkPaths(_ event: TableOutline.Event) {
    let inherited = inheritedRows(of: event)
    for row in event.rows where row.source.keys.contains(where: { $0.utf8.contains(UInt8(ascii: "*")) }) {
      warn(
        .literalWildcard, "the `*` in `\(row.source)` is a literal character", at: row.offset, path: row.path,
        help: "write a row for each key; `[]` matches every element of an array")
    }
    let own = event.rows.map { TableOutline.Placed(text: $0.source.description, offset: $0.offset, path: $0.path) }
    let shared = inherited.map { TableOutline.Placed(text: $0.source.description, offset: $0.offset, path: $0.path) }
    checkCase(shared + own, startingAt: shared.count, of: "source")
    let targets = event.rows.compactMap(\.target) + event.constants
    let sharedTargets = inherited.compactMap(\.target)
    checkCase(sharedTargets + targets, startingAt: sharedTargets.count, of: "target")

    var trie = PatternTrie<TableOutline.Placed>(refusesContradictions: true)
    for row in shared { _ = (try? KeyPathPattern(row.text)).map { trie.insert($0, row) } }
    for (row, place) in zip(event.rows, own) {
      guard case .contradicts(let other)? = trie.insert(row.source, place) else { continue }
      warn(
        .arrayAndObject, "`\(row.source)` and `\(other.text)` expect both an array and an object in one place",
        at: row.offset, path: row.path, notes: ["`\(other.text)` is in line \(line(other.offset))"],
        help: "no event matches both: correct one of them")
    }
  }

  /// The same for texts of which those before `start` are already compared with each other.
  private mutating func checkCase(_ texts: [TableOutline.Placed], startingAt start: Int, of kind: String) {
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
