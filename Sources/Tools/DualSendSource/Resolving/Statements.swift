import DualSendCore
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

  mutating func restore(_ names: Set<String>, from outer: PathState) {
    next?.restore(names, from: outer)
    for place in broken.indices { broken[place].restore(names, from: outer) }
  }
}

/// Follows statements: what is known after each, and what a body returns.
final class StatementReader {
  unowned let resolver: Resolver
  let types: TypeReader
  /// Called with the calls and names of every evaluated expression, and the states at that point.
  private var observe: (([SyntaxIdentifier], PathState) -> Void)?

  var index: DeclarationIndex { types.index }

  init(_ resolver: Resolver) {
    (self.resolver, types) = (resolver, resolver.types)
  }

  func value(_ expression: ExprSyntax, _ state: PathState, as expected: String? = nil) -> Value {
    resolver.values.value(expression, state, as: expected)
  }

  /// Evaluates without the observer, because the expressions are in other code.
  func quietly<Result>(_ work: () -> Result) -> Result { observing(nil, work) }

  func observing<Result>(_ observer: (([SyntaxIdentifier], PathState) -> Void)?, _ work: () -> Result) -> Result {
    let outer = observe
    observe = observer
    defer { observe = outer }
    return work()
  }

  // MARK: bodies

  /// The return value of a body.
  func result(of body: CodeBlockItemListSyntax, _ state: PathState) -> Value {
    let returns = Returns()
    quietly { _ = run(body, state, returns, givesValue: true) }
    return returns.values.isEmpty ? .unknown("it returns nothing") : .either(returns.values)
  }

  /// The states in which a body ends.
  func ends(of body: CodeBlockItemListSyntax, _ state: PathState) -> [PathState] {
    let returns = Returns()
    let next = quietly { run(body, entering(body, state), returns).next }
    return (next.map { [$0] } ?? []) + returns.states
  }

  /// The values of a `switch` that is an expression.
  func value(ofSwitch expression: ExprSyntax, _ state: PathState, _ expected: String?) -> Value {
    var state = state
    state.result = expected
    let returns = Returns()
    quietly { _ = run(Syntax(expression), state, returns, givesValue: true) }
    return returns.values.isEmpty ? .unknown(state.form(expression)) : .either(returns.values)
  }

  /// Follows statements in order.
  ///
  /// - Parameter givesValue: whether a lone expression is the result.
  @discardableResult
  func run(
    _ items: CodeBlockItemListSyntax, _ state: PathState, _ returns: Returns = Returns(), givesValue: Bool = false
  ) -> Outcome {
    var outcome = Outcome(next: state)
    for item in items {
      guard let state = outcome.next else { break }
      let step = run(Syntax(item.item), state, returns, givesValue: givesValue && items.count == 1)
      outcome.next = step.next
      outcome.broken += step.broken
    }
    return outcome
  }

  /// Follows statements in a scope of their own.
  func block(
    _ items: CodeBlockItemListSyntax, _ state: PathState, _ returns: Returns, givesValue: Bool
  ) -> Outcome {
    var outcome = run(items, state, returns, givesValue: givesValue)
    outcome.restore(items.declaredNames, from: state)
    return outcome
  }

  /// The outcome of branches of which one is taken. The work grows with what is known where they meet.
  func joined(_ all: [Outcome], words: Set<String>, before: PathState) -> Outcome {
    let next = PathState.joined(all.compactMap(\.next), words: words, before: before)
    resolver.effort.left -= next?.locals.values.reduce(0) { $0 + $1.size } ?? 0
    return Outcome(next: next, broken: all.flatMap(\.broken))
  }

  /// Follows a statement. Each form that is read has a row here. One without a row is an expression, or code whose changes are
  /// not followed.
  private func run(_ node: Syntax, _ state: PathState, _ returns: Returns, givesValue: Bool) -> Outcome {
    guard state.limit == nil, resolver.effort.take() else {
      let after = state.limit == nil ? state.spent(at: node) : state
      observe?(Mentions(node, isWhole: true).nodes, after)
      returns.values.append(Effort.exceeded)
      returns.states.append(after)
      return Outcome(next: after)
    }
    // The index has a file's declarations, and its functions are followed separately.
    if node.declaredName != nil, node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
      return Outcome(next: state)
    }
    switch node.as(SyntaxEnum.self) {
    // Declarations
    case .variableDecl(let declaration): return Outcome(next: declare(declaration, state))
    case .functionDecl(let function): return Outcome(next: declare(function, state))
    case .structDecl, .classDecl, .enumDecl, .actorDecl, .protocolDecl, .typeAliasDecl:
      var after = state
      after.locals[node.declaredName ?? ""] = .unknown("a local type")
      return Outcome(next: after)
    // Branches
    case .ifExpr(let choice): return self.choice(choice, state, returns, givesValue)
    case .switchExpr(let choice): return self.choice(choice, state, returns, givesValue)
    case .guardStmt(let statement):
      let decision = decide(statement.conditions, state)
      var outcome = Outcome()
      if decision.isTrue != true { outcome = run(statement.body.statements, decision.outside, returns) }
      outcome.next = decision.isTrue == false ? nil : decision.inside
      return outcome
    // Code that runs later, or any number of times
    case .forStmt(let loop):
      self.loop(loop, state, returns)
      return Outcome(next: state)
    case .deferStmt(let statement):
      deferred(node, statement.body.statements, state)
      return Outcome(next: state)
    case .doStmt, .ifConfigDecl, .whileStmt, .repeatStmt: return Outcome(next: unread(node, state, returns))
    case .labeledStmt(let labelled):
      _ = run(Syntax(labelled.statement), state, returns, givesValue: false)
      return Outcome(next: state)
    // Ends
    case .returnStmt(let statement): return self.return(statement.expression, state, returns)
    case .throwStmt:
      observed(node, state)
      return Outcome()
    case .breakStmt, .continueStmt: return Outcome(broken: [state])
    // Expressions
    case .expressionStmt(let statement):
      return run(Syntax(statement.expression), state, returns, givesValue: givesValue)
    case .infixOperatorExpr(let infix) where infix.isAssignment: return Outcome(next: assign(infix, state))
    default:
      if givesValue { return self.return(node.as(ExprSyntax.self), state, returns) }
      let call = node.innerCall
      observed(node, state)
      if let name = call?.calledExpression.trimmedDescription,
        ["fatalError", "preconditionFailure", "exit", "abort"].contains(name), index.functions(name).isEmpty
      {
        return Outcome()
      }
      return Outcome(next: call.map { change($0, state) } ?? state)
    }
  }

  private func `return`(_ expression: ExprSyntax?, _ state: PathState, _ returns: Returns) -> Outcome {
    returns.states.append(state)
    if let expression {
      observed(Syntax(expression), state)
      returns.values.append(value(expression, state, as: state.result))
    }
    return Outcome()
  }

  // MARK: declarations

  private func declare(_ declaration: VariableDeclSyntax, _ state: PathState) -> PathState {
    var state = state
    let isVariable = declaration.bindingSpecifier.text == "var"
    for binding in declaration.bindings {
      let type = binding.typeAnnotation?.type.trimmedDescription
      if let initial = binding.initializer?.value { observed(Syntax(initial), state) }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText,
        binding.accessorBlock == nil, declaration.attributes.isEmpty
      else {
        for name in binding.pattern.patternNames {
          state.declare(name, .unknown("`\(name)` in \(state.place(of: binding))"))
        }
        continue
      }
      guard let initial = binding.initializer?.value else {
        let start: Value = isVariable && type?.isOptionalType == true ? .null : .unknown("`\(name)` is not set")
        state.declare(name, start, type)
        if isVariable { settle(name, at: declaration, in: &state) }
        continue
      }
      let shown = type ?? (resolver.values.isShownPlainly(initial, state) ? nil : "Any?")
      let before = state
      state.declare(name, value(initial, before, as: type), shown)
      state.remember(name, of: initial, before: before)
      if isVariable { settle(name, at: declaration, in: &state) }
    }
    return state
  }

  private func declare(_ function: FunctionDeclSyntax, _ state: PathState) -> PathState {
    let generics = (function.genericParameterClause?.names ?? []).map {
      Declaration.Parameter(label: "_", name: $0, type: "", value: nil)
    }
    var after = state
    deferred(Syntax(function), function.body?.statements, state, parameters: function.declaredParameters + generics)
    after.locals[function.name.identifierText] = .unknown("a local function")
    return after
  }

  // MARK: loops, and code that runs later

  private func loop(_ loop: ForStmtSyntax, _ state: PathState, _ returns: Returns) {
    observed(Syntax(loop.sequence), state)
    let names = loop.pattern.patternNames
    let element: Value =
      switch value(loop.sequence, state) {
      case .list(let all) where names.count == 1: .either(all)
      case .elements(let one) where names.count == 1: one
      default: .unknown("an element of `for` in \(state.place(of: loop))")
      }
    var inside = state
    inside.bind(names.reduce(into: [:]) { $0[$1] = element }, in: loop.pattern)
    if !loop.sequence.trimmedDescription.hasSuffix(".allCases") { for name in names { inside.types[name] = "Any?" } }
    if let clause = loop.whereClause { observed(Syntax(clause.condition), inside) }
    run(loop.body.statements, inside, returns)
  }

  /// Code of a form that is not read: what it changes is unknown.
  func unread(_ node: Syntax, _ state: PathState, _ returns: Returns) -> PathState {
    var after = state
    for (items, names) in node.innerBodies {
      var inside = after
      for name in names { inside.declare(name, .unknown("`\(name)` in \(state.place(of: node))")) }
      run(items, inside, returns)
    }
    if node.is(IfConfigDeclSyntax.self) {
      for name in node.innerBodies.flatMap(\.items.declaredNames) {
        after.declare(name, .unknown("`\(name)` stands in `#if` in \(state.place(of: node))"))
      }
    }
    return after
  }

  /// Reports an expression and its closures to the observer.
  func observed(_ node: Syntax, _ state: PathState) {
    guard let observe else { return }
    let found = Mentions(node)
    observe(found.nodes, state)
    for closure in found.closures {
      deferred(Syntax(closure), closure.statements, state, signature: closure.signature)
    }
  }

  /// Follows code that may run later, any number of times. Within it, the variables that later code changes are unknown.
  private func deferred(
    _ node: Syntax, _ body: CodeBlockItemListSyntax?, _ state: PathState, parameters: [Declaration.Parameter] = [],
    signature: ClosureSignatureSyntax? = nil
  ) {
    guard let body, observe != nil else { return }
    let captures = signature?.capture.map { Array($0.items) } ?? []
    let copied = Set(captures.map(\.name.identifierText))
    var inside = state
    loseLater(node, but: copied, in: &inside)
    for parameter in parameters {
      inside.locals[parameter.name] = types.value(parameter.type, in: state.owner, file: state.unit.file)
      inside.types[parameter.name] = parameter.type
    }
    for name in signature?.parameterNames ?? ["$0", "$1", "$2"] {
      inside.locals[name] = .unknown("an argument of the closure")
    }
    for item in captures {
      if let initial = item.initializer?.value { inside.locals[item.name.identifierText] = value(initial, inside) }
    }
    inside.result = nil
    run(body, inside)
  }
}

/// The calls, and the names that may be those of functions, in some code.
private final class Mentions: SyntaxAnyVisitor {
  private(set) var nodes: [SyntaxIdentifier] = []
  /// The outermost closures.
  private(set) var closures: [ClosureExprSyntax] = []
  private let isWhole: Bool

  /// - Parameter isWhole: whether what closures mention is among it.
  init(_ node: Syntax, isWhole: Bool = false) {
    self.isWhole = isWhole
    super.init(viewMode: .sourceAccurate)
    walk(node)
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if node.is(FunctionCallExprSyntax.self) || node.is(DeclReferenceExprSyntax.self) { nodes.append(node.id) }
    guard !isWhole, let closure = node.as(ClosureExprSyntax.self) else { return .visitChildren }
    closures.append(closure)
    return .skipChildren
  }
}

extension Syntax {
  /// The name of a declaration in a function.
  fileprivate var declaredName: String? { asProtocol((any NamedDeclSyntax).self)?.name.identifierText }

  /// The statements inside a statement, each with the names that it binds for them.
  fileprivate var innerBodies: [(items: CodeBlockItemListSyntax, names: Set<String>)] {
    switch self.as(SyntaxEnum.self) {
    case .doStmt(let statement):
      let body = (items: statement.body.statements, names: Set<String>())
      return [body] + statement.catchClauses.map { ($0.body.statements, Set($0.catchItems.patternNames + ["error"])) }
    case .ifConfigDecl(let condition):
      return condition.clauses.compactMap { clause in
        if case .statements(let items)? = clause.elements { (items, []) } else { nil }
      }
    case .switchExpr(let choice):
      return choice.cases.compactMap { one in
        if case .switchCase(let one) = one { (one.statements, Set(one.label.patternNames)) } else { nil }
      }
    case .whileStmt(let loop): return [(loop.body.statements, Set(loop.conditions.patternNames))]
    case .repeatStmt(let loop): return [(loop.body.statements, [])]
    default: return []
    }
  }
}

extension CodeBlockItemListSyntax {
  /// The names that statements declare for the following statements.
  fileprivate var declaredNames: Set<String> {
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
