import SwiftSyntax

/// How a body ends by `return`.
final class Returns {
  var values: [Value] = []
  var states: [PathState] = []
}

/// The paths at the end of some statements.
struct Outcome {
  /// Paths that continue with the next statement.
  var next: [PathState] = []
  /// Paths that end with `break` or `continue`.
  var broken: [PathState] = []
  /// Paths that end with `fallthrough`.
  var fallen: [PathState] = []

  mutating func add(_ other: Outcome) {
    next += other.next
    broken += other.broken
    fallen += other.fallen
  }

  mutating func close(_ scope: String, _ names: Set<String>) {
    next = next.each { $0.close(scope, names) }
    broken = broken.each { $0.close(scope, names) }
    fallen = fallen.each { $0.close(scope, names) }
  }
}

extension Resolver {
  /// Follows statements on every path that leads to them.
  ///
  /// - Parameter givesValue: whether a lone expression is the result; each path keeps it as a local.
  func run(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ states: [PathState], _ returns: Returns,
    givesValue: Bool = false
  ) -> Outcome {
    var outcome = Outcome(next: states)
    let givesValue = givesValue && items.count == 1
    for item in items where !outcome.next.isEmpty {
      let step = run(Syntax(item.item), context, outcome.next.bounded, returns, givesValue: givesValue)
      outcome.next = []
      outcome.add(step)
    }
    return outcome
  }

  /// Follows statements in a scope of their own.
  func block(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ states: [PathState], _ returns: Returns,
    givesValue: Bool = false
  ) -> Outcome {
    let names = items.declaredNames
    guard !names.isEmpty else { return run(items, context, states, returns, givesValue: givesValue) }
    let scope = "\(items.position.utf8Offset)#"
    var outcome = run(items, context, states.each { $0.open(scope, names) }, returns, givesValue: givesValue)
    outcome.close(scope, names)
    return outcome
  }

  /// Follows a statement. Each form has a row here; one without a row is an expression.
  func run(
    _ node: Syntax, _ context: Context, _ states: [PathState], _ returns: Returns, givesValue: Bool
  ) -> Outcome {
    guard effort.take(states.count) else {
      returns.values.append(Effort.exceeded)
      returns.states += states.each { lose(context.unit.notes.changed(in: node), in: &$0) }
      return Outcome(next: states.each { lose(context.unit.notes.changed(in: node), in: &$0) })
    }
    // The index has a file's declarations, and its functions are followed separately.
    if node.declaredName != nil, node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      return Outcome(next: states)
    }
    return switch node.as(SyntaxEnum.self) {
    // Declarations
    case .variableDecl(let declaration): Outcome(next: declare(declaration, context, states))
    case .functionDecl(let function): Outcome(next: declare(function, context, states))
    case .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl:
      Outcome(next: states.each { $0.locals[node.declaredName ?? ""] = .unknown("a local type") })
    // Branches
    case .ifExpr(let choice): self.choice(choice, context, states, returns, givesValue)
    case .switchExpr(let choice): self.choice(choice, context, states, returns, givesValue)
    case .guardStmt(let statement): self.guard(statement, context, states, returns)
    case .ifConfigDecl(let condition): conditional(condition, context, states, returns)
    case .doStmt(let statement): self.do(statement, context, states, returns)
    case .labeledStmt(let statement): labelled(statement, context, states, returns)
    // Loops, and code that runs later
    case .forStmt(let loop): self.loop(loop, context, states, returns)
    case .whileStmt(let loop):
      repeated(node, context, states) { states in
        _ = block(loop.body.statements, context, paths(loop.conditions, context, states).yes, returns)
      }
    case .repeatStmt(let loop):
      repeated(node, context, states) { _ = block(loop.body.statements, context, $0, returns) }
    case .deferStmt(let statement): Outcome(next: deferred(node, statement.body.statements, [], context, states))
    // Ends
    case .returnStmt(let statement): self.return(statement, context, states, returns)
    case .throwStmt:
      {
        _ = observed(node, context, states); return Outcome()
      }()
    case .breakStmt, .continueStmt: Outcome(broken: states)
    case .fallThroughStmt: Outcome(fallen: states)
    // Expressions
    case .expressionStmt(let statement):
      run(Syntax(statement.expression), context, states, returns, givesValue: givesValue)
    case .infixOperatorExpr(let infix) where infix.isAssignment: Outcome(next: assign(infix, context, states))
    default: expression(node, context, states, givesValue: givesValue)
    }
  }

  private func `return`(
    _ statement: ReturnStmtSyntax, _ context: Context, _ states: [PathState], _ returns: Returns
  ) -> Outcome {
    let after = statement.expression.map { observed(Syntax($0), context, states) } ?? states
    returns.states += after
    if let expression = statement.expression {
      returns.values += after.map { value(expression, context, $0, expected: context.result) }
    }
    return Outcome()
  }

  private func `guard`(
    _ statement: GuardStmtSyntax, _ context: Context, _ states: [PathState], _ returns: Returns
  ) -> Outcome {
    let (yes, no) = paths(statement.conditions, context, states)
    var outcome = run(statement.body.statements, context, no, returns)
    outcome.next = yes
    return outcome
  }

  private func labelled(
    _ statement: LabeledStmtSyntax, _ context: Context, _ states: [PathState], _ returns: Returns
  ) -> Outcome {
    var outcome = run(Syntax(statement.statement), context, states, returns, givesValue: false)
    // It may be left from anywhere in it.
    if statement.isLeftByLabel {
      let changed = context.unit.notes.changed(in: Syntax(statement))
      outcome.next = (outcome.next + outcome.broken).each { lose(changed, in: &$0) }
    }
    return outcome
  }

  private func `do`(
    _ statement: DoStmtSyntax, _ context: Context, _ states: [PathState], _ returns: Returns
  ) -> Outcome {
    var outcome = block(statement.body.statements, context, states, returns)
    let changed = context.unit.notes.changed(in: Syntax(statement.body))
    for clause in statement.catchClauses {
      let names = Set(clause.catchItems.flatMap { $0.pattern?.patternNames ?? [] } + ["error"])
      let scope = "\(clause.position.utf8Offset)!"
      let caught = states.map { state in
        var state = state
        lose(changed, in: &state)
        state.loseOwned()
        state.open(scope, names)
        return state.binding(names.reduce(into: [:]) { $0[$1] = .unknown("an error") })
      }
      var handled = block(clause.body.statements, context, caught, returns)
      handled.close(scope, names)
      outcome.add(handled)
    }
    return outcome
  }

  private func expression(_ node: Syntax, _ context: Context, _ states: [PathState], givesValue: Bool) -> Outcome {
    let call = node.innerCall
    let isTried = call?.parent?.as(TryExprSyntax.self)?.questionOrExclamationMark?.text == "?"
    if !isTried, let ends = call.flatMap({ forEach($0, context, states) }) { return Outcome(next: ends) }
    let after = observed(node, context, states, without: givesValue ? nil : call?.id)
    let neverReturns: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort"]
    if let name = call?.calledExpression.trimmedDescription, neverReturns.contains(name), index.functions(name).isEmpty
    {
      return Outcome()
    }
    if givesValue, let expression = node.as(ExprSyntax.self) {
      return Outcome(
        next: after.each { $0.locals[PathState.result] = value(expression, context, $0, expected: context.result) })
    }
    return Outcome(next: call.map { change($0, context, after) } ?? after)
  }

  /// Reports an expression and its closures to the observer; what it may change is unknown afterwards.
  ///
  /// - Parameter followed: the assignment or call whose change is followed.
  func observed(
    _ node: Syntax, _ context: Context, _ states: [PathState], without followed: SyntaxIdentifier? = nil
  ) -> [PathState] {
    let effects = Effects(node, isOuter: true, without: followed)
    // What one part of an expression changes, another part may see.
    let outermost = node.innerCall?.id
    let inner = Set(effects.changes.filter { $0.node.id != outermost }.map(\.changed))
    var states = states
    let given = effects.whole.union(effects.given.filter { $0.call.id != outermost }.map(\.name))
    let seen = states.each { state in
      if !inner.isEmpty { lose(inner, in: &state) }
      if !given.isDisjoint(with: state.owned) { state.loseOwned() }
    }
    observe?(effects.mentions, seen, context)
    for closure in effects.closures {
      states = deferred(Syntax(closure), closure.statements, [], context, states, signature: closure.signature)
    }
    let changed = effects.changed
    return states.each { state in
      if !changed.isEmpty { lose(changed, in: &state) }
      let owned = state.owned
      if !owned.isDisjoint(with: effects.whole)
        || effects.given.contains(where: { owned.contains($0.name) && keeps($0.name, $0.call, context, state) })
      {
        state.loseOwned()
      }
    }
  }

  /// Follows code that may run later, any number of times. The variables that it changes are unknown from here on.
  /// Within it, the variables that later code changes are unknown.
  func deferred(
    _ node: Syntax, _ body: CodeBlockItemListSyntax?, _ parameters: [Declaration.Parameter], _ context: Context,
    _ states: [PathState], signature: ClosureSignatureSyntax? = nil
  ) -> [PathState] {
    let changed = context.unit.notes.changed(in: node)
    let after = states.each { state in
      if !changed.isEmpty { lose(changed, in: &state, forGood: true) }
      let owned = state.owned
      if !owned.isEmpty, !owned.isDisjoint(with: node.mentionedNames) { state.loseOwned() }
    }
    guard let body, observe != nil else { return after }
    let captures = signature?.capture.map { Array($0.items) } ?? []
    let copied = Set(captures.map(\.name.identifierText))
    let others = context.unit.notes.changed(behind: node).filter { !copied.contains($0.name) }
    let names = signature?.parameterNames ?? ["$0", "$1", "$2"]
    let inside = after.each { state in
      lose(others, in: &state)
      state.loseOwned()
      for parameter in parameters {
        state.locals[parameter.name] = value(ofType: parameter.type, in: context.owner, file: context.unit.file)
      }
      for name in names { state.locals[name] = .unknown("an argument of the closure") }
      for item in captures {
        if let value = item.initializer?.value {
          state.locals[item.name.identifierText] = self.value(value, context, state)
        }
      }
    }
    var inner = context
    inner.result = nil
    _ = run(body, inner, inside, Returns())
    return after
  }
}

extension LabeledStmtSyntax {
  /// Whether a `break` or `continue` in it names its label.
  fileprivate var isLeftByLabel: Bool {
    let tokens = Array(statement.tokens(viewMode: .sourceAccurate))
    return zip(tokens, tokens.dropFirst()).contains { word, next in
      (word.tokenKind == .keyword(.break) || word.tokenKind == .keyword(.continue)) && next.text == label.text
    }
  }
}

extension ExprSyntax {
  /// Whether it is an `if` or a `switch`.
  var isChoice: Bool { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) }
}

extension Syntax {
  /// The name of a declaration in a function.
  var declaredName: String? { asProtocol((any NamedDeclSyntax).self)?.name.identifierText }
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
        if let guarded = statement.as(GuardStmtSyntax.self) { names.formUnion(guarded.conditions.boundNames) }
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
