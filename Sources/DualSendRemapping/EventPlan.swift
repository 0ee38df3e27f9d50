import DualSendCore

/// An event's rule, compiled for fast application.
///
/// A class, so that looking up a plan retains one reference.
final class EventPlan: Sendable {
  let rule: EventRule
  private let walk: PayloadWalk
  /// The fast path for rules whose paths are all top-level keys.
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
    for moved in inOrder(taken.moved, recorder) { write(moved, with: &writer, into: &remapped, recorder: &recorder) }
    for constant in rule.constants {
      let written = writer.write(constant.value, at: constant.target, indices: [], precedence: precedence)
      recorder?.wrote(constant.target.path(indices: []), .constant, from: nil, .unchanged, written)
    }
    // Last: a default must not replace values that no row names, rows or constants.
    for absent in inOrder(taken.absent, recorder) {
      writeDefault(absent, beside: kept, with: &writer, recorder: &recorder)
    }
    remapped.payload = writer.payload
    remapped.clashes = writer.clashes
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
  /// The target; `nil` if the row drops its value.
  package var target: KeyPathPattern? {
    if case .move(let target, _) = action { return target }
    return nil
  }
}
