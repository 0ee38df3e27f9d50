import DualSendCore
import DualSendInventory
import SwiftSyntax

/// What a body returns.
final class Returns {
  var values: [Value] = []
}

/// The ways out of some statements.
struct Outcome {
  /// On to what follows.
  var next: [World] = []
  /// By `break` or `continue`.
  var broken: [World] = []
  /// By `fallthrough`.
  var fallen: [World] = []

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
  /// Follows statements, each on every path that leads to it.
  ///
  /// - Parameter givesValue: whether an expression that stands alone is the result; each path keeps it as a local.
  func run(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ worlds: [World], _ returns: Returns,
    givesValue: Bool = false
  ) -> Outcome {
    var outcome = Outcome(next: worlds)
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
    _ items: CodeBlockItemListSyntax, _ context: Context, _ worlds: [World], _ returns: Returns,
    givesValue: Bool = false
  ) -> Outcome {
    let names = items.declaredNames
    guard !names.isEmpty else { return run(items, context, worlds, returns, givesValue: givesValue) }
    let scope = "\(items.position.utf8Offset)#"
    var outcome = run(items, context, worlds.each { $0.open(scope, names) }, returns, givesValue: givesValue)
    outcome.close(scope, names)
    return outcome
  }

  private func run(
    _ node: Syntax, _ context: Context, _ worlds: [World], _ returns: Returns, givesValue: Bool
  ) -> Outcome {
    guard mayWork(worlds.count) else {
      returns.values.append(.unknown(Self.tooMuch))
      return Outcome(next: worlds.each { $0.lose(context.unit.notes.changed(in: node)) })
    }
    // What a file declares is in the index; its functions run by themselves.
    if node.declaredName != nil, node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      return Outcome(next: worlds)
    }
    switch node.as(SyntaxEnum.self) {
    case .variableDecl(let declaration): return Outcome(next: declare(declaration, context, worlds))
    case .functionDecl(let function):
      let parameters = function.signature.declaredParameters
      let after = aside(node, function.body?.statements, parameters, context, worlds)
      return Outcome(next: after.each { $0.locals[function.name.identifierText] = .unknown("a local function") })
    case .expressionStmt(let statement):
      return run(Syntax(statement.expression), context, worlds, returns, givesValue: givesValue)
    case .labeledStmt(let statement):
      return run(Syntax(statement.statement), context, worlds, returns, givesValue: false)
    case .returnStmt(let statement):
      guard let expression = statement.expression else { return Outcome() }
      let after = told(Syntax(expression), context, worlds)
      returns.values += after.map { value(expression, context, $0, expected: context.result) }
      return Outcome()
    case .throwStmt:
      _ = told(node, context, worlds)
      return Outcome()
    case .breakStmt, .continueStmt: return Outcome(broken: worlds)
    case .fallThroughStmt: return Outcome(fallen: worlds)
    case .guardStmt(let statement):
      let (yes, no) = paths(statement.conditions, context, worlds)
      var outcome = run(statement.body.statements, context, no, returns)
      outcome.next = yes
      return outcome
    case .ifExpr(let choice): return self.choice(choice, context, worlds, returns, givesValue)
    case .switchExpr(let choice): return self.choice(choice, context, worlds, returns, givesValue)
    case .doStmt(let statement):
      var outcome = block(statement.body.statements, context, worlds, returns)
      let changed = context.unit.notes.changed(in: Syntax(statement.body))
      for clause in statement.catchClauses {
        let caught = worlds.each {
          $0.lose(changed)
          $0.locals["error"] = .unknown("an error")
        }
        outcome.add(block(clause.body.statements, context, caught, returns))
      }
      return outcome
    case .forStmt(let loop): return self.loop(loop, context, worlds, returns)
    case .whileStmt(let loop):
      return repeated(node, context, worlds) { worlds in
        _ = block(loop.body.statements, context, paths(loop.conditions, context, worlds).yes, returns)
      }
    case .repeatStmt(let loop):
      return repeated(node, context, worlds) { _ = block(loop.body.statements, context, $0, returns) }
    case .deferStmt(let statement):
      return Outcome(next: aside(node, statement.body.statements, [], context, worlds))
    case .ifConfigDecl(let condition): return self.conditional(condition, context, worlds, returns)
    case .infixOperatorExpr(let infix) where infix.isAssignment:
      let isChoice = infix.rightOperand.isChoice
      return Outcome(next: assign(infix, context, isChoice ? worlds : told(node, context, worlds)))
    case .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl:
      return Outcome(next: worlds.each { $0.locals[node.declaredName ?? ""] = .unknown("a local type") })
    default: return expression(node, context, worlds, givesValue: givesValue)
    }
  }

  private func expression(_ node: Syntax, _ context: Context, _ worlds: [World], givesValue: Bool) -> Outcome {
    let after = told(node, context, worlds)
    let call = node.innerCall
    let neverReturns: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort"]
    if let call, neverReturns.contains(call.calledExpression.trimmedDescription) { return Outcome() }
    if givesValue, let expression = node.as(ExprSyntax.self) {
      return Outcome(
        next: after.each { $0.locals[World.result] = value(expression, context, $0, expected: context.result) })
    }
    return Outcome(next: call.flatMap { change($0, context, after) } ?? after)
  }

  /// Reports an expression to the observer, and what its closures do; then what it may change is lost.
  func told(_ node: Syntax, _ context: Context, _ worlds: [World]) -> [World] {
    let effects = Effects(node, isOuter: true)
    var worlds = worlds
    observe?(effects.mentions, worlds, context)
    for closure in effects.closures {
      worlds = aside(Syntax(closure), closure.statements, [], context, worlds, signature: closure.signature)
    }
    return effects.changes.isEmpty ? worlds : worlds.each { $0.lose(effects.changed) }
  }

  /// Code that runs at another time, any number of times: what it changes is lost for good, and what the rest changes is
  /// lost in it.
  private func aside(
    _ node: Syntax, _ body: CodeBlockItemListSyntax?, _ parameters: [Declaration.Parameter], _ context: Context,
    _ worlds: [World], signature: ClosureSignatureSyntax? = nil
  ) -> [World] {
    let changed = context.unit.notes.changed(in: node)
    let after = changed.isEmpty ? worlds : worlds.each { $0.lose(changed, forGood: true) }
    guard let body, observe != nil else { return after }
    let captures = signature?.capture.map { Array($0.items) } ?? []
    let others = context.unit.notes.changed(behind: node).subtracting(captures.map(\.name.identifierText))
    let names = signature?.parameterNames ?? ["$0", "$1", "$2"]
    let inside = after.each { world in
      world.lose(others)
      for parameter in parameters {
        world.locals[parameter.name] = value(ofType: parameter.type, in: context.owner, file: context.unit.file)
      }
      for name in names { world.locals[name] = .unknown("an argument of the closure") }
      for item in captures {
        if let value = item.initializer?.value {
          world.locals[item.name.identifierText] = self.value(value, context, world)
        }
      }
    }
    var inner = context
    inner.result = nil
    _ = run(body, inner, inside, Returns())
    return after
  }

  private func declare(_ declaration: VariableDeclSyntax, _ context: Context, _ worlds: [World]) -> [World] {
    var worlds = worlds
    let isVariable = declaration.bindingSpecifier.text == "var"
    for binding in declaration.bindings {
      let type = binding.typeAnnotation?.type.trimmedDescription
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText
      if let initial = binding.initializer?.value, !initial.isChoice { worlds = told(Syntax(initial), context, worlds) }
      if let name, binding.accessorBlock == nil, declaration.attributes.isEmpty {
        worlds = worlds.flatMap { world -> [World] in
          guard let initial = binding.initializer?.value else {
            let start: Value = isVariable && type?.isOptionalType == true ? .null : .unknown("`\(name)` is not set")
            return [world].each { $0.declare(name, start, type, isVariable: true) }
          }
          return values(initial, context, world, expected: type).map { value, world in
            var world = world
            world.declare(name, value, type, isVariable: isVariable)
            return world
          }
        }
      } else {
        for name in binding.pattern.patternNames {
          worlds = worlds.each { $0.set(name, .unknown("`\(name)` is not followed")) }
        }
      }
    }
    return worlds
  }

  /// What an expression can be: a choice gives a value for each path, so that what follows knows which was taken.
  func values(_ expression: ExprSyntax, _ context: Context, _ world: World, expected: String?) -> [(Value, World)] {
    if let choice = expression.as(TernaryExprSyntax.self) {
      let type = sharedType(choice, context, world, expected)
      let (yes, no) = paths(choice.condition, context, [world])
      return yes.bounded.flatMap { values(choice.thenExpression, context, $0, expected: type) }
        + no.bounded.flatMap { values(choice.elseExpression, context, $0, expected: type) }
    }
    guard expression.isChoice else { return [(value(expression, context, world, expected: expected), world)] }
    var inner = context
    inner.result = expected ?? context.result
    return run(Syntax(expression), inner, [world], Returns(), givesValue: true).next.map { world in
      var world = world
      return (world.locals.removeValue(forKey: World.result) ?? .unknown("a choice without a value"), world)
    }
  }

  private func conditional(
    _ condition: IfConfigDeclSyntax, _ context: Context, _ worlds: [World], _ returns: Returns
  ) -> Outcome {
    var (outcome, rest) = (Outcome(), worlds)
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

  private func loop(_ loop: ForStmtSyntax, _ context: Context, _ worlds: [World], _ returns: Returns) -> Outcome {
    let worlds = told(Syntax(loop.sequence), context, worlds)
    let names = loop.pattern.patternNames
    return repeated(Syntax(loop), context, worlds) { worlds in
      var inside = worlds.flatMap { world -> [World] in
        let elements: [Value] =
          switch value(loop.sequence, context, world) {
          case .list(let all) where names.count == 1 && all.count <= 16: all
          case .elements(let one) where names.count == 1: [one]
          default: [.unknown("an element")]
          }
        return elements.map { element in
          world.binding(names.reduce(into: [:]) { $0[$1] = element })
        }
      }
      if let clause = loop.whereClause { inside = paths(clause.condition, context, inside).yes }
      _ = run(loop.body.statements, context, inside.bounded, returns)
    }
  }

  /// What runs any number of times: what it changes is not known in it, nor after it.
  private func repeated(_ node: Syntax, _ context: Context, _ worlds: [World], _ body: ([World]) -> Void) -> Outcome {
    let changed = context.unit.notes.changed(in: node)
    let around = worlds.each { $0.lose(changed) }
    body(around.bounded)
    return Outcome(next: around)
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
  /// What statements declare for those behind them.
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
