import DualSendCore

/// An event's rule made ready to run: nothing about it is looked up or merged again for each event.
///
/// A class, so that finding an event's plan costs one reference count and not one for each of its parts.
final class EventPlan: Sendable {
  let rule: EventRule
  private let walk: PayloadWalk
  /// The same rule for the most common shape, where every row is about one key at the top.
  private let shortcut: TopLevelPlan?

  init(_ rule: EventRule) {
    self.rule = rule
    walk = PayloadWalk(rows: rule.rows)
    shortcut = TopLevelPlan(rule)
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

  /// Goes the long way whatever the rule's shape, and records the way of each value.
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
    if rule.unmapped == .report { remapped.unmapped = taken.unmapped.sorted() }

    let kept = rule.unmapped == .drop ? [:] : taken.rest
    var writer = PayloadWriter(payload: kept)
    for moved in inOrder(taken.moved, recorder) { write(moved, with: &writer, into: &remapped, recorder: &recorder) }
    for constant in rule.constants {
      let written = writer.write(constant.value, at: constant.target, indices: [], precedence: precedence)
      recorder?.wrote(constant.target.path(indices: []), .constant, from: nil, .unchanged, written)
    }
    // Last, for a default yields to what no row names, but not to what a row or `add` has replaced.
    for absent in inOrder(taken.absent, recorder) {
      writeDefault(absent, beside: kept, with: &writer, recorder: &recorder)
    }
    remapped.payload = writer.payload
    remapped.clashes = writer.clashes
  }

  private var precedence: PayloadWriter.Precedence {
    rule.clashPolicy == .mapped ? .new : .old
  }

  /// The same values by the places they are written to, if somebody watches: without a trace no order makes a difference,
  /// but which of two rows met an obstacle first must not depend on the order of a dictionary, nor on that of the table.
  private func inOrder(_ moved: [PayloadWalk.Moved], _ recorder: TraceRecorder?) -> [PayloadWalk.Moved] {
    guard recorder != nil, moved.count > 1 else { return moved }
    // Those of one row stay as they are, by their positions in arrays.
    return moved.map { (place: ExactText(rule.rows[$0.row].target?.description ?? ""), moved: $0) }
      .sorted { $0.place < $1.place }.map(\.moved)
  }

  /// - Parameter kept: what no row names. A `null` in an array that is not from there is the writer's own.
  private func writeDefault(
    _ absent: PayloadWalk.Moved, beside kept: [String: EventValue], with writer: inout PayloadWriter,
    recorder: inout TraceRecorder?
  ) {
    let row = rule.rows[absent.row]
    guard let target = row.target, let fallback = row.fallback else { return }
    let isInArray = target.steps.last == .eachElement
    let yields = !isInArray || target.value(in: kept, indices: absent.indices) != nil
    let written = writer.write(
      fallback, at: target, indices: absent.indices, precedence: yields ? .yields : .fills)
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
  /// Where the row writes; `nil` if it drops.
  var target: KeyPathPattern? {
    if case .move(let target, _) = action { return target }
    return nil
  }
}
