import DualSendCore
import DualSendRemapping

/// Holds one old key against one new key, in every pair.
struct KeyComparison {
  typealias Cell = PlaceColumns.Cell

  /// A table of more values is no closed list.
  private static let maximumTableValues = 24

  let source: PlaceColumns.Column
  let target: PlaceColumns.Column
  let commonest: Cell
  let confidence: DraftConfidence
  /// More contradictions than that refute any explanation.
  let mostContradictions: Int

  /// The plainest rule that the pairs do not refute; `nil` if there is none.
  func explanation() -> Explanation? {
    if let same = explanation(.same, rule: nil) { return same }
    guard !target.cells.contains(where: { $0.contains(where: \.value.isContainer) }) else { return nil }
    for type in types {
      if let converted = explanation(.converted, rule: ValueRule(type: type)) { return converted }
    }
    return valueTable().flatMap { explanation(.table, rule: ValueRule(table: $0)) }
  }

  /// The types that values like those of the target can come from, the narrowest first.
  private var types: [ValueType] {
    var (hasText, hasInteger, hasFraction, hasBool) = (false, false, false, false)
    for slot in target.cells.joined() {
      switch slot.value {
      case .string: hasText = true
      case .int, .uint: hasInteger = true
      case .double: hasFraction = true
      case .bool: hasBool = true
      default: break
      }
    }
    return (hasInteger && !hasFraction ? [.int] : []) + (hasInteger || hasFraction ? [.double] : [])
      + (hasText ? [.string, .date] : []) + (hasBool ? [.bool] : [])
  }

  /// The verdicts of all pairs on a rule, with the default that those without an old value show, if they show one.
  private func explanation(_ kind: Explanation.Kind, rule: ValueRule?) -> Explanation? {
    var verdicts: [Explanation.Verdict] = []
    verdicts.reserveCapacity(target.cells.count)
    var (wrong, absent) = (0, [Int]())
    for (index, (old, new)) in zip(source.cells, target.cells).enumerated() {
      if old.isEmpty || old.allSatisfy({ $0.value == .null }) {
        absent.append(index)
        verdicts.append(old.isEmpty && new.isEmpty ? .silent : old == new ? .right : .wrong)
      } else {
        verdicts.append(Self.applied(rule, to: old) == new ? .right : .wrong)
        if verdicts.last == .wrong { wrong += 1 }
        if wrong > mostContradictions { return nil }
      }
    }
    var rule = rule
    if let fallback = fallback(absent, verdicts) {
      rule = ValueRule(type: rule?.type, table: rule?.table, fallback: fallback)
      for index in absent { verdicts[index] = target.cells[index].first?.value == fallback ? .right : .wrong }
    }
    let explanation = Explanation(
      source: source.path, kind: kind, rule: rule, verdicts: verdicts, target: target, commonest: commonest)
    return explanation.evidence.contradicting > mostContradictions ? nil : explanation
  }

  private static func applied(_ rule: ValueRule?, to cell: Cell) -> Cell {
    guard let rule else { return cell }
    return cell.map { PlaceColumns.Slot(indices: $0.indices, value: rule.apply(to: $0.value).value.asWritten) }
  }

  /// The one value that the new key has where the old one has none; `nil` if it has none there either.
  private func fallback(_ absent: [Int], _ verdicts: [Explanation.Verdict]) -> EventValue? {
    guard target.arrayCount == 0 else { return nil }
    let unexplained = absent.filter { verdicts[$0] == .wrong }
    let values = unexplained.compactMap { target.cells[$0].first?.value }
    guard let value = values.first, value != .null, !value.isContainer,
      confidence.accepts(contradicting: absent.count - values.count { $0 == value }, telling: absent.count)
    else { return nil }
    return value
  }

  /// New values by old ones, each seen often enough, if a few old values decide them all.
  private func valueTable() -> [String: EventValue]? {
    var counts: [ExactText: [EventValue: Int]] = [:]
    var pairs = 0
    for (old, new) in zip(source.cells, target.cells) where !old.isEmpty {
      guard old.count == new.count else { continue }
      for (from, to) in zip(old, new) where from.value != .null {
        guard let key = from.value.tableKey, !to.value.isContainer else { return nil }
        counts[ExactText(key), default: [:]][to.value, default: 0] += 1
        pairs += 1
        if counts.count > Self.maximumTableValues { return nil }
      }
    }
    var table: [String: EventValue] = [:]
    for (key, values) in counts {
      let most = values.values.max() ?? 0
      let total = values.values.reduce(0, +)
      guard confidence.accepts(contradicting: total - most, telling: total) else { continue }
      // Two values as frequent as each other are refused by the bound, so there is one.
      table[key.text] = values.first { $0.value == most }?.key
    }
    let isClosed = counts.count >= 2 && Set(table.values).count >= 2
    // A comment's key can stand for no value.
    return isClosed && table["//"] == nil && table["_comment"] == nil ? table : nil
  }
}

extension EventValue {
  /// What a value table calls the value; `nil` for a container.
  fileprivate var tableKey: String? {
    switch self {
    case .string(let text): text
    case .array, .object: nil
    default: canonicalText
    }
  }
}
