import DualSendCore

/// An event's rule, compiled for fast application.
///
/// A class, so that looking up a plan retains one reference.
final class EventPlan: Sendable {
  let rule: EventRule
  private let walk: PayloadWalk
  /// The fast path for rules whose paths are all top-level keys.
  private let shortcut: TopLevelPlan?
  private let hasAlternatives: Bool

  init(_ rule: EventRule) {
    self.rule = rule
    walk = PayloadWalk(rows: rule.rows)
    shortcut = TopLevelPlan(rule)
    hasAlternatives = rule.hasAlternatives
  }

  func apply(to name: String, _ payload: [String: EventValue]) -> RemappedEvent {
    var remapped = RemappedEvent(name: rule.name ?? name)
    if let shortcut {
      shortcut.apply(to: payload, into: &remapped)
    } else {
      var recorder: TraceRecorder?
      apply(to: payload, into: &remapped, recorder: &recorder)
    }
    return remapped
  }

  /// Applies the rule without the fast path and records the origin and destination of each value.
  func trace(_ name: String, _ payload: [String: EventValue]) -> (remapped: RemappedEvent, trace: RemappingTrace) {
    var remapped = RemappedEvent(name: rule.name ?? name)
    var recorder: TraceRecorder? = TraceRecorder()
    apply(to: payload, into: &remapped, recorder: &recorder)
    return (remapped, (recorder ?? TraceRecorder()).trace(oldName: name, newName: remapped.name))
  }

  private func apply(
    to payload: [String: EventValue], into remapped: inout RemappedEvent, recorder: inout TraceRecorder?
  ) {
    let taken = walk.take(from: payload, recordingPaths: recorder != nil || rule.unmapped == .report)
    for path in taken.dropped { recorder?.input(path, .dropped) }
    for path in taken.unmapped {
      recorder?.input(path, rule.unmapped == .drop ? .droppedUnmapped : .kept)
      if rule.unmapped != .drop { recorder?.output(path, .unmapped) }
    }
    if rule.unmapped == .report { remapped.unmapped = taken.unmapped.inOrder() }

    let kept = rule.unmapped == .drop ? [:] : taken.rest
    var writer = PayloadWriter(payload: kept)
    let moved = hasAlternatives ? firsts(of: taken.moved, into: &remapped, recorder: &recorder) : taken.moved
    for moved in inOrder(moved, recorder) { write(moved, with: &writer, into: &remapped, recorder: &recorder) }
    for constant in rule.constants {
      let written = writer.write(constant.value, at: constant.target, indices: [], precedence: precedence)
      recorder?.wrote(constant.target.path(indices: []), .constant, from: nil, .unchanged, written)
    }
    // Last: a default must not replace values that no row names, rows or constants.
    for absent in inOrder(taken.absent, recorder) {
      writeDefault(absent, beside: kept, with: &writer, recorder: &recorder)
    }
    remapped.payload = writer.payload
    remapped.clashes += writer.clashes
  }

  /// The place that a value moves to.
  private struct Place: Hashable {
    let target: KeyPathPattern
    let indices: [Int]
  }

  /// Of the values that move to one place, the first that is not `null`, or else the first. A later one is a clash if it would
  /// become something else there.
  private func firsts(
    of moved: [PayloadWalk.Moved], into remapped: inout RemappedEvent, recorder: inout TraceRecorder?
  ) -> [PayloadWalk.Moved] {
    let places = Dictionary(grouping: moved) { moved in
      rule.rows[moved.row].target.map { Place(target: $0, indices: moved.indices) }
    }
    // In the order of their positions, so that no place is a filler of a later one.
    let ordered = places.sorted { ($0.key?.indices ?? []).lexicographicallyPrecedes($1.key?.indices ?? []) }
    return ordered.flatMap { place, rivals -> [PayloadWalk.Moved] in
      guard rivals.count > 1, let place else { return rivals }
      let ranked = rivals.sorted { rule.rows[$0.row].rank < rule.rows[$1.row].rank }
      let first = ranked.firstIndex { $0.value != .null } ?? 0
      let winner = rule.rows[ranked[first].row].converted(ranked[first].value).canonicalText
      for (index, rival) in ranked.enumerated() where index != first {
        let row = rule.rows[rival.row]
        let isClash = rival.value != .null && !row.converted(rival.value).canonicalText.isExactly(winner)
        if isClash { remapped.clashes += 1 }
        let path = place.target.path(indices: place.indices)
        recorder?.input(row.source.path(indices: rival.indices), isClash ? .lost(at: path) : .yielded(at: path))
      }
      return [ranked[first]]
    }
  }

  private var precedence: PayloadWriter.Precedence {
    rule.clashPolicy == .mapped ? .new : .old
  }

  /// Sorts values by target for a trace, which must not depend on the order of a dictionary or of the table. Without a trace,
  /// the order makes no difference.
  private func inOrder(_ moved: [PayloadWalk.Moved], _ recorder: TraceRecorder?) -> [PayloadWalk.Moved] {
    guard recorder != nil, moved.count > 1 else { return moved }
    // The sort is stable, so values of one row stay in the order of their arrays.
    return moved.map { (place: ExactText(rule.rows[$0.row].target?.description ?? ""), moved: $0) }
      .inOrder { $0.place < $1.place }.map(\.moved)
  }

  /// - Parameter kept: the values that no row names. Any other `null` in an array is the writer's placeholder.
  private func writeDefault(
    _ absent: PayloadWalk.Moved, beside kept: [String: EventValue], with writer: inout PayloadWriter,
    recorder: inout TraceRecorder?
  ) {
    let row = rule.rows[absent.row]
    guard let target = row.target, let fallback = row.fallback else { return }
    let isInArray = target.steps.last == .eachElement
    let yields = !isInArray || target.value(in: kept, indices: absent.indices) != nil
    let written = writer.write(
      fallback, at: target, indices: absent.indices, precedence: yields ? .ifAbsent : .ifAbsentOrNull)
    recorder?.wrote(target.path(indices: absent.indices), .defaultValue(of: row.source), from: nil, .defaulted, written)
  }

  private func write(
    _ moved: PayloadWalk.Moved, with writer: inout PayloadWriter, into remapped: inout RemappedEvent,
    recorder: inout TraceRecorder?
  ) {
    let row = rule.rows[moved.row]
    guard case .move(let target, let valueRule) = row.action else { return }
    let (value, outcome) = valueRule?.apply(to: moved.value) ?? (moved.value, .unchanged)
    remapped.count(outcome)
    let written = writer.write(value, at: target, indices: moved.indices, precedence: precedence)
    if recorder != nil {
      let source = row.source.path(indices: moved.indices)
      recorder?.wrote(
        target.path(indices: moved.indices), .row(source: source, outcome), from: source, outcome, written)
    }
  }
}

extension RemappedEvent {
  mutating func count(_ outcome: ValueRule.Outcome) {
    switch outcome {
    case .failed, .replaced: conversionFailures += 1
    case .lossy: lossyConversions += 1
    case .unchanged, .converted, .defaulted: break
    }
  }
}

extension RemappingRow {
  fileprivate func converted(_ value: EventValue) -> EventValue {
    if case .move(_, let rule?) = action { rule.apply(to: value).value } else { value }
  }

  /// The target; `nil` if the row drops its value.
  package var target: KeyPathPattern? {
    if case .move(let target, _) = action { return target }
    return nil
  }
}
