import SwiftSyntax

/// A reference to a logging function that is not a call. Other code may call the function with any arguments.
struct FunctionReference: Sendable {
  let position: SourcePosition
  let name: String
  /// The wrappers that the name may mean; empty if it may mean something else.
  var wrappers: Set<Int>
  /// Whether it is known to be a described function.
  var isDescribed = false

  var reason: String {
    wrappers.isEmpty && !isDescribed
      ? "`\(name)` may be a function that is handed on as a value: what it is a member of is not known"
      : "`\(name)` is handed on as a value, and called elsewhere"
  }
}

extension FileTracer {
  /// The function that an uncalled name refers to; `nil` if it refers to something else.
  func functionReference(
    _ node: DeclReferenceExprSyntax, _ state: PathState, _ converter: SourceLocationConverter
  ) -> FunctionReference? {
    let (name, index) = (node.baseName.identifierText, resolver.index)
    let labels = node.argumentNames?.arguments.map(\.name.identifierText)
    let fitting = (wrappers.byName[name] ?? []).filter { labels == nil || labels == index[$0].labels }
    let described = (functions[name] ?? []).filter {
      $0.receiverProtocol == nil && (labels == nil || labels == $0.labels)
    }
    guard !fitting.isEmpty || !described.isEmpty else { return nil }
    resolver.effort.left = Effort.perQuestion
    var reference = FunctionReference(position: SourcePosition(node, converter), name: name, wrappers: [])
    guard let access = node.whole.as(MemberAccessExprSyntax.self) else {
      if state.locals[name] != nil { return nil }
      let type = index.type(state.owner, in: "", file: state.unit.file)
      let own = type.map { members(fitting, of: [$0]) } ?? []
      if own.isEmpty, let type, !index.members(name, of: type, file: state.unit.file).isEmpty { return nil }
      reference.wrappers = Set(own.isEmpty ? fitting.filter { index[$0].owner.isEmpty } : own)
      return reference.wrappers.isEmpty ? nil : reference
    }
    guard let base = access.base else { return fitting.contains { index[$0].isStatic } ? reference : nil }
    let values = resolver.values.value(base.typeArgument ?? base, state).alternatives.filter { $0 != .null }
    let types = values.map { resolver.types.type(of: $0, state) }
    let owners = Set(types.compactMap { $0 })
    if types.contains(nil) { return fitting.isEmpty && described.allSatisfy { $0.type != nil } ? nil : reference }
    reference.wrappers = Set(members(fitting, of: owners))
    let names = Set(owners.flatMap(resolver.types.relatives).map(DeclarationIndex.last))
    reference.isDescribed = described.contains { one in
      one.type.map(names.contains) ?? owners.contains { !resolver.types.own(name, .function, of: $0, state).isEmpty }
    }
    return reference.wrappers.isEmpty && !reference.isDescribed ? nil : reference
  }

  private func members(_ fitting: [Int], of types: Set<TypeReference>) -> [Int] {
    let owners = Set(types.flatMap(resolver.types.relatives))
    return fitting.filter { owners.contains(resolver.index[$0].owner) }
  }
}

extension DeclReferenceExprSyntax {
  /// Whether the name can refer to a function at this position.
  var canBeFunctionValue: Bool {
    let isCalled = whole.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == whole.id
    return !isCalled && (argumentNames != nil || whole.isAskedForFunction)
  }

  /// The name, or the member access whose name it is.
  fileprivate var whole: ExprSyntax {
    guard let member = parent?.as(MemberAccessExprSyntax.self), member.declName.id == id else {
      return ExprSyntax(self)
    }
    return ExprSyntax(member)
  }
}

extension ExprSyntax {
  /// The argument of `type(of:)`.
  var typeArgument: ExprSyntax? {
    guard let call = self.as(FunctionCallExprSyntax.self), call.calledName?.text == "type", call.labels == ["of"] else {
      return nil
    }
    return call.arguments.first?.expression
  }

  /// Whether a function is possible at this position: not before a member access, and not as an operand or condition.
  fileprivate var isAskedForFunction: Bool {
    guard let parent else { return false }
    switch parent.as(SyntaxEnum.self) {
    case .memberAccessExpr, .subscriptCallExpr, .prefixOperatorExpr, .postfixOperatorExpr, .inOutExpr,
      .conditionElement, .keyPathPropertyComponent, .forStmt, .switchExpr, .whileStmt, .repeatStmt, .ifConfigClause,
      .optionalBindingCondition, .throwStmt, .availabilityCondition:
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
