import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// Follows every way through some statements.
  ///
  /// - Parameter expected: the type that the function returns, if it is known.
  func run(
    _ statements: CodeBlockItemListSyntax, _ context: inout EvaluationContext, _ paths: [Path],
    returning expected: TypeID? = nil
  ) -> Flow {
    var flow = Flow(onward: paths)
    for statement in statements {
      if case .decl(let declaration) = statement.item, let function = declaration.as(FunctionDeclSyntax.self) {
        context.names.declare(function)
      }
    }
    effort.enterBlock()
    defer { effort.leaveBlock() }
    for statement in statements {
      effort.begin(statementAt: statement.position.utf8Offset)
      guard !flow.onward.isEmpty, effort.take(flow.onward.count) else { return flow }
      let next = run(statement, &context, flow.onward, returning: expected)
      flow.leave(next)
      flow.onward = Flow.bounded(next.onward)
    }
    return flow
  }

  private func run(
    _ statement: CodeBlockItemSyntax, _ context: inout EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    switch statement.item {
    case .decl(let declaration): return declare(declaration, &context, paths, returning: expected)
    case .expr(let expression): return run(expression, &context, paths, returning: expected)
    case .stmt(let statement): return run(statement, &context, paths, returning: expected)
    }
  }

  private func declare(
    _ declaration: DeclSyntax, _ context: inout EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    var paths = paths
    if let variable = declaration.as(VariableDeclSyntax.self) {
      let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
      for binding in variable.bindings {
        let declared = binding.typeAnnotation.map {
          value(of: $0.type, typeName: context.typeName, file: context.file)
        }
        var values: [SourceValue] = []
        for index in paths.indices {
          if let accessors = binding.accessorBlock, accessors.isComputed {
            run(accessors, context, paths[index])
            values.append(.open("a local property that is worked out"))
          } else if let initial = binding.initializer?.value {
            values.append(
              value(initial, context, &paths[index], expected: declared?.unwrapped.typeID).converted(to: declared))
          } else {
            values.append(declared.map { $0.canBeNull ? .null : $0 } ?? .open("it has no value yet"))
          }
        }
        bind(binding.pattern, isConstant: isConstant && binding.initializer != nil, values, &context, &paths)
      }
      return Flow(onward: paths)
    }
    if let conditional = declaration.as(IfConfigDeclSyntax.self) {
      return alternatives(conditional, &context, paths, returning: expected)
    }
    if let function = declaration.as(FunctionDeclSyntax.self), let body = function.body {
      // Where it is called is not where it stands: what others change meanwhile is open in it.
      for path in paths { run(body.statements, aside: function.signature, context, path) }
      for index in paths.indices {
        pin(mutated(in: body), context, &paths[index], "a local function changes it")
      }
    }
    return Flow(onward: paths)
  }

  /// `#if`: each branch is one way.
  private func alternatives(
    _ conditional: IfConfigDeclSyntax, _ context: inout EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    var flow = Flow()
    var hasElse = false
    for clause in conditional.clauses {
      hasElse = hasElse || clause.condition == nil
      guard case .statements(let statements)? = clause.elements else {
        flow.onward += paths
        continue
      }
      let next = run(statements, &context, paths, returning: expected)
      flow.leave(next)
      flow.onward += next.onward
    }
    if !hasElse { flow.onward += paths }
    return flow
  }

  private func run(
    _ expression: ExprSyntax, _ context: inout EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    if let branch = expression.as(IfExprSyntax.self) { return run(branch, context, paths, returning: expected) }
    if let choice = expression.as(SwitchExprSyntax.self) { return run(choice, context, paths, returning: expected) }
    var flow = Flow()
    for path in paths {
      var path = path
      _ = value(expression, context, &path)
      if !expression.neverReturns { flow.onward.append(path) }
    }
    return flow
  }

  private func run(
    _ statement: StmtSyntax, _ context: inout EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    switch statement.as(StmtSyntaxEnum.self) {
    case .expressionStmt(let inner): return run(inner.expression, &context, paths, returning: expected)
    case .returnStmt(let back):
      var flow = Flow()
      for path in paths {
        var path = path
        let result = back.expression.map { value($0, context, &path, expected: expected) } ?? .open("nothing")
        flow.returned.append((result, path))
      }
      return flow
    case .throwStmt(let thrown):
      for path in paths {
        var path = path
        _ = value(thrown.expression, context, &path)
      }
      return Flow()
    case .guardStmt(let demand): return run(demand, &context, paths, returning: expected)
    case .breakStmt(let leave): return Flow(broken: paths.map { (leave.label?.text, $0) })
    case .continueStmt(let next): return Flow(continued: paths.map { (next.label?.text, $0) })
    case .doStmt(let attempt): return run(attempt, context, paths, returning: expected)
    case .deferStmt(let later):
      var flow = Flow()
      for path in paths {
        run(later.body.statements, aside: nil, context, path)
        var path = path
        forget(mutated(in: later.body), context, &path, "a `defer` changes it")
        flow.onward.append(path)
      }
      return flow
    case .forStmt(let loop): return run(loop, context, paths, returning: expected)
    case .whileStmt(let loop):
      return turns(of: Syntax(loop), context, paths) { context, paths in
        let (holding, failing) = self.decide(loop.conditions, &context, paths)
        var flow = self.run(loop.body.statements, &context, holding, returning: expected)
        flow.broken += failing.map { (nil, $0) }
        return flow
      }
    case .repeatStmt(let loop):
      return turns(of: Syntax(loop), context, paths) { context, paths in
        self.run(loop.body.statements, &context, paths, returning: expected)
      }
    case .labeledStmt(let labelled):
      let label = labelled.label.text
      var paths = paths
      // Which turn goes on after `continue label` is not followed.
      let goesOn = labelled.statement.tokens(viewMode: .sourceAccurate).contains { token in
        token.text == label && token.parent?.is(ContinueStmtSyntax.self) == true
      }
      func forgetAll(_ paths: inout [Path]) {
        guard goesOn else { return }
        for index in paths.indices {
          forget(
            mutated(in: labelled), context, &paths[index], "a `continue \(label)` skips a part of its turn")
        }
      }
      forgetAll(&paths)
      var flow = run(labelled.statement, &context, paths, returning: expected)
      forgetAll(&flow.onward)
      flow.onward += flow.broken.filter { $0.label == label }.map(\.path)
      flow.onward += flow.continued.filter { $0.label == label }.map(\.path)
      forgetAll(&flow.onward)
      flow.broken.removeAll { $0.label == label }
      flow.continued.removeAll { $0.label == label }
      return flow
    default:
      var flow = Flow()
      for path in paths {
        var path = path
        forget(mutated(in: statement), context, &path, "a statement that is not understood changes it")
        flow.onward.append(path)
      }
      return flow
    }
  }

  private func run(
    _ demand: GuardStmtSyntax, _ context: inout EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    let outer = context
    let (holding, failing) = decide(demand.conditions, &context, paths)
    var inner = outer
    var flow = run(demand.body.statements, &inner, failing, returning: expected)
    // The compiler sees to it that nothing comes out of there.
    flow.onward = holding
    return flow
  }

  private func run(
    _ attempt: DoStmtSyntax, _ context: EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    var inner = context
    var flow = run(attempt.body.statements, &inner, paths, returning: expected)
    let changed = mutated(in: attempt.body)
    for clause in attempt.catchClauses {
      var inner = context
      let thrown = paths.map { path in
        var path = path
        forget(changed, context, &path, "it may be changed before an error")
        let id = newID()
        inner.names.declare("error", id, isConstant: true)
        path.values[id] = .open("an error")
        return path
      }
      var caught = thrown
      for item in clause.catchItems {
        if let pattern = item.pattern {
          bind(pattern, isConstant: true, caught.map { _ in .open("an error") }, &inner, &caught)
        }
      }
      let next = run(clause.body.statements, &inner, caught, returning: expected)
      flow.leave(next)
      flow.onward += next.onward
    }
    flow.onward = Flow.bounded(flow.onward)
    return flow
  }

  /// A body that runs at another time than it is come to: a local function's, a closure's, a `defer`'s.
  func run(
    _ body: CodeBlockItemListSyntax, aside signature: FunctionSignatureSyntax?, _ context: EvaluationContext,
    _ path: Path
  ) {
    var context = context
    var path = path
    forgetWhatChanges(around: Syntax(body), context, &path)
    for parameter in signature?.parameterClause.parameters ?? [] {
      let id = newID()
      let name = (parameter.secondName ?? parameter.firstName).identifierText
      context.names.declare(name, id, isConstant: true)
      path.values[id] = value(of: parameter.type, typeName: context.typeName, file: context.file).asParameter(
        name, of: parameter.type)
    }
    _ = run(body, &context, [path])
  }

  private func run(_ accessors: AccessorBlockSyntax, _ context: EvaluationContext, _ path: Path) {
    if let body = accessors.getterBody { run(body, aside: nil, context, path) }
  }

  /// Makes open what the function around a body changes anywhere, for nobody knows when the body runs.
  func forgetWhatChanges(around body: Syntax, _ context: EvaluationContext, _ path: inout Path) {
    var outermost: Syntax = body
    while let parent = outermost.parent, !parent.is(MemberBlockSyntax.self), !parent.is(SourceFileSyntax.self) {
      outermost = parent
    }
    let changed = changes(of: outermost)
    forget(changed, context, &path, "it is used in a closure, and changed elsewhere")
  }
}

extension ExprSyntax {
  /// Whether it is a call that control does not come back from.
  var neverReturns: Bool {
    guard let call = self.as(FunctionCallExprSyntax.self),
      let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    else { return false }
    return ["fatalError", "preconditionFailure", "exit", "abort"].contains(name)
  }
}

extension SourceValue {
  /// The value that a parameter has, which is up to the caller: of texts, dictionaries and the sources' own types the
  /// caller may know more.
  func asParameter(_ name: String, of type: TypeSyntax) -> SourceValue {
    switch shape {
    case .open(let reason):
      let isAnything = type.plainName.map { ["Any", "AnyHashable", "AnyObject", "Sendable"].contains($0) } ?? false
      return .open("the parameter `\(name)`, \(reason)", dependsOnCaller: isAnything)
    // A number says nothing of an event's name or keys that its caller would say better.
    case .scalar(.int), .scalar(.double), .scalar(.bool), .scalar(.date): return self
    default: return tainted(true)
    }
  }
}
