import SwiftSyntax

extension Resolver {
  func declare(_ declaration: VariableDeclSyntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    var states = states
    let isVariable = declaration.bindingSpecifier.text == "var"
    for binding in declaration.bindings {
      let type = binding.typeAnnotation?.type.trimmedDescription
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText
      if let initial = binding.initializer?.value, !initial.isChoice {
        states = observed(Syntax(initial), context, states)
      }
      if let name, binding.accessorBlock == nil, declaration.attributes.isEmpty {
        states = states.flatMap { state -> [PathState] in
          guard let initial = binding.initializer?.value else {
            let start: Value = isVariable && type?.isOptionalType == true ? .null : .unknown("`\(name)` is not set")
            return [state].each { $0.declare(name, start, type, isVariable: true) }
          }
          let shown = type ?? shownType(of: initial, context, state)
          if let object = localObject(initial, context, state) {
            return [state].each { $0.declare(name, object, shown, isVariable: isVariable) }
          }
          return values(initial, context, state, expected: type).map { value, before in
            var state = before
            state.declare(name, value, shown, isVariable: isVariable)
            state.remember(name, value, of: initial, before: before)
            return state
          }
        }
      } else {
        // An accessor runs whenever the name is used.
        if let accessors = binding.accessorBlock { states = deferred(Syntax(accessors), nil, [], context, states) }
        for name in binding.pattern.patternNames {
          states = states.each { state in
            state.set(name, .unknown("`\(name)` is not followed"))
            if binding.accessorBlock != nil { state.loose.insert(name) }
          }
        }
      }
    }
    return states
  }

  func declare(_ function: FunctionDeclSyntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    let generics = (function.genericParameterClause?.names ?? []).map {
      Declaration.Parameter(label: "_", name: $0, type: "", value: nil)
    }
    let parameters = function.declaredParameters + generics
    return deferred(Syntax(function), function.body?.statements, parameters, context, states).each {
      $0.locals[function.name.identifierText] = .unknown("a local function")
    }
  }

  /// The possible values of an expression. A choice gives one value for each path, so that later code depends on the
  /// branch taken.
  func values(_ expression: ExprSyntax, _ context: Context, _ state: PathState, expected: String?) -> [(
    Value, PathState
  )] {
    if let choice = expression.as(TernaryExprSyntax.self) {
      let type = sharedType(choice, context, state, expected)
      let (yes, no) = paths(choice.condition, context, [state])
      return yes.bounded.flatMap { values(choice.thenExpression, context, $0, expected: type) }
        + no.bounded.flatMap { values(choice.elseExpression, context, $0, expected: type) }
    }
    guard expression.isChoice else { return [(value(expression, context, state, expected: expected), state)] }
    var inner = context
    inner.result = expected ?? context.result
    return run(Syntax(expression), inner, [state], Returns(), givesValue: true).next.map { state in
      var state = state
      return (state.locals.removeValue(forKey: PathState.result) ?? .unknown("a choice without a value"), state)
    }
  }
}
