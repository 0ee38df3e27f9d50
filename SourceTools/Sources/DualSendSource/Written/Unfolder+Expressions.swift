import DualSendCore
import SwiftParser
import SwiftSyntax

extension Unfolder {
  /// An expression as it can stand at the call site.
  func expression(_ expression: ExprSyntax, _ scope: WrittenScope) throws(NotWritten) -> WrittenExpression {
    let expression = expression.unparenthesized
    let value = value(expression, scope)
    if scope.isSite {
      return WrittenExpression(
        text: expression.trimmedDescription, value: value, integer: try integer(expression, scope),
        choice: try choice(expression, scope), uses: uses(in: expression))
    }
    if value.isPlainLiteral, expression.isPure, isKnown(expression, scope) {
      return WrittenExpression(text: nil, value: value, uses: [])
    }
    var uses: [WrittenExpression.Use] = []
    let text = try text(expression, scope, isOperand: false, &uses)
    return WrittenExpression(
      text: text, value: value, integer: try integer(expression, scope), choice: try choice(expression, scope),
      uses: uses)
  }

  /// Of `String(n)`, where `n` is an integer: `n`.
  private func integer(_ expression: ExprSyntax, _ scope: WrittenScope) throws(NotWritten) -> String? {
    guard let conversion = expression.as(FunctionCallExprSyntax.self)?.conversion, conversion.name == "String",
      isStandard("String", scope)
    else {
      guard case .written(let argument, let outer, _, _)? = binding(expression, scope) else { return nil }
      return try integer(argument.unparenthesized, outer)
    }
    guard case .scalar(.int) = value(conversion.operand, scope).shape else { return nil }
    return try self.expression(conversion.operand, scope).text
  }

  private func choice(
    _ expression: ExprSyntax, _ scope: WrittenScope
  ) throws(NotWritten) -> WrittenExpression.Choice? {
    guard let ternary = expression.as(TernaryExprSyntax.self) else {
      guard case .written(let argument, let outer, _, _)? = binding(expression, scope) else { return nil }
      return try choice(argument.unparenthesized, outer)
    }
    var uses = scope.isSite ? self.uses(in: ternary.condition) : []
    let condition =
      scope.isSite
      ? ternary.condition.trimmedDescription : try text(ternary.condition, scope, isOperand: true, &uses)
    return WrittenExpression.Choice(
      condition: condition, uses: uses,
      branches: [
        try self.expression(ternary.thenExpression, scope), try self.expression(ternary.elseExpression, scope),
      ])
  }

  private func binding(_ expression: ExprSyntax, _ scope: WrittenScope) -> WrittenScope.Binding? {
    expression.as(DeclReferenceExprSyntax.self).flatMap { scope.bindings[$0.baseName.identifierText] }
  }

  // MARK: Text

  private func text(
    _ expression: ExprSyntax, _ scope: WrittenScope, isOperand: Bool, _ uses: inout [WrittenExpression.Use]
  ) throws(NotWritten) -> String {
    switch expression.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr(let literal) where literal.representedLiteralValue != nil && literal.isOnOneLine:
      return literal.trimmedDescription
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr: return expression.trimmedDescription
    case .declReferenceExpr(let name):
      let text = name.baseName.identifierText
      if let binding = scope.bindings[text] { return try argument(binding, text, isOperand: isOperand, &uses) }
      return try ownMember(text, scope, &uses)
    case .memberAccessExpr(let member):
      guard let base = member.base, member.declName.argumentNames == nil else { break }
      if base.isSelf { return try ownMember(member.declName.baseName.text, scope, &uses) }
      return try text(base, scope, isOperand: true, &uses) + "." + member.declName.trimmedDescription
    case .functionCallExpr(let call):
      guard let conversion = call.conversion, isStandard(conversion.name, scope) else { break }
      return try conversion.name + "(" + text(conversion.operand, scope, isOperand: false, &uses) + ")"
    case .tupleExpr where expression.unparenthesized != expression:
      return try "(" + text(expression.unparenthesized, scope, isOperand: false, &uses) + ")"
    case .infixOperatorExpr(let infix) where expression.isPure:
      let left = try text(infix.leftOperand, scope, isOperand: true, &uses)
      let sign = infix.operator.trimmedDescription
      let right = try text(infix.rightOperand, scope, isOperand: true, isCertain: infix.isComparison, &uses)
      return parenthesized("\(left) \(sign) \(right)", isOperand)
    case .ternaryExpr(let ternary):
      let condition = try text(ternary.condition, scope, isOperand: true, &uses)
      let yes = try text(ternary.thenExpression, scope, isOperand: true, isCertain: false, &uses)
      let no = try text(ternary.elseExpression, scope, isOperand: true, isCertain: false, &uses)
      return parenthesized("\(condition) ? \(yes) : \(no)", isOperand)
    default: break
    }
    throw NotWritten("`\(expression.excerpt)` is worked out elsewhere")
  }

  private func text(
    _ expression: ExprSyntax, _ scope: WrittenScope, isOperand: Bool, isCertain: Bool,
    _ uses: inout [WrittenExpression.Use]
  ) throws(NotWritten) -> String {
    var inner: [WrittenExpression.Use] = []
    let text = try text(expression, scope, isOperand: isOperand, &inner)
    uses += inner.map { .init(order: $0.order, isCall: $0.isCall, isCertain: $0.isCertain && isCertain) }
    return text
  }

  private func parenthesized(_ text: String, _ isOperand: Bool) -> String { isOperand ? "(\(text))" : text }

  /// An argument in the place of its parameter.
  private func argument(
    _ binding: WrittenScope.Binding, _ name: String, isOperand: Bool, _ uses: inout [WrittenExpression.Use]
  ) throws(NotWritten) -> String {
    let unknown = NotWritten("`\(name)` gets its type from where it is declared")
    guard case .written(let argument, let outer, let declared, _) = binding,
      argument.hasOwnType(declared: declared?.trimmedDescription)
    else {
      guard let literal = binding.literalText else { throw unknown }
      return literal
    }
    guard outer.isSite else { return try text(argument, outer, isOperand: isOperand, &uses) }
    uses += self.uses(in: argument)
    return argument.isOperand || !isOperand ? argument.trimmedDescription : "(\(argument.trimmedDescription))"
  }

  /// A member of `self`, which is the call site's own.
  private func ownMember(
    _ name: String, _ scope: WrittenScope, _ uses: inout [WrittenExpression.Use]
  ) throws(NotWritten) -> String {
    if case .made(let made)? = scope.own, made.caseName == nil,
      let field = made.fields.first(where: { $0.label == name })
    {
      return try argument(field.binding, name, isOperand: true, &uses)
    }
    guard case .site(let prefix)? = scope.own, let type = site.context.selfValue?.typeID,
      scope.context.selfValue?.typeID == type
    else { throw NotWritten("`\(name)` is worked out elsewhere") }
    let found = evaluator.index.members(name, of: type, file: site.context.file)
    guard found.count == 1, found[0].kind != .function, !found[0].isStatic else {
      throw NotWritten("`\(name)` is worked out elsewhere")
    }
    // It is read when all arguments have their values.
    uses.append(WrittenExpression.Use(order: .max, isCall: false))
    let isHidden = site.context.names.ids[name] != nil || site.context.names.functions[name] != nil
    return (isHidden ? "self." : prefix) + name
  }

  // MARK: What is known

  /// Whether a name is the standard library's, here and at the call site.
  private func isStandard(_ name: String, _ scope: WrittenScope) -> Bool {
    [scope, site].allSatisfy { scope in
      scope.context.names.ids[name] == nil && scope.context.names.functions[name] == nil
        && evaluator.index.type(name, in: scope.context.typeName, file: scope.context.file) == nil
        && evaluator.index.functions(named: name).isEmpty
    }
  }

  /// Whether a literal that an expression comes to is the very value that it has: numbers get their types from where
  /// they are declared.
  private func isKnown(_ expression: ExprSyntax, _ scope: WrittenScope) -> Bool {
    if let binding = binding(expression, scope) {
      if case .written(let argument, _, _, _) = binding, !argument.isPure { return false }
      return binding.literalText != nil
    }
    if expression.is(IntegerLiteralExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self) { return true }
    switch value(expression, scope).shape {
    case .literal(.string), .literal(.bool): return true
    default: return false
    }
  }
}

extension WrittenScope.Binding {
  /// The literal that an argument is, whose type is one that a literal has anywhere.
  fileprivate var literalText: String? {
    let type: TypeSyntax? =
      switch self {
      case .written(_, _, let declared, _): declared
      case .standard(_, let declared): declared
      }
    switch (value.shape, type?.trimmedDescription.trimmingSuffix("?")) {
    case (.literal(.string(let text)), "String"):
      let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
      return isPlain ? "\"\(text)\"" : nil
    case (.literal(.bool(let flag)), "Bool"): return "\(flag)"
    case (.literal(.int(let number)), "Int"): return "\(number)"
    case (.literal(.double(let number)), "Double") where number.isFinite: return "\(number)"
    default: return nil
    }
  }
}

extension SourceValue {
  fileprivate var isPlainLiteral: Bool {
    switch shape {
    case .literal(.string), .literal(.int), .literal(.double), .literal(.bool): true
    default: false
    }
  }
}

extension StringLiteralExprSyntax {
  fileprivate var isOnOneLine: Bool { openingQuote.tokenKind == .stringQuote }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
