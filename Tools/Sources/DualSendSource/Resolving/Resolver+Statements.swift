import DualSendCore
import DualSendInventory
import SwiftSyntax

/// The result of a body.
final class Returns {
  var values: [Value] = []
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

  private func run(
    _ node: Syntax, _ context: Context, _ states: [PathState], _ returns: Returns, givesValue: Bool
  ) -> Outcome {
    guard mayWork(states.count) else {
      returns.values.append(.unknown(Self.tooMuch))
      return Outcome(next: states.each { $0.lose(context.unit.notes.changed(in: node)) })
    }
    // The index has a file's declarations, and its functions are followed separately.
    if node.declaredName != nil, node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      return Outcome(next: states)
    }
    switch node.as(SyntaxEnum.self) {
    case .variableDecl(let declaration): return Outcome(next: declare(declaration, context, states))
    case .functionDecl(let function):
      let generics = (function.genericParameterClause?.names ?? []).map {
        Declaration.Parameter(label: "_", name: $0, type: "", value: nil)
      }
      let parameters = function.declaredParameters + generics
      let after = deferred(node, function.body?.statements, parameters, context, states)
      return Outcome(next: after.each { $0.locals[function.name.identifierText] = .unknown("a local function") })
    case .expressionStmt(let statement):
      return run(Syntax(statement.expression), context, states, returns, givesValue: givesValue)
    case .labeledStmt(let statement):
      var outcome = run(Syntax(statement.statement), context, states, returns, givesValue: false)
      // It may be left from anywhere in it.
      if statement.isLeftByLabel {
        let changed = context.unit.notes.changed(in: node)
        outcome.next = (outcome.next + outcome.broken).each { $0.lose(changed) }
      }
      return outcome
    case .returnStmt(let statement):
      guard let expression = statement.expression else { return Outcome() }
      let after = observed(Syntax(expression), context, states)
      returns.values += after.map { value(expression, context, $0, expected: context.result) }
      return Outcome()
    case .throwStmt:
      _ = observed(node, context, states)
      return Outcome()
    case .breakStmt, .continueStmt: return Outcome(broken: states)
    case .fallThroughStmt: return Outcome(fallen: states)
    case .guardStmt(let statement):
      let (yes, no) = paths(statement.conditions, context, states)
      var outcome = run(statement.body.statements, context, no, returns)
      outcome.next = yes
      return outcome
    case .ifExpr(let choice): return self.choice(choice, context, states, returns, givesValue)
    case .switchExpr(let choice): return self.choice(choice, context, states, returns, givesValue)
    case .doStmt(let statement):
      var outcome = block(statement.body.statements, context, states, returns)
      let changed = context.unit.notes.changed(in: Syntax(statement.body))
      for clause in statement.catchClauses {
        let names = Set(clause.catchItems.flatMap { $0.pattern?.patternNames ?? [] } + ["error"])
        let scope = "\(clause.position.utf8Offset)!"
        let caught = states.map { state in
          var state = state
          state.lose(changed)
          state.open(scope, names)
          return state.binding(names.reduce(into: [:]) { $0[$1] = .unknown("an error") })
        }
        var handled = block(clause.body.statements, context, caught, returns)
        handled.close(scope, names)
        outcome.add(handled)
      }
      return outcome
    case .forStmt(let loop): return self.loop(loop, context, states, returns)
    case .whileStmt(let loop):
      return repeated(node, context, states) { states in
        _ = block(loop.body.statements, context, paths(loop.conditions, context, states).yes, returns)
      }
    case .repeatStmt(let loop):
      return repeated(node, context, states) { _ = block(loop.body.statements, context, $0, returns) }
    case .deferStmt(let statement):
      return Outcome(next: deferred(node, statement.body.statements, [], context, states))
    case .ifConfigDecl(let condition): return self.conditional(condition, context, states, returns)
    case .infixOperatorExpr(let infix) where infix.isAssignment:
      let isChoice = infix.rightOperand.isChoice
      return Outcome(next: assign(infix, context, isChoice ? states : observed(node, context, states)))
    case .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl:
      return Outcome(next: states.each { $0.locals[node.declaredName ?? ""] = .unknown("a local type") })
    default: return expression(node, context, states, givesValue: givesValue)
    }
  }

  private func expression(_ node: Syntax, _ context: Context, _ states: [PathState], givesValue: Bool) -> Outcome {
    let after = observed(node, context, states)
    let call = node.innerCall
    let neverReturns: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort"]
    if let call, neverReturns.contains(call.calledExpression.trimmedDescription) { return Outcome() }
    if givesValue, let expression = node.as(ExprSyntax.self) {
      return Outcome(
        next: after.each { $0.locals[PathState.result] = value(expression, context, $0, expected: context.result) })
    }
    return Outcome(next: call.flatMap { change($0, context, after) } ?? after)
  }

  /// Reports an expression and its closures to the observer; the variables that it may change are unknown afterwards.
  func observed(_ node: Syntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    let effects = Effects(node, isOuter: true)
    var states = states
    observe?(effects.mentions, states, context)
    for closure in effects.closures {
      states = deferred(Syntax(closure), closure.statements, [], context, states, signature: closure.signature)
    }
    return effects.changes.isEmpty ? states : states.each { $0.lose(effects.changed) }
  }

  /// Follows code that may run later, any number of times. The variables that it changes are unknown from here on.
  /// Within it, the variables that later code changes are unknown.
  private func deferred(
    _ node: Syntax, _ body: CodeBlockItemListSyntax?, _ parameters: [Declaration.Parameter], _ context: Context,
    _ states: [PathState], signature: ClosureSignatureSyntax? = nil
  ) -> [PathState] {
    let changed = context.unit.notes.changed(in: node)
    let after = changed.isEmpty ? states : states.each { $0.lose(changed, forGood: true) }
    guard let body, observe != nil else { return after }
    let captures = signature?.capture.map { Array($0.items) } ?? []
    let others = context.unit.notes.changed(behind: node).subtracting(captures.map(\.name.identifierText))
    let names = signature?.parameterNames ?? ["$0", "$1", "$2"]
    let inside = after.each { state in
      state.lose(others)
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

  private func declare(_ declaration: VariableDeclSyntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    var states = states
    let isVariable = declaration.bindingSpecifier.text == "var"
    for binding in declaration.bindings {
      let type = binding.typeAnnotation?.type.trimmedDescription
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText
      if let initial = binding.initializer?.value, !initial.isChoice {
        states = observed(Syntax(initial), context, states)
      }
      if let name, binding.accessorBlock == nil, declaration.attributes.isEmpty {
        states = states.flatMap { state -> [PathState] in
          guard let initial = binding.initializer?.value else {
            let start: Value = isVariable && type?.isOptionalType == true ? .null : .unknown("`\(name)` is not set")
            return [state].each { $0.declare(name, start, type, isVariable: true) }
          }
          let shown = type ?? shownType(of: initial, context, state)
          return values(initial, context, state, expected: type).map { value, before in
            var state = before
            state.declare(name, value, shown, isVariable: isVariable)
            state.remember(name, value, of: initial, before: before)
            return state
          }
        }
      } else {
        for name in binding.pattern.patternNames {
          states = states.each { $0.set(name, .unknown("`\(name)` is not followed")) }
        }
      }
    }
    return states
  }

  /// The possible values of an expression. A choice gives one value for each path, so that later code depends on the
  /// branch taken.
  func values(_ expression: ExprSyntax, _ context: Context, _ state: PathState, expected: String?) -> [(
    Value, PathState
  )] {
    if let choice = expression.as(TernaryExprSyntax.self) {
      let type = sharedType(choice, context, state, expected)
      let (yes, no) = paths(choice.condition, context, [state])
      return yes.bounded.flatMap { values(choice.thenExpression, context, $0, expected: type) }
        + no.bounded.flatMap { values(choice.elseExpression, context, $0, expected: type) }
    }
    guard expression.isChoice else { return [(value(expression, context, state, expected: expected), state)] }
    var inner = context
    inner.result = expected ?? context.result
    return run(Syntax(expression), inner, [state], Returns(), givesValue: true).next.map { state in
      var state = state
      return (state.locals.removeValue(forKey: PathState.result) ?? .unknown("a choice without a value"), state)
    }
  }

  private func conditional(
    _ condition: IfConfigDeclSyntax, _ context: Context, _ states: [PathState], _ returns: Returns
  ) -> Outcome {
    var (outcome, rest) = (Outcome(), states)
    for clause in condition.clauses {
      var taken = rest
      if let condition = clause.condition {
        (taken, rest) = undecided(condition.trimmedDescription, rest)
      } else {
        rest = []
      }
      if case .statements(let items)? = clause.elements {
        outcome.add(run(items, context, taken, returns))
      } else {
        outcome.next += taken
      }
    }
    outcome.next += rest
    return outcome
  }

  private func loop(_ loop: ForStmtSyntax, _ context: Context, _ states: [PathState], _ returns: Returns) -> Outcome {
    let states = observed(Syntax(loop.sequence), context, states)
    let names = loop.pattern.patternNames
    return repeated(Syntax(loop), context, states) { states in
      var inside = states.flatMap { state -> [PathState] in
        let elements: [Value] =
          switch value(loop.sequence, context, state) {
          case .list(let all) where names.count == 1 && all.count <= 16: all
          case .elements(let one) where names.count == 1: [one]
          default: [.unknown("an element")]
          }
        return elements.map { element in
          state.binding(names.reduce(into: [:]) { $0[$1] = element })
        }
      }
      if let clause = loop.whereClause { inside = paths(clause.condition, context, inside).yes }
      _ = run(loop.body.statements, context, inside.bounded, returns)
    }
  }

  /// Follows code that runs any number of times. The variables that it changes are unknown in it and after it.
  private func repeated(_ node: Syntax, _ context: Context, _ states: [PathState], _ body: ([PathState]) -> Void)
    -> Outcome
  {
    let changed = context.unit.notes.changed(in: node)
    let around = states.each { $0.lose(changed) }
    body(around.bounded)
    return Outcome(next: around)
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
