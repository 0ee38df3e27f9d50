import DualSendCore
public import DualSendRemapping

extension RemappingTable {
  /// The keys that are written first, in this order.
  private static let firstKeys = [
    "formatVersion", "events", "name", "to", "or", "type", "values", "default", "parameters",
  ]

  /// The table as a JSON document, which `dualsend validate` checks. Reading it gives an equivalent table.
  ///
  /// Deterministic: entries and rows are sorted by key. Comments, `allow` and default values are left out. The document of a
  /// table from ``inverted()`` may be invalid, because an entry cannot remove a row of `*`.
  public var json: String {
    var events = rules.mapValues { $0.entry(besides: ruleForOthers) }
    let wildcard = ruleForOthers.entry(besides: EventRule())
    if !wildcard.isEmpty { events[EventDraft.wildcardName] = wildcard }
    let document: EventValue = [
      "formatVersion": .int(RemappingTableReader.formatVersion),
      "events": .object(events.mapValues { .object($0) }),
    ]
    return IndentedJSON.text(document, lineLength: 100, firstKeys: Self.firstKeys)
  }
}

extension EventRule {
  /// The entry for this rule in a document whose `*` entry gives `wildcard`.
  fileprivate func entry(besides wildcard: EventRule) -> [String: EventValue] {
    let own = rows.filter { !wildcard.rows.contains($0) }
    let rows = own.filter { $0.rank == 0 }.map { ($0.source.description, $0.json(with: own)) }
    let added = constants.filter { !wildcard.constants.contains($0) }.map { ($0.target.description, $0.value) }
    var entry: [String: EventValue] = [:]
    entry["name"] = name.map { .string($0) }
    if !rows.isEmpty { entry["parameters"] = .object(Dictionary(rows) { first, _ in first }) }
    if !added.isEmpty { entry["add"] = .object(Dictionary(added) { first, _ in first }) }
    if unmapped != wildcard.unmapped { entry["unmapped"] = .string(unmapped.rawValue) }
    if clashPolicy != wildcard.clashPolicy { entry["onClash"] = .string(clashPolicy.rawValue) }
    return entry
  }
}

extension RemappingRow {
  /// - Parameter rows: has the rows with the same target and a higher rank.
  fileprivate func json(with rows: [RemappingRow]) -> EventValue {
    guard case .move(let target, let rule) = action else { return .null }
    let others = rows.filter { $0.rank > 0 && $0.target == target }.inOrder { $0.rank < $1.rank }
    return .row(
      to: target.description, or: others.map(\.source.description), type: rule?.type, values: rule?.table,
      default: rule?.fallback)
  }
}
