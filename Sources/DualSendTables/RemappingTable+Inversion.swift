package import DualSendCore
package import DualSendRemapping

/// A row or setting that makes a remapping table not invertible.
package struct InversionObstacle: Sendable, Hashable {
  /// The reason.
  package enum Reason: Sendable, Hashable {
    /// The row drops its value.
    case drops
    /// The row converts values, and two old values can become the same new one.
    case changesValues
    /// The row's path has a `[]` step, and an element without the key is like a missing one.
    case walksOverArrays
    /// Values that no row names are dropped.
    case dropsUnmapped
    /// The row's key is one of several that become one.
    case hasAlternatives
    /// Another event has the same new name.
    case sharesName(with: String)
  }

  /// The event's old name; `*` for events without an entry.
  package let event: String
  /// The source of the row; `nil` for a setting.
  package let source: KeyPathPattern?
  /// The reason.
  package let reason: Reason
}

extension InversionObstacle: CustomStringConvertible, Comparable {
  /// One factual line.
  package var description: String {
    let row = source.map { "`\(event)`, `\($0)`: " } ?? "`\(event)`: "
    return switch reason {
    case .drops: row + "the value is dropped"
    case .changesValues: row + "different values may become the same"
    case .walksOverArrays: row + "the path walks over an array"
    case .dropsUnmapped: row + "values without a row are dropped"
    case .hasAlternatives: row + "several keys become one"
    case .sharesName(let other): row + "gets the same name as `\(other)`"
    }
  }

  /// Orders by event, then row.
  package static func < (left: InversionObstacle, right: InversionObstacle) -> Bool {
    let texts = [left, right].map { obstacle in
      [obstacle.event, obstacle.source?.description ?? "", obstacle.description].map(ExactText.init)
    }
    return texts[0].lexicographicallyPrecedes(texts[1])
  }
}

extension RemappingTable {
  /// Whether the table has an inverse.
  package var isInvertible: Bool { inversionObstacles.isEmpty }

  /// All reasons why the table has no inverse, sorted.
  package var inversionObstacles: [InversionObstacle] {
    let shared = ruleForOthers.inversionObstacles(event: EventDraft.wildcardName)
    var obstacles = shared
    var oldNames: [String: String] = [:]
    // Canonically equivalent new names count as equal: the inverse's dictionary could hold only one of them.
    for (event, rule) in rules.inOrder(by: { String.byteOrder($0.key, $1.key) }) {
      // Obstacles of `*` are listed once.
      obstacles += rule.inversionObstacles(event: event).filter { obstacle in
        !shared.contains { $0.source == obstacle.source && $0.reason == obstacle.reason }
      }
      if let other = oldNames.updateValue(event, forKey: rule.name ?? event) {
        obstacles.append(InversionObstacle(event: event, source: nil, reason: .sharesName(with: other)))
      }
    }
    return obstacles.inOrder()
  }

  /// The table from new to old; `nil` if there are ``inversionObstacles``.
  ///
  /// It restores the old name and payload of a remapped event if ``isReversible(_:payload:)`` is `true` for the old event. It
  /// removes the constants of `add`.
  package func inverted() -> RemappingTable? {
    guard isInvertible else { return nil }
    let inverses = rules.map { event, rule in (rule.name ?? event, rule.inverted(oldName: event)) }
    return RemappingTable(
      rules: Dictionary(inverses, uniquingKeysWith: { first, _ in first }),
      ruleForOthers: ruleForOthers.inverted(oldName: nil))
  }
}

extension RemappingTable {
  /// Whether ``inverted()`` restores this event. Slower than remapping it.
  ///
  /// `false` if values clash, if the payload has a value that no row names at a row's target, if rows write into an empty
  /// object, or if the name is another event's new name. The inverse cannot distinguish these from remapped values.
  package func isReversible(_ name: String, payload: [String: EventValue]) -> Bool {
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
      (row.inversionObstacle ?? (row.rank > 0 ? .hasAlternatives : nil))
        .map { InversionObstacle(event: event, source: row.source, reason: $0) }
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
