import SwiftSyntax

/// How a body ends by `return`.
final class Returns {
  var values: [Value] = []
  var states: [PathState] = []
}

/// What is known at the end of some statements.
struct Outcome {
  /// The state at the next statement; `nil` if it is not reached.
  var next: PathState?
  /// The states at `break` and `continue`.
  var broken: [PathState] = []
  /// The state at `fallthrough`.
  var fallen: PathState?

  mutating func restore(_ names: Set<String>, from outer: PathState) {
    next?.restore(names, from: outer)
    for place in broken.indices { broken[place].restore(names, from: outer) }
    fallen?.restore(names, from: outer)
  }

  /// The outcome of branches of which one is taken.
  static func joined(_ all: [Outcome], words: Set<String>, before: PathState) -> Outcome {
    Outcome(
      next: .joined(all.compactMap(\.next), words: words, before: before), broken: all.flatMap(\.broken),
      fallen: .joined(all.compactMap(\.fallen), words: words, before: before))
  }
}

extension Resolver {
  /// Follows statements in order.
  ///
  /// - Parameter givesValue: whether a lone expression is the result.
  func run(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ state: PathState, _ returns: Returns,
    givesValue: Bool = false
  ) -> Outcome {
    var outcome = Outcome(next: state)
    for item in items {
      guard let state = outcome.next else { break }
      let step = run(Syntax(item.item), context, state, returns, givesValue: givesValue && items.count == 1)
      outcome.next = step.next
      outcome.broken += step.broken
      outcome.fallen = step.fallen ?? outcome.fallen
    }
    return outcome
  }

  /// Follows statements in a scope of their own.
  func block(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ state: PathState, _ returns: Returns,
    givesValue: Bool = false
  ) -> Outcome {
    var outcome = run(items, context, state, returns, givesValue: givesValue)
    outcome.restore(items.declaredNames, from: state)
    return outcome
  }

  /// Follows a statement. Each form that is read has a row here. One without a row is an expression, or code whose changes are
  /// not followed.
  func run(
    _ node: Syntax, _ context: Context, _ state: PathState, _ returns: Returns, givesValue: Bool
  ) -> Outcome {
    guard effort.take() else {
      returns.values.append(Effort.exceeded)
      let after = losing(node, context, state)
      returns.states.append(after)
      return Outcome(next: after)
    }
    // The index has a file's declarations, and its functions are followed separately.
    if node.declaredName != nil, node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      return Outcome(next: state)
    }
    switch node.as(SyntaxEnum.self) {
    // Declarations
    case .variableDecl(let declaration): return Outcome(next: declare(declaration, context, state))
    case .functionDecl(let function): return Outcome(next: declare(function, context, state))
    case .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl:
      var after = state
      after.locals[node.declaredName ?? ""] = .unknown("a local type")
      return Outcome(next: after)
    // Branches
    case .ifExpr(let choice): return self.choice(choice, context, state, returns, givesValue)
    case .switchExpr(let choice): return self.choice(choice, context, state, returns, givesValue)
    case .guardStmt(let statement):
      let decision = decide(statement.conditions, context, state)
      var outcome = Outcome()
      if decision.isTrue != true { outcome = run(statement.body.statements, context, decision.outside, returns) }
      outcome.next = decision.isTrue == false ? nil : decision.inside
      return outcome
    // Code that runs later, or any number of times
    case .forStmt(let loop): return self.loop(loop, context, state, returns)
    case .deferStmt(let statement):
      return Outcome(next: deferred(node, statement.body.statements, [], context, state))
    case .doStmt, .ifConfigDecl, .whileStmt, .repeatStmt: return unread(node, context, state, returns)
    case .labeledStmt(let labelled):
      let around = losing(node, context, state)
      _ = run(Syntax(labelled.statement), context, around, returns, givesValue: false)
      return Outcome(next: around)
    // Ends
    case .returnStmt(let statement): return self.return(statement.expression, context, state, returns)
    case .throwStmt:
      _ = observed(node, context, state)
      return Outcome()
    case .breakStmt, .continueStmt: return Outcome(broken: [state])
    case .fallThroughStmt: return Outcome(fallen: state)
    // Expressions
    case .expressionStmt(let statement):
      return run(Syntax(statement.expression), context, state, returns, givesValue: givesValue)
    case .infixOperatorExpr(let infix) where infix.isAssignment: return Outcome(next: assign(infix, context, state))
    default:
      if givesValue { return self.return(node.as(ExprSyntax.self), context, state, returns) }
      let call = node.innerCall
      let after = observed(node, context, state, without: call?.id)
      let neverReturns: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort"]
      if let name = call?.calledExpression.trimmedDescription, neverReturns.contains(name),
        index.functions(name).isEmpty
      {
        return Outcome()
      }
      return Outcome(next: call.map { change($0, context, after) } ?? after)
    }
  }

  private func `return`(
    _ expression: ExprSyntax?, _ context: Context, _ state: PathState, _ returns: Returns
  ) -> Outcome {
    let after = expression.map { observed(Syntax($0), context, state) } ?? state
    returns.states.append(after)
    if let expression { returns.values.append(value(expression, context, after, expected: context.result)) }
    return Outcome()
  }

  // MARK: declarations

  private func declare(_ declaration: VariableDeclSyntax, _ context: Context, _ state: PathState) -> PathState {
    var state = state
    let isVariable = declaration.bindingSpecifier.text == "var"
    for binding in declaration.bindings {
      let type = binding.typeAnnotation?.type.trimmedDescription
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText
      if let initial = binding.initializer?.value { state = observed(Syntax(initial), context, state) }
      guard let name, binding.accessorBlock == nil, declaration.attributes.isEmpty else {
        // An accessor runs whenever the name is used.
        if let accessors = binding.accessorBlock { state = deferred(Syntax(accessors), nil, [], context, state) }
        for name in binding.pattern.patternNames {
          state.declare(name, .unknown("`\(name)` in \(context.place(of: binding))"), nil, isVariable: isVariable)
          if binding.accessorBlock != nil { state.loose.insert(name) }
        }
        continue
      }
      guard let initial = binding.initializer?.value else {
        let start: Value = isVariable && type?.isOptionalType == true ? .null : .unknown("`\(name)` is not set")
        state.declare(name, start, type, isVariable: true)
        continue
      }
      let shown = type ?? (isShownAsOptional(initial, context, state) ? "Any?" : nil)
      let (value, before) = (value(initial, context, state, expected: type), state)
      state.declare(name, value, shown, isVariable: isVariable)
      state.remember(name, value, of: initial, before: before)
    }
    return state
  }

  private func declare(_ function: FunctionDeclSyntax, _ context: Context, _ state: PathState) -> PathState {
    let generics = (function.genericParameterClause?.names ?? []).map {
      Declaration.Parameter(label: "_", name: $0, type: "", value: nil)
    }
    let parameters = function.declaredParameters + generics
    var after = deferred(Syntax(function), function.body?.statements, parameters, context, state)
    after.locals[function.name.identifierText] = .unknown("a local function")
    return after
  }

  // MARK: loops, and code that runs later

  /// The variables that a loop changes are unknown in it and after it.
  private func loop(_ loop: ForStmtSyntax, _ context: Context, _ state: PathState, _ returns: Returns) -> Outcome {
    let state = observed(Syntax(loop.sequence), context, state)
    let names = loop.pattern.patternNames
    let around = losing(Syntax(loop), context, state)
    let element: Value =
      switch value(loop.sequence, context, state) {
      case .list(let all) where names.count == 1: .either(all)
      case .elements(let one) where names.count == 1: one
      default: .unknown("an element of `for` in \(context.place(of: loop))")
      }
    var inside = around
    inside.bind(
      names.reduce(into: [:]) { $0[$1] = element }, mayBeOptional: holdsOptionals(loop.sequence, context, state),
      isVariable: !Syntax(loop.pattern).variableNames.isEmpty)
    if let clause = loop.whereClause { inside = observed(Syntax(clause.condition), context, inside) }
    _ = run(loop.body.statements, context, inside, returns)
    return Outcome(next: around)
  }

  /// Code of a form that is not read: what it changes is unknown in it and after it.
  private func unread(_ node: Syntax, _ context: Context, _ state: PathState, _ returns: Returns) -> Outcome {
    let around = losing(node, context, state)
    for (items, names) in node.innerBodies {
      var inside = around
      inside.bind(names.reduce(into: [:]) { $0[$1] = .unknown("`\($1)` in \(context.place(of: node))") })
      _ = run(items, context, inside, returns)
    }
    var after = around
    if let condition = node.as(IfConfigDeclSyntax.self) {
      for name in condition.declaredNames {
        after.declare(name, .unknown("`\(name)` stands in `#if` in \(context.place(of: node))"), nil, isVariable: false)
      }
    }
    return Outcome(next: after)
  }

  /// The state after code that changes values without being followed.
  func losing(_ node: Syntax, _ context: Context, _ state: PathState) -> PathState {
    var after = state
    lose(context.unit.notes.changed(in: node), by: context.form(node), in: &after)
    return after
  }

  /// Reports an expression and its closures to the observer; what it may change is unknown afterwards.
  ///
  /// - Parameter followed: the assignment or call whose change is followed.
  func observed(
    _ node: Syntax, _ context: Context, _ state: PathState, without followed: SyntaxIdentifier? = nil
  ) -> PathState {
    let effects = Effects(node, isOuter: true, without: followed)
    // What one part of an expression changes, another part may see.
    let outermost = node.innerCall?.id
    let inner = Set(effects.changes.filter { $0.node.id != outermost }.map(\.changed))
    var (state, seen) = (state, state)
    if !inner.isEmpty { lose(inner, by: context.form(node), in: &seen) }
    observe?(effects.mentions, seen, context)
    for closure in effects.closures {
      state = deferred(Syntax(closure), closure.statements, [], context, state, signature: closure.signature)
    }
    if !effects.changes.isEmpty { lose(effects.changed, by: context.form(node), in: &state) }
    return state
  }

  /// Follows code that may run later, any number of times. The variables that it changes are unknown from here on.
  /// Within it, the variables that later code changes are unknown.
  func deferred(
    _ node: Syntax, _ body: CodeBlockItemListSyntax?, _ parameters: [Declaration.Parameter], _ context: Context,
    _ state: PathState, signature: ClosureSignatureSyntax? = nil
  ) -> PathState {
    var after = state
    let changed = context.unit.notes.changed(in: node)
    if !changed.isEmpty { lose(changed, by: context.form(node), in: &after, forGood: true) }
    guard let body, observe != nil else { return after }
    let captures = signature?.capture.map { Array($0.items) } ?? []
    let copied = Set(captures.map(\.name.identifierText))
    let others = context.unit.notes.changed(behind: node).filter { !copied.contains($0.name) }
    var inside = after
    lose(others, by: "code after \(context.place(of: node))", in: &inside)
    for parameter in parameters {
      inside.locals[parameter.name] = value(ofType: parameter.type, in: context.owner, file: context.unit.file)
      inside.types[parameter.name] = parameter.type
    }
    for name in signature?.parameterNames ?? ["$0", "$1", "$2"] {
      inside.locals[name] = .unknown("an argument of the closure")
    }
    for item in captures {
      if let value = item.initializer?.value {
        inside.locals[item.name.identifierText] = self.value(value, context, inside)
      }
    }
    var inner = context
    inner.result = nil
    _ = run(body, inner, inside, Returns())
    return after
  }
}

extension PathState {
  /// Remembers the conditions of a new value, and whether it is unknown because it is made of the caller's arguments, as they
  /// were before it was set.
  mutating func remember(_ name: String, _ value: Value, of expression: ExprSyntax, before: PathState) {
    let words = before.conditions(of: expression)
    conditions[name] = words.isEmpty ? nil : words
    if case .unknown = value, before.dependsOnCaller(expression) { callers.insert(name) }
  }
}

extension Context {
  /// The place of a node for reasons: `line 12`.
  func place(of node: some SyntaxProtocol) -> String { unit.place(of: node) }

  /// A form of Swift with its place: `` `while` in line 12 ``.
  func form(_ node: some SyntaxProtocol) -> String {
    let word = Syntax(node).firstToken(viewMode: .sourceAccurate)?.text ?? ""
    let name: String =
      switch Syntax(node).as(SyntaxEnum.self) {
      case .closureExpr: "a closure"
      case .functionDecl, .variableDecl, .accessorBlock: "a local declaration"
      case .deferStmt, .doStmt, .whileStmt, .repeatStmt, .forStmt, .ifConfigDecl, .switchExpr: "`\(word)`"
      case .labeledStmt: "a label"
      default: ExprSyntax(node).map { "`\($0.shortText)`" } ?? "`\(word)`"
      }
    return "\(name) in \(place(of: node))"
  }
}

extension Syntax {
  /// The name of a declaration in a function.
  var declaredName: String? { asProtocol((any NamedDeclSyntax).self)?.name.identifierText }

  /// The statements inside a statement, each with the names that it binds for them.
  fileprivate var innerBodies: [(CodeBlockItemListSyntax, Set<String>)] {
    switch self.as(SyntaxEnum.self) {
    case .doStmt(let statement):
      var bodies: [(CodeBlockItemListSyntax, Set<String>)] = [(statement.body.statements, [])]
      for clause in statement.catchClauses {
        bodies.append((clause.body.statements, Set(clause.catchItems.patternNames).union(["error"])))
      }
      return bodies
    case .ifConfigDecl(let condition):
      return condition.clauses.compactMap { clause in
        if case .statements(let items)? = clause.elements { (items, []) } else { nil }
      }
    case .whileStmt(let loop): return [(loop.body.statements, Set(loop.conditions.flatMap(\.patternNames)))]
    case .repeatStmt(let loop): return [(loop.body.statements, [])]
    default: return []
    }
  }
}

extension IfConfigDeclSyntax {
  fileprivate var declaredNames: Set<String> {
    clauses.reduce(into: []) { names, clause in
      if case .statements(let items)? = clause.elements { names.formUnion(items.declaredNames) }
    }
  }
}

extension CodeBlockItemListSyntax {
  /// The names that statements declare for the following statements.
  var declaredNames: Set<String> {
    reduce(into: []) { names, item in
      switch item.item {
      case .decl(let declaration):
        let bound = declaration.as(VariableDeclSyntax.self)?.bindings.flatMap(\.pattern.patternNames)
        names.formUnion(bound ?? Syntax(declaration).declaredName.map { [$0] } ?? [])
      case .stmt(let statement):
        if let guarded = statement.as(GuardStmtSyntax.self) { names.formUnion(guarded.conditions.patternNames) }
      case .expr: break
      }
    }
  }
}

extension ClosureSignatureSyntax {
  var parameterNames: [String] {
    switch parameterClause {
    case .simpleInput(let names)?: names.map(\.name.identifierText)
    case .parameterClause(let clause)?: clause.parameters.map { ($0.secondName ?? $0.firstName).identifierText }
    case nil: []
    }
  }
}
