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
    _ node: DeclReferenceExprSyntax, _ reached: (context: Context, state: PathState)?, _ unit: SourceUnit,
    _ converter: SourceLocationConverter
  ) -> FunctionReference? {
    let name = node.baseName.identifierText
    let labels = node.argumentNames?.arguments.map(\.name.identifierText)
    let fitting = wrappers.named(name).filter { labels == nil || labels == resolver.index[$0].labels }
    let described = (functions[name] ?? []).filter {
      $0.receiverProtocol == nil && (labels == nil || labels == $0.labels)
    }
    let isLogging = described.contains { $0.type == nil }
    guard !fitting.isEmpty || !described.isEmpty else { return nil }
    // `Analytics.track(…)` calls a static function, if there is one, and else gives the function of a value.
    if let call = node.calling, !call.isCalled {
      let known = resolver.fitting(call, name).map { resolver.index[$0] }
      if known.isEmpty ? fitting.isEmpty : known.contains(where: \.isStatic) { return nil }
    }
    let context = reached?.context ?? Context(unit: unit, owner: node.surroundings.type)
    var reference = FunctionReference(position: SourcePosition(node, converter), name: name, wrappers: [])
    resolver.effort.left = Effort.perQuestion
    let access = node.whole.as(MemberAccessExprSyntax.self)
    let types = access?.base.flatMap { base in reached.map { self.types(of: base, context, $0.state) } }
    if fitting.isEmpty, access?.base != nil {
      guard let types, !types.contains(nil) else { return isLogging ? reference : nil }
      reference.isDescribed = types.compactMap { $0 }.contains { isDescribed(described, name, $0, context) }
      return reference.isDescribed ? reference : nil
    }
    guard !fitting.isEmpty || isLogging else { return nil }
    let found: [Int]?
    if let root = node.keyPathRoot {
      let type = resolver.index.type(root.trimmedDescription, in: context.owner, file: unit.file)
      found = type.map { members(fitting, of: $0) }
    } else if let access {
      if access.base == nil { return fitting.contains { resolver.index[$0].isStatic } ? reference : nil }
      // `Analytics.track(analytics)` gives the function; it does not call it yet.
      found = types.flatMap { $0.contains(nil) ? nil : $0.compactMap { $0 } }?.flatMap { members(fitting, of: $0) }
        .filter { node.calling == nil || !resolver.index[$0].isStatic }
    } else {
      if reached?.state.locals[name] != nil { return nil }
      let type = resolver.index.type(context.owner, in: "", file: unit.file)
      let own = type.map { members(fitting, of: $0) } ?? []
      if own.isEmpty, let type, !resolver.index.members(name, of: type, file: unit.file).isEmpty { return nil }
      found = own.isEmpty ? fitting.filter { resolver.index[$0].owner.isEmpty } : own
    }
    reference.wrappers = Set(found ?? [])
    return found?.isEmpty == true ? nil : reference
  }

  /// The types that a value can have; `nil` stands for an unknown one.
  private func types(of base: ExprSyntax, _ context: Context, _ state: PathState) -> Set<TypeReference?> {
    let values = resolver.value(base.typeArgument ?? base, context, state).alternatives
    return Set(values.filter { $0 != .null }.map { resolver.type(of: $0, in: context) })
  }

  /// Whether a type has a described function that is no wrapper.
  private func isDescribed(
    _ described: [LoggingFunction], _ name: String, _ type: TypeReference, _ context: Context
  ) -> Bool {
    let owners = Set(resolver.relatives(of: type).map(DeclarationIndex.last))
    let own = resolver.index.members(name, of: type, file: context.unit.file)
    return described.contains { one in
      one.type.map(owners.contains) ?? own.contains { resolver.index[$0].kind == .function }
    }
  }

  private func members(_ fitting: [Int], of type: TypeReference) -> [Int] {
    let owners = Set(resolver.relatives(of: type))
    return fitting.filter { owners.contains(resolver.index[$0].owner) }
  }
}

extension DeclReferenceExprSyntax {
  /// Whether the name can refer to a function at this position.
  var canBeFunctionValue: Bool {
    if calling != nil {
      return whole.as(MemberAccessExprSyntax.self)?.base?.isTypeName == true
    }
    if parent?.is(KeyPathPropertyComponentSyntax.self) == true { return keyPathRoot != nil }
    return argumentNames != nil || whole.isAskedForFunction
  }

  /// The name, or the member access whose name it is.
  fileprivate var whole: ExprSyntax {
    guard let member = parent?.as(MemberAccessExprSyntax.self), member.declName.id == id else {
      return ExprSyntax(self)
    }
    return ExprSyntax(member)
  }

  /// The root type of a key path whose first component this is: `\Analytics.track`.
  fileprivate var keyPathRoot: TypeSyntax? {
    guard let step = parent?.parent?.as(KeyPathComponentSyntax.self),
      let path = step.parent?.parent?.as(KeyPathExprSyntax.self), path.components.first?.id == step.id
    else { return nil }
    return path.root
  }

  /// The call whose called expression this is, or whose member name.
  fileprivate var calling: FunctionCallExprSyntax? {
    whole.parent?.as(FunctionCallExprSyntax.self).flatMap { $0.calledExpression.id == whole.id ? $0 : nil }
  }
}

extension FunctionCallExprSyntax {
  /// Whether its result is called: `Analytics.track(analytics)("a")`.
  fileprivate var isCalled: Bool { parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(self).id }
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
      .conditionElement, .forStmt, .switchExpr, .whileStmt, .repeatStmt, .ifConfigClause, .optionalBindingCondition,
      .throwStmt, .availabilityCondition:
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
