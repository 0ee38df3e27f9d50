import DualSendCore
import DualSendRemapping

/// Learns how the keys of one event changed.
///
/// Walks the new payload from the outside in: a container that equals an old one becomes one row; otherwise its members
/// are examined. The result does not depend on the order of pairs.
struct EventLearner {
  private enum Finding {
    case row(target: KeyPathPattern, Explanation)
    case kept(KeyPathPattern)
    case constant(DraftedEvent.Constant)
    case open(KeyPathPattern, candidates: [KeyPathPattern], String)
  }

  private let confidence: DraftConfidence
  private let old: PlaceColumns
  private let new: PlaceColumns
  private let sources: [PlaceColumns.Column]
  private let pairCount: Int
  private let mostContradictions: Int

  /// - Returns: `nil` if there are too few pairs for any row.
  init?(_ pairs: [PairSample.Pair], _ confidence: DraftConfidence) {
    guard let most = confidence.mostContradictions(of: pairs.count) else { return nil }
    self.confidence = confidence
    pairCount = pairs.count
    mostContradictions = most
    old = PlaceColumns(pairs.map(\.old))
    new = PlaceColumns(pairs.map(\.new))
    sources = old.sorted
  }

  /// Adds the rows, constants and open questions to the event.
  func learn(into event: inout DraftedEvent) {
    let findings = new.top.flatMap { self.findings(at: $0) }
    var kept: [KeyPathPattern] = []
    var moves: [(target: KeyPathPattern, explanation: Explanation)] = []
    var open: [(target: KeyPathPattern, candidates: [KeyPathPattern], text: String)] = []
    for finding in findings {
      switch finding {
      case .row(let target, let explanation): moves.append((target, explanation))
      case .kept(let path): kept.append(path)
      case .constant(let constant): event.constants.append(constant)
      case .open(let target, let candidates, let text): open.append((target, candidates, text))
      }
    }
    for (index, move) in moves.enumerated() {
      let source = move.explanation.source
      let others = moves.enumerated().filter { $0.offset != index && $0.element.explanation.source.overlaps(source) }
      if let stays = kept.first(where: { $0.overlaps(source) }) {
        open.append((move.target, [source], "equals `\(source)`, but `\(stays)` stays: a row cannot copy"))
      } else if let other = others.first?.element.target {
        open.append((move.target, [source], "equals `\(source)`, and so does `\(other)`: a row has one target"))
      } else {
        let text = move.explanation.evidence.text
        event.rows.append(
          DraftedEvent.Row(source: source, target: move.target, rule: move.explanation.rule, reason: text))
      }
    }
    for question in open { event.open.append("`\(question.target)` \(question.text)") }
    addDrops(to: &event, kept: kept, candidates: open.flatMap(\.candidates), isComplete: open.isEmpty)
    if old.hasMore || new.hasMore {
      event.open.append("some keys were not examined: a row cannot name them, or there are too many")
    }
  }

  // MARK: New keys

  private func findings(at place: ExactText) -> [Finding] {
    guard let target = new.columns[place] else { return [] }
    let commonest = target.commonest
    let same = old[target.path].flatMap { comparison(target, commonest, with: $0)?.explanation() }
    if let same, same.kind == .same, same.rule == nil, same.evidence.pairs > 0,
      confidence.accepts(contradicting: same.evidence.contradicting, of: pairCount)
    {
      // Without contradictions, nothing can be better.
      let isBest =
        same.evidence.contradicting == 0
        || !explanations(of: target, commonest).contains { $0.isClearlyBetter(than: same, confidence) }
      if isBest { return [.kept(target.path)] }
    }
    let explanations = explanations(of: target, commonest)
    if let finding = constant(target, commonest, explanations) { return [finding] }
    if let finding = choice(among: explanations.filter(isTold), of: target) { return [finding] }
    let isContainer = target.cells.joined().contains { $0.value.isContainer }
    if isContainer, !target.children.isEmpty { return target.children.flatMap { self.findings(at: $0) } }
    if explanations.isEmpty { return [.open(target.path, candidates: [], "does not come from a single old key")] }
    return [
      .open(
        target.path, candidates: explanations.map(\.source),
        "may come from \(Self.names(explanations)): too few pairs to tell")
    ]
  }

  /// All explanations that the pairs do not refute, including those that may be chance.
  private func explanations(of target: PlaceColumns.Column, _ commonest: PlaceColumns.Cell) -> [Explanation] {
    let noise = target.cells.count { $0 != commonest }
    return sources.compactMap { source in
      guard let explanation = comparison(target, commonest, with: source)?.explanation(),
        confidence.accepts(contradicting: explanation.evidence.contradicting, of: pairCount)
      else { return nil }
      let evidence = explanation.evidence
      // If the key is rare, most of the pairs that have it may contradict. An explanation that fits as well as a
      // constant is kept, so that noise does not decide.
      let isLikely =
        !confidence.isUnlikely(contradicting: evidence.contradicting, telling: evidence.telling)
        || evidence.contradicting <= noise || confidence.agreesInMinority(evidence)
      return isLikely ? explanation : nil
    }
  }

  private func comparison(
    _ target: PlaceColumns.Column, _ commonest: PlaceColumns.Cell, with source: PlaceColumns.Column
  ) -> KeyComparison? {
    guard source.arrayCount == target.arrayCount else { return nil }
    return KeyComparison(
      source: source, target: target, commonest: commonest, confidence: confidence,
      mostContradictions: mostContradictions)
  }

  /// A constant value, unless an old key explains it as well.
  private func constant(
    _ target: PlaceColumns.Column, _ commonest: PlaceColumns.Cell, _ explanations: [Explanation]
  ) -> Finding? {
    guard target.arrayCount == 0, let value = commonest.first?.value else { return nil }
    // Examine the members separately, because rows may write next to them.
    if case .object(let members) = value, !members.isEmpty { return nil }
    var evidence = Evidence()
    evidence.pairs = pairCount
    evidence.contradicting = target.cells.count { $0 != commonest }
    guard confidence.accepts(contradicting: evidence.contradicting, of: pairCount) else { return nil }
    // An explanation that also fits the telling pairs is better than a constant with noise.
    let rivals = explanations.filter {
      $0.evidence.contradicting <= evidence.contradicting || confidence.agreesInMinority($0.evidence)
    }
    if rivals.isEmpty {
      return .constant(DraftedEvent.Constant(target: target.path, value: value, reason: evidence.text))
    }
    if rivals.contains(where: isTold) { return nil }
    return .open(
      target.path, candidates: rivals.map(\.source),
      evidence.contradicting == 0
        ? "is always the same, and so is \(Self.names(rivals)): add or row?"
        : "is nearly always the same, and \(Self.names(rivals)) fits as well: add or row?")
  }

  /// The best explanation, or an open question if there is no clear one.
  private func choice(among sure: [Explanation], of target: PlaceColumns.Column) -> Finding? {
    let ranked = sure.sorted {
      ($0.evidence.contradicting, $0.kind.rawValue, $0.source)
        < ($1.evidence.contradicting, $1.kind.rawValue, $1.source)
    }
    guard let first = ranked.first else { return nil }
    let equals = ranked.filter { !first.isClearlyBetter(than: $0, confidence) }
    // A value table can imitate any key that depends on its source.
    let plain = equals.filter { $0.kind != .table }
    let rivals = plain.isEmpty ? equals : plain
    if let best = rivals.first, rivals.count == 1 { return .row(target: target.path, best) }
    return .open(
      target.path, candidates: rivals.map(\.source), "may come from \(Self.names(rivals)): they agree equally well")
  }

  /// Whether the telling pairs support an explanation.
  private func isTold(_ explanation: Explanation) -> Bool {
    confidence.accepts(contradicting: explanation.evidence.contradicting, telling: explanation.evidence.telling)
  }

  private static func names(_ explanations: [Explanation]) -> String {
    explanations.map { "`\($0.source)`" }.sorted(by: String.byteOrder).joined(separator: " or ")
  }

  // MARK: Old keys

  /// Adds rows that drop keys without a new key.
  private func addDrops(
    to event: inout DraftedEvent, kept: [KeyPathPattern], candidates: [KeyPathPattern], isComplete: Bool
  ) {
    let taken = event.rows.map(\.source) + kept + candidates
    let written = event.rows.compactMap(\.target) + event.constants.map(\.target)
    var places = old.top
    while let place = places.popLast() {
      guard let column = old.columns[place], !taken.contains(where: { $0.contains(column.path) }) else { continue }
      let (present, stays) = presence(of: column, written: written)
      let isGone =
        confidence.accepts(contradicting: stays, of: pairCount)
        && confidence.accepts(contradicting: stays, telling: present)
      if taken.contains(where: { column.path.contains($0) }) || !isGone && !column.children.isEmpty {
        places += column.children
      } else if !isGone {
        event.open.append(
          "`\(column.path)` is in \(present.counted("pair")), and in \(stays) of the new events: too few to tell")
      } else if isComplete {
        let reason = Evidence(pairs: present, contradicting: stays).text
        event.rows.append(DraftedEvent.Row(source: column.path, target: nil, rule: nil, reason: reason))
      } else {
        event.open.append("`\(column.path)` was removed, or became one of the open keys")
      }
    }
    event.rows.sort { $0.source < $1.source }
  }

  /// In how many pairs the old payload has the key, and in how many of them the new one still has it.
  private func presence(
    of column: PlaceColumns.Column, written: [KeyPathPattern]
  ) -> (present: Int, stays: Int) {
    let filled = column.cells.indices.filter { !column.cells[$0].isEmpty }
    guard let other = new[column.path], !written.contains(where: { $0.contains(column.path) }) else {
      return (filled.count, 0)
    }
    return (filled.count, filled.count { !other.cells[$0].isEmpty })
  }
}
