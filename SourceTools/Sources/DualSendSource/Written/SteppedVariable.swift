import SwiftSyntax

/// A local variable that nothing is done with but to set keys of it, one after another, and to log it once.
struct SteppedVariable {
  struct Step {
    let key: String
    let keyExpression: ExprSyntax
    /// `nil` where the key is taken away.
    let value: ExprSyntax?
    let statement: CodeBlockItemSyntax
  }

  let name: String
  let initial: ExprSyntax
  let isTyped: Bool
  let steps: [Step]

  /// `nil` if the variable is used for anything else.
  init?(_ name: String, loggedBy call: FunctionCallExprSyntax) {
    guard let function = call.enclosingFunction else { return nil }
    var declarations: [VariableDeclSyntax] = []
    var steps: [Step] = []
    var logged = 0
    for token in function.tokens(viewMode: .sourceAccurate) where token.identifier?.name == name {
      if token.isLabelOrMember {
        continue
      } else if let declaration = token.declaredVariable {
        declarations.append(declaration)
      } else if let reference = token.parent?.as(DeclReferenceExprSyntax.self), reference.isIn(call) {
        logged += 1
      } else if let reference = token.parent?.as(DeclReferenceExprSyntax.self), let step = Step(of: reference) {
        steps.append(step)
      } else {
        return nil
      }
    }
    guard logged == 1, declarations.count == 1, let declaration = declarations.first,
      let binding = declaration.bindings.first, declaration.bindings.count == 1, declaration.attributes.isEmpty,
      let initial = binding.initializer?.value, let isTyped = Self.isTyped(binding.typeAnnotation?.type, initial),
      let block = declaration.parent?.parent,
      ([Syntax(call)] + steps.map { Syntax($0.statement) })
        .allSatisfy({ $0.isDirectly(in: block) })
    else { return nil }
    (self.name, self.initial, self.isTyped, self.steps) = (name, initial, isTyped, steps)
  }

  /// Whether a dictionary says that it holds any value; `nil` if it says that it holds others.
  private static func isTyped(_ declared: TypeSyntax?, _ initial: ExprSyntax) -> Bool? {
    let any = ["[String: Any]", "[String : Any]", "[String: any Sendable]"]
    if let declared { return any.contains(declared.trimmedDescription) ? true : nil }
    if let call = initial.as(FunctionCallExprSyntax.self), call.calledExpression.is(DictionaryExprSyntax.self) {
      return any.contains(call.calledExpression.trimmedDescription) ? false : nil
    }
    // What a function brings back is what its callers take it for: a literal is not.
    return initial.is(FunctionCallExprSyntax.self) || initial.is(MemberAccessExprSyntax.self)
      || initial.as(AsExprSyntax.self).map { any.contains($0.type.trimmedDescription) } == true
      ? false : nil
  }
}

extension SteppedVariable.Step {
  /// `name["key"] = value`, `name.updateValue(value, forKey: "key")`, `name.removeValue(forKey: "key")`.
  fileprivate init?(of reference: DeclReferenceExprSyntax) {
    if let call = reference.parent?.as(SubscriptCallExprSyntax.self), call.calledExpression.id == reference.id,
      call.arguments.count == 1, let only = call.arguments.first, only.label == nil, call.trailingClosure == nil,
      let assignment = call.parent?.as(InfixOperatorExprSyntax.self), assignment.leftOperand.id == call.id,
      assignment.operator.is(AssignmentExprSyntax.self),
      let statement = assignment.parent?.as(CodeBlockItemSyntax.self), let key = only.expression.plainText
    {
      (self.key, keyExpression) = (key, only.expression)
      value = assignment.rightOperand.is(NilLiteralExprSyntax.self) ? nil : assignment.rightOperand
      self.statement = statement
      return
    }
    guard let member = reference.parent?.as(MemberAccessExprSyntax.self), member.base?.id == reference.id,
      let call = member.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == member.id,
      call.trailingClosure == nil, let statement = call.parent?.as(CodeBlockItemSyntax.self),
      let last = call.arguments.last, last.label?.text == "forKey", let key = last.expression.plainText
    else { return nil }
    switch (member.declName.baseName.text, call.arguments.count) {
    case ("updateValue", 2): value = call.arguments.first?.expression
    case ("removeValue", 1): value = nil
    default: return nil
    }
    (self.key, keyExpression, self.statement) = (key, last.expression, statement)
  }
}

extension ExprSyntax {
  /// The text of a literal without interpolation, on one line.
  fileprivate var plainText: String? {
    guard let literal = self.as(StringLiteralExprSyntax.self), literal.openingPounds == nil,
      literal.segments.count == 1, case .stringSegment(let only)? = literal.segments.first,
      !only.content.text.contains("\\")
    else { return nil }
    return only.content.text
  }
}

extension TokenSyntax {
  /// Whether it names an argument, or something of another value.
  var isLabelOrMember: Bool {
    if parent?.as(LabeledExprSyntax.self)?.label?.id == id { return true }
    guard let name = parent?.as(DeclReferenceExprSyntax.self) else { return false }
    return name.parent?.as(MemberAccessExprSyntax.self)?.declName.id == name.id
  }

  /// The declaration of one local variable that this is the name of.
  fileprivate var declaredVariable: VariableDeclSyntax? {
    parent?.as(IdentifierPatternSyntax.self)?.parent?.as(PatternBindingSyntax.self)?.parent?.parent?
      .as(VariableDeclSyntax.self)
  }
}

extension SyntaxProtocol {
  /// The function around a place, or the accessor.
  fileprivate var enclosingFunction: Syntax? {
    var node = parent
    while let here = node {
      if here.is(FunctionDeclSyntax.self) || here.is(InitializerDeclSyntax.self) || here.is(AccessorBlockSyntax.self) {
        return here
      }
      node = here.parent
    }
    return nil
  }

  fileprivate func isIn(_ other: some SyntaxProtocol) -> Bool {
    position >= other.position && endPosition <= other.endPosition
  }

  /// Whether it runs where the block runs: no closure and no function is between them.
  fileprivate func isDirectly(in block: Syntax) -> Bool {
    var node: Syntax? = Syntax(self)
    while let here = node {
      // The declaration's own list of statements.
      if here.id == block.id { return true }
      if here.is(ClosureExprSyntax.self) || here.is(FunctionDeclSyntax.self) { return false }
      node = here.parent
    }
    return false
  }
}
