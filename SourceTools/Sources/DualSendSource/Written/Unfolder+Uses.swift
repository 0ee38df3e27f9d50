import SwiftSyntax

extension Unfolder {
  /// What an expression of the call site evaluates.
  func uses(in expression: ExprSyntax) -> [WrittenExpression.Use] {
    let order = expression.positionAfterSkippingLeadingTrivia.utf8Offset
    if expression.isPure {
      return Mentions.names(in: expression).isEmpty ? [] : [WrittenExpression.Use(order: order, isCall: false)]
    }
    if let array = expression.as(ArrayExprSyntax.self) { return array.elements.flatMap { uses(in: $0.expression) } }
    if let dictionary = expression.as(DictionaryExprSyntax.self),
      case .elements(let elements) = dictionary.content
    {
      return elements.flatMap { uses(in: $0.key) + uses(in: $0.value) }
    }
    if let cast = expression.as(AsExprSyntax.self), cast.questionOrExclamationMark == nil {
      return uses(in: cast.expression)
    }
    if let call = expression.as(FunctionCallExprSyntax.self), unfolded.contains(call.id) { return uses(in: call) }
    return [WrittenExpression.Use(order: order, isCall: true)]
  }

  /// What a call evaluates before it is made.
  func uses(in call: FunctionCallExprSyntax) -> [WrittenExpression.Use] {
    let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    return (base.map { uses(in: $0) } ?? [])
      + call.arguments.map(\.expression).filter { !$0.is(ClosureExprSyntax.self) }.flatMap { uses(in: $0) }
  }
}
