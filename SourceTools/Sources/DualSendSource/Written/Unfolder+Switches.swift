import SwiftSyntax

extension Unfolder {
  /// The case of `switch self` that a made value comes to, with what its pattern binds.
  func chosen(
    _ choice: SwitchExprSyntax, _ scope: WrittenScope
  ) throws(NotWritten) -> (CodeBlockItemListSyntax, WrittenScope) {
    let unknown = NotWritten("which case of a `switch` it comes to is not known")
    guard choice.subject.unparenthesized.isSelf, case .made(let made)? = scope.own, let name = made.caseName else {
      throw unknown
    }
    for element in choice.cases {
      guard case .switchCase(let one) = element else { throw unknown }
      guard case .case(let label) = one.label else { return (one.statements, scope) }
      for item in label.caseItems {
        guard item.whereClause == nil, let pattern = item.pattern.casePattern else { throw unknown }
        guard pattern.name == name else { continue }
        return (one.statements, try bound(pattern.values, made, scope))
      }
    }
    throw unknown
  }

  private func bound(
    _ patterns: [CasePattern.Value]?, _ made: WrittenScope.Made, _ scope: WrittenScope
  ) throws(NotWritten) -> WrittenScope {
    guard let patterns else { return scope }
    guard patterns.count == made.fields.count else {
      throw NotWritten("a pattern binds all values of `.\(made.caseName ?? "")` as one")
    }
    var bindings = scope.bindings
    var context = scope.context
    var path = scope.path
    for (pattern, field) in zip(patterns, made.fields) {
      switch pattern {
      case .ignored: continue
      case .other: throw NotWritten("which case of a `switch` it comes to is not known")
      case .name(let name):
        bindings[name] = field.binding
        let id = evaluator.newID()
        context.names.declare(name, id, isConstant: true)
        path.values[id] = field.binding.value
      }
    }
    return WrittenScope(context, path, isSite: false, bindings: bindings, own: scope.own)
  }
}

/// A pattern that names an enum's case.
struct CasePattern {
  /// What it makes of one of the case's values.
  enum Value {
    case ignored
    case name(String)
    case other
  }

  let name: String
  /// `nil` where it has no parentheses.
  let values: [Value]?
}

extension PatternSyntax {
  /// `.a`, `.a(let x)`, `let .a(x)`, `A.a(_)`; `nil` for patterns of other forms.
  fileprivate var casePattern: CasePattern? {
    let isBound = self.is(ValueBindingPatternSyntax.self)
    let inner = self.as(ValueBindingPatternSyntax.self)?.pattern ?? self
    guard let expression = inner.as(ExpressionPatternSyntax.self)?.expression else { return nil }
    if let member = expression.as(MemberAccessExprSyntax.self) {
      return CasePattern(name: member.declName.baseName.identifierText, values: nil)
    }
    guard let call = expression.as(FunctionCallExprSyntax.self), call.trailingClosure == nil,
      let member = call.calledExpression.as(MemberAccessExprSyntax.self)
    else { return nil }
    return CasePattern(
      name: member.declName.baseName.identifierText,
      values: call.arguments.map { $0.expression.boundValue(isBound: isBound) })
  }
}

extension ExprSyntax {
  fileprivate func boundValue(isBound: Bool) -> CasePattern.Value {
    if self.is(DiscardAssignmentExprSyntax.self) { return .ignored }
    guard let pattern = self.as(PatternExprSyntax.self)?.pattern else { return .other }
    if pattern.is(WildcardPatternSyntax.self) { return .ignored }
    if isBound, let name = pattern.as(IdentifierPatternSyntax.self) { return .name(name.identifier.identifierText) }
    guard let binding = pattern.as(ValueBindingPatternSyntax.self),
      binding.bindingSpecifier.tokenKind == .keyword(.let),
      let name = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return .other }
    return .name(name.identifier.identifierText)
  }
}
