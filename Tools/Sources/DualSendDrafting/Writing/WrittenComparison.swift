import DualSendCore
import DualSendRemapping

/// Compares a drafted event with an existing rule: what the rule lacks, and what contradicts it.
struct WrittenComparison {
  /// A claim that an existing row excludes.
  struct Contradiction {
    let message: String
    let reason: String
    /// The offset of the existing row, if found.
    let offset: Int?
  }

  private let rule: EventRule
  private let own: JSONNode?
  private let shared: JSONNode?
  private(set) var contradictions: [Contradiction] = []

  /// - Parameters:
  ///   - rule: the event's rule, including the rows of `*`.
  ///   - own: the event's entry.
  ///   - shared: the entry of `*`.
  init(_ rule: EventRule, own: JSONNode?, shared: JSONNode?) {
    (self.rule, self.own, self.shared) = (rule, own, shared)
  }

  /// The claims that the rule neither contains nor excludes.
  mutating func missing(of event: DraftedEvent) -> DraftedEvent {
    var missing = event
    if let newName = event.newName, let written = rule.name {
      missing.newName = nil
      if !newName.isExactly(written) {
        report(
          "the table names it `\(written)`, the evidence `\(newName)`", event.nameReason ?? "",
          at: own?.member("name")?.value.offset)
      }
    }
    missing.rows = event.rows.filter { row in isMissing(row) }
    missing.constants = event.constants.filter { constant in isMissing(constant) }
    return missing
  }

  /// Finds existing rows that the pairs contradict, whatever the draft says.
  mutating func refute(
    _ event: String, by pairs: [PairSample.Pair], through table: RemappingTable, _ confidence: DraftConfidence
  ) {
    var written = DraftedEvent(name: event)
    written.isNameOpen = true
    written.rows = rule.rows.map { DraftedEvent.Row(source: $0.source, target: $0.target, rule: nil, reason: "") }
    written.constants = rule.constants.map { DraftedEvent.Constant(target: $0.target, value: $0.value, reason: "") }
    let offsets =
      rule.rows.map { offset(of: $0.source, in: "parameters") }
      + rule.constants.map { offset(of: $0.target, in: "add") }
    for (claim, offset) in zip(DraftCheck(written, table, pairs).claims, offsets) {
      guard confidence.isRefuted(contradicting: claim.contradicting, of: claim.pairs),
        confidence.accepts(contradicting: 0, telling: claim.pairs),
        !contradictions.contains(where: { $0.offset == offset })
      else { continue }
      report("the pairs contradict the table: \(claim.text)", claim.counts, at: offset)
    }
  }

  private mutating func isMissing(_ row: DraftedEvent.Row) -> Bool {
    let action = row.target.map { RemappingRow.Action.move(to: $0, row.rule) } ?? .drop
    for written in rule.rows {
      let isSame = written.source == row.source && written.action == action
      if isSame { return false }
      let meets = written.source.overlaps(row.source) || overlap(written.target, row.target)
      if meets { return excluded(row.deed, row.reason, by: written.source) }
    }
    if let constant = rule.constants.first(where: { overlap($0.target, row.target) }) {
      return excluded(row.deed, row.reason, byConstant: constant.target)
    }
    return true
  }

  private mutating func isMissing(_ constant: DraftedEvent.Constant) -> Bool {
    let deed = "adds `\(constant.target)`"
    if let written = rule.constants.first(where: { $0.target.overlaps(constant.target) }) {
      let isSame = written.target == constant.target && written.value == constant.value
      return isSame ? false : excluded(deed, constant.reason, byConstant: written.target)
    }
    guard let row = rule.rows.first(where: { overlap($0.target, constant.target) }) else { return true }
    return excluded(deed, constant.reason, by: row.source)
  }

  private func overlap(_ left: KeyPathPattern?, _ right: KeyPathPattern?) -> Bool {
    guard let left, let right else { return false }
    return left.overlaps(right)
  }

  private mutating func excluded(_ deed: String, _ reason: String, by source: KeyPathPattern) -> Bool {
    report(
      "the row of `\(source)` contradicts the evidence: \(deed)", reason,
      at: offset(of: source, in: "parameters"))
    return false
  }

  private mutating func excluded(_ deed: String, _ reason: String, byConstant target: KeyPathPattern) -> Bool {
    report(
      "the constant `\(target)` contradicts the evidence: \(deed)", reason,
      at: offset(of: target, in: "add"))
    return false
  }

  private mutating func report(_ message: String, _ reason: String, at offset: Int?) {
    contradictions.append(Contradiction(message: message, reason: reason, offset: offset))
  }

  /// The offset of a row or a constant, in the event's own entry or in that of `*`.
  private func offset(of path: KeyPathPattern, in list: String) -> Int? {
    [own, shared].compactMap { entry in
      entry?.members(list).first { (try? KeyPathPattern($0.key)) == path }?.keyOffset
    }.first
  }
}

extension DraftCheck.Claim {
  fileprivate var counts: String { "\(pairs.counted("pair")), \(contradicting) contradict" }
}

extension RemappingRow {
  var target: KeyPathPattern? {
    if case .move(let target, _) = action { target } else { nil }
  }
}
