package import DualSendCore

/// Merges the rows of `*` into each event and checks the paths of the result for conflicts.
struct RuleMerger {
  private(set) var reader: DocumentReader
  private let wildcard: EventDraft
  private let wildcardWritesBeyondASCII: Bool

  init(reader: DocumentReader, wildcard: EventDraft) {
    self.reader = reader
    self.wildcard = wildcard
    wildcardWritesBeyondASCII = wildcard.writesBeyondASCII
  }

  /// The rule for events that have no entry of their own.
  mutating func ruleForOthers() -> EventRule {
    rule(own: wildcard, inherited: EventDraft())
  }

  /// The rule of one event; a row of its own takes the place of a wildcard row with the same source.
  mutating func rule(of draft: EventDraft) -> EventRule {
    let sources = Set(draft.rows.map(\.content.source))
    let targets = Set(draft.constants.map(\.content.target))
    var inherited = wildcard
    inherited.rows.removeAll { sources.contains($0.content.source) }
    inherited.constants.removeAll { targets.contains($0.content.target) }
    return rule(own: draft, inherited: inherited)
  }

  private mutating func rule(own: EventDraft, inherited: EventDraft) -> EventRule {
    compareSources(own: own.rows, inherited: inherited.rows)
    compareTargets(own: own, inherited: inherited)
    let rule = EventRule(
      name: own.newName,
      rows: (own.rows + inherited.rows).map(\.content),
      constants: (own.constants + inherited.constants).map(\.content).inOrder { $0.target < $1.target },
      unmapped: own.unmapped ?? wildcard.unmapped ?? .keep,
      clashPolicy: own.clashPolicy ?? wildcard.clashPolicy ?? .mapped)
    warnOfIdleRows(own.rows, in: rule)
    return rule
  }

  /// A row or constant that uses a path, for notes.
  private struct Origin {
    let label: String
    let offset: Int
  }

  private mutating func compareSources(
    own: [EventDraft.Located<RemappingRow>], inherited: [EventDraft.Located<RemappingRow>]
  ) {
    var trie = PatternTrie<Origin>(refusesContradictions: false)
    // Conflicts among the rows of `*` are reported when `*` itself is merged.
    for row in inherited { _ = trie.insert(row.content.source, claim(row, ofWildcard: true)) }
    for row in own {
      switch trie.insert(row.content.source, claim(row, ofWildcard: false)) {
      case .same(let other)?:
        report(
          .repeatedSource, "two rows take `\(row.content.source)`", row, other, "takes it",
          help: "keep one of them")
      case .nested(let other)?, .contradicts(let other)?:
        report(
          .nestedSources, "`\(row.content.source)` overlaps the source of another row", row, other,
          "takes a value around or inside it", help: "name the inner values one by one")
      case nil: break
      }
    }
  }

  private mutating func compareTargets(own: EventDraft, inherited: EventDraft) {
    var trie = PatternTrie<Origin>(refusesContradictions: true)
    for target in inherited.targets { _ = trie.insert(target.content, claim(target, ofWildcard: true)) }
    for target in own.targets { insert(target, into: &trie) }
    compareSpellings(own: own, inherited: inherited)
  }

  /// Reports targets that are canonically equivalent but have different bytes: a payload can hold only one of them.
  private mutating func compareSpellings(own: EventDraft, inherited: EventDraft) {
    // Saves time at launch: nearly every table is ASCII.
    guard wildcardWritesBeyondASCII || own.writesBeyondASCII else { return }
    let ownTargets = own.targets
    let targets = inherited.targets + ownTargets
    var known: [String: (spelling: String, claim: Origin)] = [:]
    for (index, target) in targets.enumerated() {
      let isOwn = index >= targets.count - ownTargets.count
      for spelling in target.content.prefixes {
        guard let other = known[spelling] else {
          known[spelling] = (spelling, claim(target, ofWildcard: !isOwn))
          continue
        }
        // Conflicts among the rows of `*` are reported when `*` itself is merged.
        guard isOwn, !other.spelling.isExactly(spelling) else { continue }
        report(
          .equivalentTargets, "`\(spelling)` is canonically equivalent to another row's target, but its bytes differ",
          target,
          other.claim, "writes there", help: "write both in one normal form (NFC), or rename one of them")
        break
      }
    }
  }

  private mutating func insert(_ placed: EventDraft.Located<KeyPathPattern>, into trie: inout PatternTrie<Origin>) {
    let target = placed.content
    switch trie.insert(target, claim(placed, ofWildcard: false)) {
    case .same(let other)?:
      report(
        .repeatedTarget, "two rows write `\(target)`", placed, other, "already writes it", help: "rename one of them")
    case .nested(let other)?:
      report(
        .nestedTargets, "`\(target)` overlaps the target of another row", placed, other,
        "writes around or inside it", help: "choose places that do not contain one another")
    case .contradicts(let other)?:
      report(
        .nestedTargets, "`\(target)` needs an array where another row needs an object, or the other way round",
        placed, other, "writes there", help: "choose another place for one of them")
    case nil: break
    }
  }

  private func claim<Content>(_ placed: EventDraft.Located<Content>, ofWildcard: Bool) -> Origin {
    Origin(label: ofWildcard ? "`\(placed.label)` of `*`" : "`\(placed.label)`", offset: placed.offset)
  }

  private mutating func report<Content>(
    _ code: DocumentDiagnostic.Code, _ message: String, _ placed: EventDraft.Located<Content>, _ other: Origin,
    _ deed: String, help: String
  ) {
    let line = reader.hasPlaces ? " (line \(reader.document.source.position(at: other.offset).line))" : ""
    reader.report(
      code, message, at: placed.offset, path: placed.path, notes: [other.label + line + " " + deed], help: help)
  }

  /// Warns of rows that move a value onto itself, unless they override `*` or `unmapped`.
  private mutating func warnOfIdleRows(_ rows: [EventDraft.Located<RemappingRow>], in rule: EventRule) {
    guard rule.unmapped == .keep else { return }
    let inheritedSources = Set(wildcard.rows.map(\.content.source))
    for row in rows {
      guard row.content.action == .move(to: row.content.source, nil),
        !rule.rows.contains(where: { $0.rank > 0 && $0.target == row.content.source }),
        !inheritedSources.contains(row.content.source) || row.path.steps.contains(.key(EventDraft.wildcardName))
      else { continue }
      reader.report(
        .idleRow, "this row changes nothing", at: row.offset, path: row.path, severity: .warning,
        help: "remove it: what no row names is kept")
    }
  }
}

// MARK: - Event draft

/// An event's entry as read, before the rows of `*` are merged and the paths are compared.
package struct EventDraft {
  /// A part of the table with its position for diagnostics.
  struct Located<Content> {
    let content: Content
    let offset: Int
    let path: EventPath
    /// The term for notes: the source of a row, `add.schema` for a constant.
    let label: String
  }

  /// The name of the entry for every event.
  package static let wildcardName = "*"

  var newName: String?
  var rows: [Located<RemappingRow>] = []
  var constants: [Located<EventRule.Constant>] = []
  var unmapped: RemappingTable.Unmapped?
  var clashPolicy: RemappingTable.ClashPolicy?

  /// Whether a row or a constant writes to a key that is not ASCII.
  var writesBeyondASCII: Bool {
    rows.contains { $0.content.target?.isASCII == false } || constants.contains { !$0.content.target.isASCII }
  }

  /// The targets of all rows, then those of all constants. The sources of one entry have one target, which is there once.
  var targets: [Located<KeyPathPattern>] {
    let firsts = rows.indices.filter { $0 == 0 || rows[$0].path != rows[$0 - 1].path }.map { rows[$0] }
    return firsts.compactMap { row in row.content.target.map { row.holding($0) } }
      + constants.map { $0.holding($0.content.target) }
  }
}

extension EventDraft.Located {
  /// Other content with the same position.
  func holding<Other>(_ content: Other) -> EventDraft.Located<Other> {
    EventDraft.Located<Other>(content: content, offset: offset, path: path, label: label)
  }
}

// MARK: - Remapping codes

extension DocumentDiagnostic.Code {
  /// A path that cannot be read.
  static let invalidPath = DocumentDiagnostic.Code(rawValue: "DS0101")
  /// Two rows of one event name the same source.
  static let repeatedSource = DocumentDiagnostic.Code(rawValue: "DS0102")
  /// Two rows of one event write the same target.
  static let repeatedTarget = DocumentDiagnostic.Code(rawValue: "DS0103")
  /// One source contains another.
  static let nestedSources = DocumentDiagnostic.Code(rawValue: "DS0104")
  /// One target contains another, or needs an array where another needs an object.
  static let nestedTargets = DocumentDiagnostic.Code(rawValue: "DS0105")
  /// A type that conversions do not know.
  static let unknownType = DocumentDiagnostic.Code(rawValue: "DS0106")
  /// A value table that is empty, holds containers, or does not fit the row's type.
  static let unfitValueTable = DocumentDiagnostic.Code(rawValue: "DS0107")
  /// Source and target do not walk over the same number of arrays.
  static let unevenArrays = DocumentDiagnostic.Code(rawValue: "DS0108")
  /// A word that `unmapped` or `onClash` does not know.
  static let unknownWord = DocumentDiagnostic.Code(rawValue: "DS0109")
  /// An event name that can match nothing, or a new name where none can be.
  static let invalidEventName = DocumentDiagnostic.Code(rawValue: "DS0110")
  /// A default that does not fit the row's type.
  static let unfitDefault = DocumentDiagnostic.Code(rawValue: "DS0111")
  /// `or` without a key.
  static let noAlternatives = DocumentDiagnostic.Code(rawValue: "DS0131")
  /// Two targets of one event are equal to Unicode, and their bytes are not.
  static let equivalentTargets = DocumentDiagnostic.Code(rawValue: "DS0113")
}

extension DocumentDiagnostic.Code {
  /// A row that changes nothing.
  package static let idleRow = DocumentDiagnostic.Code(rawValue: "DS0112")
}
