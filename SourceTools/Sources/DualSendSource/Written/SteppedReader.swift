import SwiftSyntax

/// Finds the dictionaries of a body that are built step by step, and watches what goes into them while the body is worked
/// out.
final class SteppedReader {
  private let tracer: CallTracer
  private var values: [SyntaxIdentifier: WrittenExpression?] = [:]
  private var dictionaries: [SyntaxIdentifier: (value: LiteralCall.Value, uses: [WrittenExpression.Use])?] = [:]
  private var variables: [SyntaxIdentifier: SteppedVariable] = [:]

  init(_ tracer: CallTracer, _ calls: [FunctionCallExprSyntax]) {
    self.tracer = tracer
    for call in calls {
      guard let name = call.loggedVariable(tracer.functions), let variable = SteppedVariable(name, loggedBy: call)
      else {
        continue
      }
      variables[call.id] = variable
      tracer.evaluator.watched.insert(variable.initial.id)
      tracer.evaluator.watched.formUnion(variable.steps.compactMap { $0.value?.id })
    }
  }

  /// Takes note of an expression that is about to be worked out.
  func note(_ expression: ExprSyntax, _ context: EvaluationContext, _ path: Path) {
    let unfolder = Unfolder(tracer, nil, context, path)
    if variables.values.contains(where: { $0.initial.id == expression.id }) {
      let found = try? unfolder.dictionary(expression, unfolder.site, steps: Unfolder.maximumSteps)
      let here = found.map { ($0, unfolder.uses(in: expression)) }
      guard let known = dictionaries[expression.id] else {
        dictionaries[expression.id] = .some(here)
        return
      }
      let merged = known.flatMap { one in here.flatMap { one.value.merged(with: $0.0) } }
      dictionaries[expression.id] = .some(merged.flatMap { value in here.map { (value, $0.1) } })
    } else {
      let here = try? unfolder.expression(expression, unfolder.site)
      guard let known = values[expression.id] else {
        values[expression.id] = .some(here)
        return
      }
      values[expression.id] = .some(known.flatMap { one in here.map { one.merged(with: $0) } })
    }
  }

  /// The dictionary that a call logs, when its body is worked out.
  func dictionary(loggedBy call: FunctionCallExprSyntax) -> SteppedDictionary? {
    guard let variable = variables[call.id], let start = dictionaries[variable.initial.id] ?? nil else { return nil }
    var steps: [SteppedDictionary.Step] = []
    for step in variable.steps {
      var value: WrittenExpression?
      if let expression = step.value, !expression.is(NilLiteralExprSyntax.self) {
        guard let seen = values[expression.id] ?? nil else { return nil }
        value = seen
      }
      steps.append(
        SteppedDictionary.Step(
          key: step.key, keyRange: step.keyExpression.bytes, value: value,
          valueRange: step.value?.bytes ?? step.keyExpression.bytes, statement: step.statement.bytesToNext,
          canGo: step.statement.canGo))
    }
    return SteppedDictionary(
      initial: start.value, initialRange: variable.initial.bytes, indentation: call.lineIndentation,
      initialUses: start.uses,
      isTyped: variable.isTyped, steps: steps, name: variable.name)
  }
}

extension FunctionCallExprSyntax {
  /// The variable whose dictionary a call of the logger logs.
  fileprivate func loggedVariable(_ functions: [LoggingFunction]) -> String? {
    for function in functions where function.name == calledName && hasLabels(of: function) {
      guard case .parts(let name, let place?) = function.content, var parameters = argument(place),
        argument(name)?.isPure == true, receiverObstacle == nil, surroundingObstacle == nil
      else { continue }
      if let array = parameters.as(ArrayExprSyntax.self), array.elements.count == 1, let only = array.elements.first {
        parameters = only.expression
      }
      return parameters.as(DeclReferenceExprSyntax.self)?.baseName.identifierText
    }
    return nil
  }
}

extension SyntaxProtocol {
  /// Its bytes, without what is around it.
  var bytes: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }
}

extension CodeBlockItemSyntax {
  /// Its bytes up to the next statement, or with the end of the line that it is the last of.
  fileprivate var bytesToNext: Range<Int> {
    let start = positionAfterSkippingLeadingTrivia.utf8Offset
    guard let list = parent?.as(CodeBlockItemListSyntax.self),
      let next = list.first(where: { $0.position >= endPosition })
    else { return start..<start }
    return start..<next.positionAfterSkippingLeadingTrivia.utf8Offset
  }

  /// Whether something stands behind it in its block, and no comment at it.
  fileprivate var canGo: Bool { !bytesToNext.isEmpty && !isCommented }
}
