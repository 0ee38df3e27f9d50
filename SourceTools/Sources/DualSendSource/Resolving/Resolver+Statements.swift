import DualSendCore
import DualSendInventory
import SwiftSyntax

/// What a body gives back.
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
}

extension Resolver {
  /// Follows statements, each on every way that leads to it.
  ///
  /// - Parameter givesValue: whether an expression that stands alone is the result.
  func run(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ worlds: [World], _ returns: Returns, givesValue: Bool
  ) -> Outcome {
    var outcome = Outcome(next: worlds)
    for item in items {
      guard !outcome.next.isEmpty else { break }
      let step = run(
        Syntax(item.item), context, outcome.next.bounded, returns, givesValue: givesValue && items.count == 1)
      outcome.next = step.next
      outcome.broken += step.broken
      outcome.fallen += step.fallen
    }
    return outcome
  }

  /// Follows statements in a scope of their own.
  func block(
    _ items: CodeBlockItemListSyntax, _ context: Context, _ worlds: [World], _ returns: Returns,
    givesValue: Bool = false, binding bound: Set<String> = []
  ) -> Outcome {
    let names = items.declaredNames.union(bound)
    guard !names.isEmpty else { return run(items, context, worlds, returns, givesValue: givesValue) }
    let scope = "\(items.position.utf8Offset)#"
    var outcome = run(items, context, worlds.each { $0.open(scope, names) }, returns, givesValue: givesValue)
    outcome.next = outcome.next.each { $0.close(scope, names) }
    outcome.broken = outcome.broken.each { $0.close(scope, names) }
    outcome.fallen = outcome.fallen.each { $0.close(scope, names) }
    return outcome
  }

  func run(
    _ node: Syntax, _ context: Context, _ worlds: [World], _ returns: Returns, givesValue: Bool = false
  ) -> Outcome {
    guard mayWork() else {
      returns.values.append(.unknown("it takes too much work to find out"))
      return Outcome(next: worlds.each { $0.lose(self.mutated(node)) })
    }
    switch node.as(SyntaxEnum.self) {
    case .codeBlockItem(let item): return run(Syntax(item.item), context, worlds, returns, givesValue: givesValue)
    case .variableDecl(let declaration): return Outcome(next: declare(declaration, context, worlds))
    case .functionDecl(let function):
      return Outcome(
        next: aside(Syntax(function), function.body?.statements, function.signature.declaredParameters, context, worlds)
          .each {
            $0.locals[function.name.identifierText] = .unknown("a local function")
          })
    case .expressionStmt(let statement):
      return run(Syntax(statement.expression), context, worlds, returns, givesValue: givesValue)
    case .labeledStmt(let statement):
      return run(Syntax(statement.statement), context, worlds, returns)
    case .returnStmt(let statement):
      guard let expression = statement.expression else { return Outcome() }
      let after = told(Syntax(expression), context, worlds)
      returns.values += after.map { value(expression, context, $0, expected: context.result) }
      return Outcome()
    case .throwStmt: return told(node, context, worlds).isEmpty ? Outcome() : Outcome()
    case .breakStmt, .continueStmt: return Outcome(broken: worlds)
    case .fallThroughStmt: return Outcome(fallen: worlds)
    case .guardStmt(let statement):
      let (yes, no) = ways(statement.conditions, context, worlds)
      var outcome = run(statement.body.statements, context, no, returns, givesValue: false)
      outcome.next = yes
      return outcome
    case .ifExpr(let choice): return self.choice(choice, context, worlds, returns, givesValue)
    case .switchExpr(let choice): return self.choice(choice, context, worlds, returns, givesValue)
    case .doStmt(let statement):
      var outcome = block(statement.body.statements, context, worlds, returns)
      let changed = mutated(Syntax(statement.body))
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
      return repeated(Syntax(loop), context, worlds, returns) { worlds in
        block(loop.body.statements, context, ways(loop.conditions, context, worlds).yes, returns)
      }
    case .repeatStmt(let loop):
      return repeated(Syntax(loop), context, worlds, returns) { worlds in
        block(loop.body.statements, context, worlds, returns)
      }
    case .deferStmt(let statement):
      return Outcome(next: aside(Syntax(statement), statement.body.statements, [], context, worlds))
    case .ifConfigDecl(let condition): return self.conditional(condition, context, worlds, returns)
    case .infixOperatorExpr(let infix) where infix.isAssignment:
      return Outcome(next: assign(infix, context, told(node, context, worlds)))
    case .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl, .extensionDecl:
      return Outcome(next: worlds.each { $0.locals[node.localTypeName ?? ""] = .unknown("a local type") })
    default:
      if givesValue, let expression = node.as(ExprSyntax.self) {
        let after = told(node, context, worlds)
        returns.values += after.map { value(expression, context, $0, expected: context.result) }
        return Outcome(next: after)
      }
      let after = told(node, context, worlds)
      if let call = node.innerCall {
        if call.neverReturns { return Outcome() }
        if let changed = change(call, context, after) { return Outcome(next: changed) }
      }
      return Outcome(next: after)
    }
  }

  /// Tells of an expression, and of what its closures do; then what it may change is lost.
  func told(_ node: Syntax, _ context: Context, _ worlds: [World]) -> [World] {
    let closures = node.outerClosures
    var worlds = worlds
    observe?(node, worlds, context)
    for closure in closures {
      worlds = aside(Syntax(closure), closure.statements, [], context, worlds, signature: closure.signature)
    }
    let changed = mutated(node, isOuter: true)
    return changed.isEmpty ? worlds : worlds.each { $0.lose(changed) }
  }

  /// Code that runs at another time, any number of times: what it changes is lost for good, and what the rest changes is
  /// lost in it.
  private func aside(
    _ node: Syntax, _ body: CodeBlockItemListSyntax?, _ parameters: [Declaration.Parameter], _ context: Context,
    _ worlds: [World], signature: ClosureSignatureSyntax? = nil
  ) -> [World] {
    let changed = mutated(node)
    let after = changed.isEmpty ? worlds : worlds.each { $0.lose(changed, forGood: true) }
    guard let body, observe != nil else { return after }
    let others = mutatedLater(than: node)
    let inside = after.each { world in
      world.lose(others.subtracting(signature?.captured ?? []))
      for parameter in parameters {
        world.locals[parameter.name] = value(ofType: parameter.type, in: context.owner, file: context.unit.file)
      }
      for name in signature?.parameterNames ?? [] { world.locals[name] = .unknown("what the closure is called with") }
      for name in ["$0", "$1", "$2"] where signature == nil {
        world.locals[name] = .unknown("what the closure is called with")
      }
      for (name, value) in signature?.renamed ?? [:] {
        world.locals[name] = self.value(value, context, world)
      }
    }
    var inner = context
    inner.result = nil
    _ = run(body, inner, inside, Returns(), givesValue: false)
    return after
  }

  private func declare(_ declaration: VariableDeclSyntax, _ context: Context, _ worlds: [World]) -> [World] {
    var worlds = worlds
    let isVariable = declaration.bindingSpecifier.text == "var"
    for binding in declaration.bindings {
      let type = binding.typeAnnotation?.type.trimmedDescription
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText,
        binding.accessorBlock == nil, declaration.attributes.isEmpty
      else {
        if let initial = binding.initializer { worlds = told(Syntax(initial.value), context, worlds) }
        for name in binding.pattern.names {
          worlds = worlds.each { $0.set(name, .unknown("`\(name)` is not followed")) }
        }
        continue
      }
      if let initial = binding.initializer {
        if initial.value.is(IfExprSyntax.self) || initial.value.is(SwitchExprSyntax.self) {
          worlds = chosen(initial.value, name, type, context, worlds)
          continue
        }
        worlds = told(Syntax(initial.value), context, worlds)
        worlds = worlds.flatMap { world -> [World] in
          let found = value(initial.value, context, world, expected: type)
          return split(initial.value, found, world, context, type).map { pair in
            var world = pair.1
            world.declare(name, pair.0, type, isVariable: isVariable)
            return world
          }
        }
      } else {
        let start: Value =
          type?.isOptionalType == true && declaration.bindingSpecifier.text == "var"
          ? .null
          : .unknown("`\(name)` is not set")
        worlds = worlds.each { $0.declare(name, start, type, isVariable: true) }
      }
    }
    return worlds
  }

  /// A ternary at the top: a way for each side, so that what follows knows which.
  private func split(
    _ expression: ExprSyntax, _ found: Value, _ world: World, _ context: Context, _ type: String?
  ) -> [(Value, World)] {
    guard let choice = expression.as(TernaryExprSyntax.self) else { return [(found, world)] }
    let type = sharedType(choice, context, world, type)
    let (yes, no) = ways(choice.condition, context, [world])
    return yes.map { (value(choice.thenExpression, context, $0, expected: type), $0) }
      + no.map { (value(choice.elseExpression, context, $0, expected: type), $0) }
  }

  /// `let x = if …`: a way for each branch.
  private func chosen(
    _ expression: ExprSyntax, _ name: String, _ type: String?, _ context: Context, _ worlds: [World]
  ) -> [World] {
    var inner = context
    inner.result = type
    return worlds.flatMap { world -> [World] in
      let returns = Returns()
      let outcome = run(Syntax(expression), inner, [world], returns, givesValue: true)
      let pairs =
        outcome.next.count == returns.values.count
        ? Array(zip(outcome.next, returns.values))
        : outcome.next.map { ($0, .either(returns.values)) }
      return pairs.map { pair in
        var world = pair.0
        world.declare(name, pair.1, type, isVariable: true)
        return world
      }
    }
  }

  private func conditional(
    _ condition: IfConfigDeclSyntax, _ context: Context, _ worlds: [World], _ returns: Returns
  ) -> Outcome {
    var outcome = Outcome()
    var rest = worlds
    var isComplete = false
    for clause in condition.clauses {
      let text = "#if " + (clause.condition?.trimmedDescription ?? "")
      let taken =
        clause.condition == nil ? rest : rest.filter { $0.facts[text] != false }.each { $0.facts[text] = true }
      if clause.condition == nil {
        isComplete = true
      } else {
        rest = rest.filter { $0.facts[text] != true }.each { $0.facts[text] = false }
      }
      switch clause.elements {
      case .statements(let items)?: outcome.add(run(items, context, taken, returns, givesValue: false))
      default: outcome.next += taken
      }
    }
    if !isComplete { outcome.next += rest }
    return outcome
  }

  private func loop(_ loop: ForStmtSyntax, _ context: Context, _ worlds: [World], _ returns: Returns) -> Outcome {
    let worlds = told(Syntax(loop.sequence), context, worlds)
    return repeated(Syntax(loop), context, worlds, returns) { worlds in
      var inside: [World] = []
      for world in worlds {
        let names = loop.pattern.names
        if case .list(let all) = value(loop.sequence, context, world), names.count == 1, all.count <= 16,
          loop.pattern.is(IdentifierPatternSyntax.self)
        {
          inside += all.map { element in
            var world = world
            world.set(names[0], element)
            return world
          }
        } else {
          let element: Value? = if case .elements(let one) = value(loop.sequence, context, world) { one } else { nil }
          var world = world
          for name in names {
            world.set(name, names.count == 1 ? element ?? .unknown("an element") : .unknown("an element"))
          }
          inside.append(world)
        }
      }
      if let clause = loop.whereClause { inside = ways(clause.condition, context, inside).yes }
      return run(loop.body.statements, context, inside, returns, givesValue: false)
    }
  }

  /// What runs any number of times: what it changes is not known in it, nor after it.
  private func repeated(
    _ node: Syntax, _ context: Context, _ worlds: [World], _ returns: Returns, _ body: ([World]) -> Outcome
  ) -> Outcome {
    let changed = mutated(node)
    let around = worlds.each {
      $0.lose(changed)
      // A condition of one round says nothing of the next.
      $0.facts = $0.facts.filter { !changed.contains($0.key) }
    }
    _ = body(around.bounded)
    return Outcome(next: around)
  }
}

extension CodeBlockItemListSyntax {
  /// What statements declare for those behind them.
  var declaredNames: Set<String> {
    var names: Set<String> = []
    for item in self {
      if case .decl(let declaration) = item.item {
        if let variable = declaration.as(VariableDeclSyntax.self) {
          for binding in variable.bindings { names.formUnion(binding.pattern.names) }
        } else if let name = Syntax(declaration).localTypeName {
          names.insert(name)
        }
      } else if case .stmt(let statement) = item.item, let guarded = statement.as(GuardStmtSyntax.self) {
        names.formUnion(guarded.conditions.boundNames)
      }
    }
    return names
  }
}

extension ConditionElementListSyntax {
  /// What conditions bind, but for `if let x`, which is the same value.
  var boundNames: Set<String> {
    var names: Set<String> = []
    for element in self {
      switch element.condition {
      case .optionalBinding(let binding):
        if let value = binding.initializer?.value, value.localName != binding.pattern.names.first {
          names.formUnion(binding.pattern.names)
        }
      case .matchingPattern(let match): names.formUnion(match.pattern.names)
      default: break
      }
    }
    return names
  }
}
