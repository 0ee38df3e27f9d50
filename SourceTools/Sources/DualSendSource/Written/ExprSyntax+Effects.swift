import SwiftSyntax

extension ExprSyntax {
  /// Whether evaluating it does nothing but read values, as far as its form says: properties count as values.
  var isPure: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr(let literal):
      return literal.segments.allSatisfy { segment in
        guard case .expressionSegment(let inner) = segment else { return true }
        return inner.expressions.allSatisfy { $0.expression.isPure }
      }
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr, .declReferenceExpr: return true
    case .memberAccessExpr(let member): return member.base?.isPure ?? true
    case .optionalChainingExpr(let chain): return chain.expression.isPure
    case .prefixOperatorExpr(let prefix): return prefix.expression.isPure
    case .infixOperatorExpr(let infix):
      return infix.isWithoutEffect && infix.leftOperand.isPure && infix.rightOperand.isPure
    case .ternaryExpr(let ternary):
      return [ternary.condition, ternary.thenExpression, ternary.elseExpression].allSatisfy(\.isPure)
    case .tupleExpr(let tuple): return tuple.elements.count == 1 && tuple.elements.allSatisfy { $0.expression.isPure }
    case .arrayExpr(let array): return array.elements.allSatisfy { $0.expression.isPure }
    case .dictionaryExpr(let dictionary):
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.allSatisfy { $0.key.isPure && $0.value.isPure }
    case .asExpr(let cast):
      return cast.questionOrExclamationMark?.tokenKind != .exclamationMark && cast.expression.isPure
    case .functionCallExpr(let call): return call.isPure
    default: return false
    }
  }

  /// Whether its type is its own, whatever the place asks for: an argument that can be written elsewhere.
  var hasOwnType: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr, .booleanLiteralExpr, .declReferenceExpr: return true
    case .memberAccessExpr(let member): return member.base?.hasOwnType ?? false
    case .optionalChainingExpr(let chain): return chain.expression.hasOwnType
    case .forceUnwrapExpr(let forced): return forced.expression.hasOwnType
    case .subscriptCallExpr(let call): return call.calledExpression.hasOwnType
    case .tupleExpr(let tuple):
      return tuple.elements.count == 1 && tuple.elements.allSatisfy { $0.expression.hasOwnType }
    case .ternaryExpr(let ternary): return ternary.thenExpression.hasOwnType && ternary.elseExpression.hasOwnType
    case .infixOperatorExpr(let infix):
      if infix.isComparison { return true }
      return infix.operator.trimmedDescription == "??" && infix.leftOperand.hasOwnType
    case .prefixOperatorExpr(let prefix): return prefix.operator.text == "!"
    case .functionCallExpr(let call):
      // A method that takes a closure may bring back whatever the place asks for.
      guard call.trailingClosure == nil, !call.arguments.contains(where: { $0.expression.is(ClosureExprSyntax.self) })
      else { return false }
      if let member = call.calledExpression.as(MemberAccessExprSyntax.self) { return member.base?.hasOwnType ?? false }
      return call.calledExpression.is(DeclReferenceExprSyntax.self)
    default: return false
    }
  }

  /// The same for what a parameter of a type is given: a literal is of that type only if it would be anywhere.
  func hasOwnType(declared: String?) -> Bool {
    final class Literals: SyntaxVisitor {
      var found = false
      override func visitPost(_ node: StringLiteralExprSyntax) { found = true }
    }
    if self.is(StringLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self) {
      return declared == "String" || declared == "Bool" || declared == "String?" || declared == "Bool?"
    }
    guard hasOwnType else { return false }
    let literals = Literals(viewMode: .sourceAccurate)
    literals.walk(self)
    return !literals.found || declared == "String" || declared == "String?"
      || self.as(FunctionCallExprSyntax.self)?.conversion != nil
  }

  /// Whether it is one operand, whatever operator stands beside it.
  var isOperand: Bool {
    self.is(DeclReferenceExprSyntax.self) || self.is(MemberAccessExprSyntax.self)
      || self.is(FunctionCallExprSyntax.self) || self.is(SubscriptCallExprSyntax.self)
      || self.is(StringLiteralExprSyntax.self) || self.is(IntegerLiteralExprSyntax.self)
      || self.is(FloatLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
      || self.is(TupleExprSyntax.self)
  }

  /// What is inside parentheses.
  var unparenthesized: ExprSyntax {
    guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
      only.label == nil
    else { return self }
    return only.expression.unparenthesized
  }
}

extension FunctionCallExprSyntax {
  /// `Int(x)` and the like; whether such a name is the standard library's is for the caller to know.
  var conversion: (name: String, operand: ExprSyntax)? {
    guard let name = calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text, arguments.count == 1,
      ["String", "Int", "Double", "Bool", "Float"].contains(name), trailingClosure == nil, let only = arguments.first,
      only.label == nil
    else { return nil }
    return (name, only.expression)
  }

  fileprivate var isPure: Bool {
    if let conversion { return conversion.operand.isPure }
    guard let member = calledExpression.as(MemberAccessExprSyntax.self), trailingClosure == nil,
      ["lowercased", "uppercased", "rounded", "contains", "hasPrefix", "hasSuffix", "isMultiple"]
        .contains(member.declName.baseName.text)
    else { return false }
    return member.base?.isPure == true && arguments.allSatisfy { $0.expression.isPure }
  }
}

extension InfixOperatorExprSyntax {
  fileprivate var isWithoutEffect: Bool {
    let sign = self.operator.trimmedDescription
    return isComparison || ["+", "-", "*", "/", "%", "&&", "||", "??"].contains(sign)
  }

  var isComparison: Bool { ["==", "!=", "<", ">", "<=", ">="].contains(self.operator.trimmedDescription) }
}
