import DualSendCore
import SwiftParser
import SwiftSyntax

/// The forms of expressions that are read. What has no row here is unknown, and named with its line.
extension Resolver {
  /// The possible values of an expression.
  ///
  /// - Parameter expected: the type that the context requires, which determines the meaning of `.x`.
  func value(_ expression: ExprSyntax, _ context: Context, _ state: PathState, expected: String? = nil) -> Value {
    guard effort.descend() else { return Effort.exceeded }
    defer { effort.depth -= 1 }
    func inner(_ inner: ExprSyntax, _ type: String? = expected) -> Value {
      value(inner, context, state, expected: type)
    }
    if let expected, let own = ownLiteral(expression, expected, context) { return own }
    return switch expression.as(ExprSyntaxEnum.self) {
    // Literals
    case .stringLiteralExpr(let literal): text(literal, context, state)
    case .integerLiteralExpr(let literal):
      literal.representedLiteralValue.map { .literal(.int(Int64($0))) } ?? .scalar(.int)
    case .floatLiteralExpr(let literal):
      literal.representedLiteralValue.map { .literal(.double($0)) } ?? .scalar(.double)
    case .booleanLiteralExpr(let literal): .literal(.bool(literal.literal.text == "true"))
    case .nilLiteralExpr: .null
    case .arrayExpr(let array): list(array, context, state, expected)
    case .dictionaryExpr(let dictionary): self.dictionary(dictionary, context, state, expected)
    case .tupleExpr(let tuple) where tuple.elements.count == 1:
      tuple.elements.first.map { inner($0.expression) } ?? .unknown("()")
    // Names and members
    case .declReferenceExpr(let name): reference(name, context, state)
    case .memberAccessExpr(let access): member(access, context, state, expected)
    // Calls and operators
    case .functionCallExpr(let call): self.call(call, context, state, expected)
    case .infixOperatorExpr(let infix): self.infix(infix, context, state, expected)
    case .prefixOperatorExpr(let prefix): self.prefix(prefix.operator.text, inner(prefix.expression))
    // Choices
    case .ternaryExpr(let choice): ternary(choice, context, state, expected)
    case .switchExpr: choice(expression, context, state, expected)
    // What stands around another expression
    case .tryExpr(let tried): inner(tried.expression).orNil(tried.questionOrExclamationMark?.text == "?")
    case .asExpr(let cast):
      inner(cast.expression, cast.type.trimmedDescription)
        .cast(to: cast.type.trimmedDescription, mayFail: cast.questionOrExclamationMark?.text == "?")
    case .isExpr: .scalar(.bool)
    case .awaitExpr(let waited): inner(waited.expression)
    case .forceUnwrapExpr(let forced): inner(forced.expression).unwrapped
    case .optionalChainingExpr(let chained): inner(chained.expression, nil).chained
    default: .unknown(context.form(expression))
    }
  }

  /// The value of a literal of a type that gives it another meaning: an own type, a floating-point type or a set.
  private func ownLiteral(_ expression: ExprSyntax, _ expected: String, _ context: Context) -> Value? {
    let isNumber = expression.is(IntegerLiteralExprSyntax.self)
    let isLiteral =
      isNumber || expression.is(StringLiteralExprSyntax.self) || expression.is(BooleanLiteralExprSyntax.self)
      || expression.is(NilLiteralExprSyntax.self) || expression.is(ArrayExprSyntax.self)
      || expression.is(DictionaryExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self)
    guard isLiteral else { return nil }
    let plain = DeclarationIndex.plain(expected.withoutOptional)
    if isNumber, let type = index.aliased(plain, in: context.owner, file: context.unit.file) {
      switch type {
      case "Double", "Float", "Float32", "Float64", "CGFloat", "TimeInterval": return .scalar(.double)
      case "Int", "UInt", "Any", "AnyHashable", "Sendable", "Hashable", "Encodable", "Codable", "Equatable": break
      case _ where type.hasPrefix("Int") || type.hasPrefix("UInt"): break
      // Of a type that these sources do not show, the literal may be anything.
      default: if index.type(type, in: context.owner, file: context.unit.file) == nil { return .scalar(.unknown) }
      }
    }
    if expression.is(ArrayExprSyntax.self), plain == "Set" { return .unknown("a set") }
    let own = index.type(plain, in: context.owner, file: context.unit.file) ?? .init(path: plain, file: nil)
    let isOwn = types.ancestors(of: own).contains { $0.path.hasPrefix("ExpressibleBy") }
    return isOwn ? .unknown("a literal of `\(plain)`") : nil
  }

  private func ternary(
    _ choice: TernaryExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> Value {
    let isTrue = truth(of: choice.condition, context, state)
    let type = sharedType(choice, context, state, expected)
    let branches = isTrue.map { [$0 ? choice.thenExpression : choice.elseExpression] }
    return .either(
      (branches ?? [choice.thenExpression, choice.elseExpression]).map { value($0, context, state, expected: type) })
  }

  /// The values of a `switch` that is an expression.
  private func choice(
    _ expression: ExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> Value {
    var inner = context
    inner.result = expected
    let returns = Returns()
    _ = quietly { run(Syntax(expression), inner, state, returns, givesValue: true) }
    return returns.values.isEmpty ? .unknown(context.form(expression)) : .either(returns.values)
  }

  /// The type of a ternary's branches, if one of them shows it.
  private func sharedType(
    _ choice: TernaryExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> String? {
    guard expected == nil, choice.thenExpression.isImplicit != choice.elseExpression.isImplicit else { return expected }
    let known = choice.thenExpression.isImplicit ? choice.elseExpression : choice.thenExpression
    return type(of: quietly { value(known, context, state) }, in: context)?.path
  }
}

extension Value {
  /// The value of `try?`, which may be nil.
  fileprivate func orNil(_ mayFail: Bool) -> Value { mayFail ? .either([self, .null]) : self }

  /// The value of `as`, or of `as?`, which is nil for a value of another type. A number may be of several types.
  fileprivate func cast(to type: String, mayFail: Bool) -> Value {
    guard mayFail else { return self }
    return map { one in
      switch one {
      case .text, .pattern, .scalar(.string):
        switch type {
        case "String", "Any": one
        case "Int", "Double", "Bool": .null
        default: .either([one, .null])
        }
      case .literal(.null): .null
      case .literal, .scalar(.int), .scalar(.double), .scalar(.bool):
        type == "String" ? .null : .either([one, .null])
      default: .either([one, .null])
      }
    }
  }

  /// The value behind `?.`: a member of nil is nil.
  fileprivate var chained: Value { mayBeNil == false ? self : .either([unwrapped, .null]) }
}

extension ExprSyntax {
  /// A short form that identifies the expression.
  var shortText: String {
    let line = trimmedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "…" : line
  }
}
