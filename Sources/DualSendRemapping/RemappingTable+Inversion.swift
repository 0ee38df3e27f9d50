public import DualSendCore

/// Why a remapping table cannot be undone: one row or one setting.
public struct InversionObstacle: Sendable, Hashable {
  /// What stands in the way.
  public enum Reason: Sendable, Hashable {
    /// The row leaves its value out.
    case drops
    /// The row changes values, and two old ones may become the same new one.
    case changesValues
    /// The row walks over an array, and an element without the key cannot be told from a missing one.
    case walksOverArrays
    /// Values that no row names are left out.
    case dropsUnmapped
    /// Another event has the same new name.
    case sharesName(with: String)
  }

  /// The event's old name; `*` for events without an entry.
  public let event: String
  /// The row, if it is about one.
  public let source: KeyPathPattern?
  /// What stands in the way.
  public let reason: Reason
}

extension InversionObstacle: CustomStringConvertible, Comparable {
  /// One factual line.
  public var description: String {
    let row = source.map { "`\(event)`, `\($0)`: " } ?? "`\(event)`: "
    return switch reason {
    case .drops: row + "the value is dropped"
    case .changesValues: row + "different values may become the same"
    case .walksOverArrays: row + "the path walks over an array"
    case .dropsUnmapped: row + "values without a row are dropped"
    case .sharesName(let other): row + "gets the same name as `\(other)`"
    }
  }

  /// Orders by event, then row.
  public static func < (left: InversionObstacle, right: InversionObstacle) -> Bool {
    let texts = [left, right].map { obstacle in
      [obstacle.event, obstacle.source?.description ?? "", obstacle.description].map(ExactText.init)
    }
    return texts[0].lexicographicallyPrecedes(texts[1])
  }
}

extension RemappingTable {
  /// Whether the table can be undone.
  public var isInvertible: Bool { inversionObstacles.isEmpty }

  /// Everything that keeps the table from being undone, sorted; empty if nothing does.
  public var inversionObstacles: [InversionObstacle] {
    let shared = ruleForOthers.inversionObstacles(event: EventDraft.wildcardName)
    var obstacles = shared
    var oldNames: [String: String] = [:]
    // A dictionary of the table's new names cannot hold two that Unicode calls equal either.
    for (event, rule) in rules.sorted(by: { String.byteOrder($0.key, $1.key) }) {
      // What comes from `*` is said of `*`.
      obstacles += rule.inversionObstacles(event: event).filter { obstacle in
        !shared.contains { $0.source == obstacle.source && $0.reason == obstacle.reason }
      }
      if let other = oldNames.updateValue(event, forKey: rule.name ?? event) {
        obstacles.append(InversionObstacle(event: event, source: nil, reason: .sharesName(with: other)))
      }
    }
    return obstacles.sorted()
  }

  /// The table from new to old; `nil` if ``inversionObstacles`` has any.
  ///
  /// Applying this table to a remapped event gives the old name and payload again, unless values clashed or the old event
  /// could be taken for a remapped one. Constants of `add` are taken out.
  public func inverted() -> RemappingTable? {
    guard isInvertible else { return nil }
    let inverses = rules.map { event, rule in (rule.name ?? event, rule.inverted(oldName: event)) }
    return RemappingTable(
      rules: Dictionary(inverses, uniquingKeysWith: { first, _ in first }),
      ruleForOthers: ruleForOthers.inverted(oldName: nil))
  }
}

extension RemappingTable {
  /// Whether ``inverted()``, if there is one, turns this very event back into the old one. For people: slower than
  /// remapping it.
  ///
  /// False when values clash, when the old payload has a value that no row names at a place that rows write to, or an empty
  /// object into which they write, and when the name is another event's new name: nothing tells such from remapped ones.
  public func isReversible(_ name: String, payload: [String: EventValue]) -> Bool {
    if !hasEntry(for: name), rules.values.contains(where: { $0.name?.isExactly(name) == true }) { return false }
    guard apply(to: name, payload: payload).clashes == 0 else { return false }
    let rule = rule(for: name)
    guard rule.unmapped != .drop else { return true }
    let taken = PayloadWalk(rows: rule.rows).take(from: payload, recordingPaths: false)
    let targets = rule.rows.compactMap(\.target) + rule.constants.map(\.target)
    let written =
      (taken.moved + taken.absent).compactMap { rule.rows[$0.row].target } + rule.constants.map(\.target)
    return !targets.contains { $0.value(in: taken.rest) != nil }
      && !written.contains { $0.leadsThroughEmptyObject(in: taken.rest) }
  }
}

extension KeyPathPattern {
  fileprivate func leadsThroughEmptyObject(in payload: [String: EventValue]) -> Bool {
    var members = payload
    for step in steps.dropLast() {
      guard case .key(let key) = step, case .object(let inner)? = members.value(exactly: key) else { return false }
      if inner.isEmpty { return true }
      members = inner
    }
    return false
  }
}

extension EventRule {
  fileprivate func inversionObstacles(event: String) -> [InversionObstacle] {
    var obstacles = rows.compactMap { row in
      row.inversionObstacle.map { InversionObstacle(event: event, source: row.source, reason: $0) }
    }
    if unmapped == .drop { obstacles.append(InversionObstacle(event: event, source: nil, reason: .dropsUnmapped)) }
    return obstacles
  }

  fileprivate func inverted(oldName: String?) -> EventRule {
    let moves = rows.compactMap { row in
      row.target.map { RemappingRow(source: $0, action: .move(to: row.source, nil)) }
    }
    let removals = constants.map { RemappingRow(source: $0.target, action: .drop) }
    return EventRule(name: oldName, rows: moves + removals)
  }
}

extension RemappingRow {
  fileprivate var inversionObstacle: InversionObstacle.Reason? {
    guard case .move(_, let rule) = action else { return .drops }
    if rule != nil { return .changesValues }
    return source.arrayCount > 0 ? .walksOverArrays : nil
  }
}
