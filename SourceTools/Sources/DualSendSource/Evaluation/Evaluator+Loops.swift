import DualSendCore
import SwiftSyntax

/// Loops.
extension Evaluator {
  func run(
    _ loop: ForStmtSyntax, _ context: EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    if let flow = unrolled(loop, context, paths, returning: expected) { return flow }
    let runs =
      loop.whereClause == nil
      && paths.allSatisfy { path in
        var path = path
        return unobserved { value(loop.sequence, context, &path) }.alternatives.allSatisfy(\.hasElements)
      }
    return turns(of: Syntax(loop), context, paths, runsAtLeastOnce: runs) { context, paths in
      var paths = paths
      let elements = paths.indices.map { index in
        let sequence = self.value(loop.sequence, context, &paths[index])
        let element = SourceValue.oneOf(sequence.alternatives.flatMap(\.elementValues)).tainted(by: sequence)
        return loop.caseKeyword == nil ? element : .open("an element that fits a pattern")
      }
      let before = paths
      self.bind(loop.pattern, isConstant: true, elements, &context, &paths)
      if let condition = loop.whereClause?.condition {
        for index in paths.indices { _ = self.value(condition, context, &paths[index]) }
      }
      var flow = self.run(loop.body.statements, &context, paths, returning: expected)
      if !runs { flow.broken += before.map { (nil, $0) } }
      return flow
    }
  }

  /// A loop over arrays whose elements are known, turn by turn; `nil` for any other.
  private func unrolled(
    _ loop: ForStmtSyntax, _ context: EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow? {
    guard loop.whereClause == nil, loop.caseKeyword == nil else { return nil }
    var starts: [(path: Path, elements: [SourceValue])] = []
    for path in paths {
      var path = path
      let sequence = unobserved { value(loop.sequence, context, &path) }
      guard case .list(let elements) = sequence.shape, elements.count <= Self.maximumTurns else { return nil }
      starts.append((path, elements.map { $0.tainted(by: sequence) }))
    }
    var flow = Flow()
    for (path, elements) in starts {
      var onward = [path]
      for element in elements {
        var inner = context
        bind(loop.pattern, isConstant: true, onward.map { _ in element }, &inner, &onward)
        let turn = run(loop.body.statements, &inner, onward, returning: expected)
        flow.returned += turn.returned
        flow.onward += turn.broken.filter { $0.label == nil }.map(\.path)
        flow.broken += turn.broken.filter { $0.label != nil }
        flow.continued += turn.continued.filter { $0.label != nil }
        onward = Flow.bounded(turn.onward + turn.continued.filter { $0.label == nil }.map(\.path))
      }
      flow.onward += onward
    }
    flow.onward = Flow.bounded(flow.onward)
    return flow
  }

  private static let maximumTurns = 16

  /// A loop: no turn at all, one, or any number, after which whatever a turn changes differently each time is open.
  func turns(
    of loop: Syntax, _ context: EvaluationContext, _ paths: [Path], runsAtLeastOnce: Bool = false,
    _ turn: (inout EvaluationContext, [Path]) -> Flow
  ) -> Flow {
    var inner = context
    func after(_ flow: Flow) -> [Path] {
      flow.onward + flow.continued.filter { $0.label == nil }.map(\.path)
    }
    let changed = mutated(in: loop)
    // The first turn only shows what a turn changes; its calls are met again in the turn that stands for all.
    let first = unobserved { turn(&inner, paths) }
    let ids = changed.compactMap { context.names.ids[$0] }
    let isSteady = after(first).allSatisfy { end in
      paths.contains { start in ids.allSatisfy { start.values[$0] == end.values[$0] } }
    }
    var starts = paths
    if !isSteady {
      let widened = paths.map { $0.widened(by: after(first), ids) }
      inner = context
      let second = unobserved { turn(&inner, widened) }
      if widened.allSatisfy({ start in start.widened(by: after(second), ids).values == start.values }) {
        starts = widened
      } else {
        starts = paths.map { path in
          var path = path
          forget(changed, context, &path, "a loop changes it from turn to turn")
          return path
        }
      }
    }
    inner = context
    let flow = turn(&inner, starts)
    var result = Flow(returned: flow.returned)
    result.onward = Flow.bounded(
      (runsAtLeastOnce ? [] : starts) + after(flow) + flow.broken.filter { $0.label == nil }.map(\.path))
    result.broken = flow.broken.filter { $0.label != nil }
    result.continued = flow.continued.filter { $0.label != nil }
    return result
  }
}
