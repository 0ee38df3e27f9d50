import DualSendCore
import DualSendRemapping

/// Compares one old key with one new key in every pair.
struct KeyComparison {
  typealias Cell = PlaceColumns.Cell

  /// The most values of a closed list.
  private static let maximumTableValues = 24

  let source: PlaceColumns.Column
  let target: PlaceColumns.Column
  let commonest: Cell
  let confidence: DraftConfidence
  /// The most contradictions before an explanation is refuted.
  let mostContradictions: Int

  /// The simplest rule that the pairs do not refute; `nil` if there is none.
  func explanation() -> Explanation? {
    if let same = explanation(.same, rule: nil) { return same }
    guard !target.cells.contains(where: { $0.contains(where: \.value.isContainer) }) else { return nil }
    for type in types {
      if let converted = explanation(.converted, rule: ValueRule(type: type)) { return converted }
    }
    return valueTable().flatMap { explanation(.table, rule: ValueRule(table: $0)) }
  }

  /// The conversion types that can produce the target's values, narrowest first.
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

  /// Tests a rule on all pairs. Adds a default if the pairs without an old value show one.
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

  /// The new key's value if the old one is absent; `nil` if it has none then.
  private func fallback(_ absent: [Int], _ verdicts: [Explanation.Verdict]) -> EventValue? {
    guard target.arrayCount == 0 else { return nil }
    let unexplained = absent.filter { verdicts[$0] == .wrong }
    let values = unexplained.compactMap { target.cells[$0].first?.value }
    guard let value = values.first, value != .null, !value.isContainer,
      confidence.accepts(contradicting: absent.count - values.count { $0 == value }, telling: absent.count)
    else { return nil }
    return value
  }

  /// A value table, if few old values determine the new ones and each was seen often enough.
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
      // The bound excludes ties, so there is only one.
      table[key.text] = values.first { $0.value == most }?.key
    }
    let isClosed = counts.count >= 2 && Set(table.values).count >= 2
    // The key of a comment cannot be a value.
    return isClosed && table["//"] == nil && table["_comment"] == nil ? table : nil
  }
}

extension EventValue {
  /// The value's key in a value table; `nil` for a container.
  fileprivate var tableKey: String? {
    switch self {
    case .string(let text): text
    case .array, .object: nil
    default: canonicalText
    }
  }
}
