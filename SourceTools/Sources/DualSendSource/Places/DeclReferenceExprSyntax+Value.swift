import SwiftSyntax

extension DeclReferenceExprSyntax {
  /// Whether a function of this name can be meant that is not called here, as far as the place says.
  var canBeFunctionValue: Bool {
    if isCallee { return whole.as(MemberAccessExprSyntax.self)?.base?.isLikeType == true }
    if parent?.is(KeyPathPropertyComponentSyntax.self) == true { return keyPathRoot != nil }
    return argumentNames != nil || whole.isAskedForFunction
  }

  /// The name, or the member access whose name it is.
  var whole: ExprSyntax {
    guard let member = parent?.as(MemberAccessExprSyntax.self), member.declName.id == id else {
      return ExprSyntax(self)
    }
    return ExprSyntax(member)
  }

  /// The type that a key path starts from whose first step this is: `\Analytics.track`.
  var keyPathRoot: TypeSyntax? {
    guard let step = parent?.parent?.as(KeyPathComponentSyntax.self),
      let path = step.parent?.parent?.as(KeyPathExprSyntax.self), path.components.first?.id == step.id
    else { return nil }
    return path.root
  }

  /// Whether it is what is called, by itself or as the member of something.
  var isCallee: Bool {
    whole.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == whole.id
  }

  /// The labels that it is written with: `track(_:properties:)`.
  var labels: [String]? { argumentNames?.arguments.map(\.name.identifierText) }
}

extension ExprSyntax {
  /// The value whose type is meant: `a` of `type(of: a)`.
  var typeArgument: ExprSyntax? {
    guard let call = self.as(FunctionCallExprSyntax.self), call.calledName?.text == "type", call.arguments.count == 1,
      let only = call.arguments.first, only.label?.text == "of"
    else { return nil }
    return only.expression
  }

  /// Whether it is written as types are.
  fileprivate var isLikeType: Bool {
    let name = self.as(DeclReferenceExprSyntax.self) ?? self.as(MemberAccessExprSyntax.self)?.declName
    return name?.baseName.text.first?.isUppercase == true
  }

  /// Whether a function can stand here: not what has members, is compared, reckoned with or asked.
  fileprivate var isAskedForFunction: Bool {
    guard let parent else { return false }
    switch parent.as(SyntaxEnum.self) {
    case .memberAccessExpr, .subscriptCallExpr, .prefixOperatorExpr, .postfixOperatorExpr, .inOutExpr,
      .conditionElement,
      .forStmt, .switchExpr, .whileStmt, .repeatStmt, .ifConfigClause, .optionalBindingCondition, .throwStmt,
      .availabilityCondition:
      return false
    case .infixOperatorExpr(let infix):
      if infix.operator.is(AssignmentExprSyntax.self) { return infix.rightOperand.id == id }
      return infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
    case .ternaryExpr(let ternary): return ternary.condition.id != id
    case .labeledExpr: return parent.parent?.parent?.is(ExpressionSegmentSyntax.self) != true
    default: return true
    }
  }
}
