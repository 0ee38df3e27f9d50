import SwiftSyntax

/// What a call says itself.
extension CallTracer {
  /// The event of a call that writes it down, to the logger or to a function that hands it on as it is.
  func literal(
    _ call: FunctionCallExprSyntax, _ wrappers: Set<Wrapper>, _ context: EvaluationContext, _ path: Path
  ) -> LiteralCall? {
    if wrappers.count == 1, let only = wrappers.first {
      guard let (name, parameters) = handedOn(by: only, steps: Self.maximumDepth),
        let nameExpression = call.argument(of: only.declaration, name)
      else { return nil }
      let dictionary = parameters.flatMap { call.argument(of: only.declaration, $0) }
      // What stands in for parameters that are left out is written elsewhere.
      guard (dictionary == nil) == (parameters == nil) else { return nil }
      return evaluator.literalCall(call, name: nameExpression, parameters: dictionary, context, path)
    }
    guard wrappers.isEmpty,
      let function = functions.first(where: { $0.name == call.calledName && call.hasLabels(of: $0) }),
      case .parts(let name, let parameters) = function.content, let nameExpression = call.argument(name)
    else { return nil }
    return evaluator.literalCall(
      call, name: nameExpression, parameters: parameters.flatMap { call.argument($0) }, context, path)
  }

  /// The positions of the two parameters that a function hands on, if it does nothing else.
  private func handedOn(by wrapper: Wrapper, steps: Int) -> (name: Int, parameters: Int?)? {
    guard steps > 0,
      let function = evaluator.syntax(wrapper.declaration.place, as: FunctionDeclSyntax.self),
      let body = function.body?.statements, body.count == 1, case .expr(let only)? = body.first?.item,
      let call = only.as(FunctionCallExprSyntax.self), call.trailingClosure == nil, let called = call.calledName
    else { return nil }
    let parameters = function.signature.parameterClause.parameters.map {
      ($0.secondName ?? $0.firstName).identifierText
    }
    func position(_ expression: ExprSyntax?) -> Int? {
      if let array = expression?.as(ArrayExprSyntax.self), array.elements.count == 1 {
        return position(array.elements.first?.expression)
      }
      guard let name = expression?.as(DeclReferenceExprSyntax.self)?.baseName.identifierText else { return nil }
      return parameters.firstIndex(of: name)
    }
    let inner: (name: ExprSyntax?, parameters: ExprSyntax?)
    if let function = functions.first(where: { $0.name == called && call.hasLabels(of: $0) }),
      case .parts(let name, let parameters) = function.content
    {
      inner = (call.argument(name), parameters.flatMap { call.argument($0) })
    } else if let next = wrappers[called], next.count == 1, call.fits(next[0].declaration),
      let (name, parameters) = handedOn(by: next[0], steps: steps - 1)
    {
      inner = (
        call.argument(of: next[0].declaration, name),
        parameters.flatMap { call.argument(of: next[0].declaration, $0) }
      )
    } else {
      return nil
    }
    guard let name = position(inner.name), parameters.count == call.arguments.count else { return nil }
    if inner.parameters == nil { return (name, nil) }
    return position(inner.parameters).map { (name, $0) }
  }
}
