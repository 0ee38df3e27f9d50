import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// Splits ways by some conditions: those on which all of them hold, with what they bind, and the others.
  func decide(
    _ conditions: ConditionElementListSyntax, _ context: inout EvaluationContext, _ paths: [Path]
  ) -> (holding: [Path], failing: [Path]) {
    var holding = paths
    var failing: [Path] = []
    for condition in conditions {
      let (next, others) = decide(condition.condition, &context, holding)
      holding = next
      failing += others
    }
    return (Flow.bounded(holding), Flow.bounded(failing))
  }

  private func decide(
    _ condition: ConditionElementSyntax.Condition, _ context: inout EvaluationContext, _ paths: [Path]
  ) -> (holding: [Path], failing: [Path]) {
    switch condition {
    case .expression(let expression): return decide(expression, context, paths)
    case .availability: return (paths, paths)
    case .optionalBinding(let binding):
      var (holding, failing): ([Path], [Path]) = ([], [])
      var values: [SourceValue] = []
      for path in paths {
        var path = path
        let found: SourceValue
        if let initial = binding.initializer?.value {
          found = value(initial, context, &path)
        } else if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText {
          found = named(DeclReferenceExprSyntax(baseName: .identifier(name)), context, &path)
        } else {
          found = .open("`\(binding.excerpt)`")
        }
        let isOpen = found.canBeNull || !found.isCertain
        if isOpen { path.decide(binding.trimmedDescription, Mentions.names(in: binding), true) }
        if !found.isNull {
          holding.append(path)
          values.append(found.unwrapped)
        }
        if isOpen { failing.append(path) }
      }
      bind(binding.pattern, isConstant: true, values, &context, &holding)
      return (holding, failing)
    case .matchingPattern(let match):
      var holding: [Path] = []
      var failing: [Path] = []
      for path in paths {
        var path = path
        let subject = value(match.initializer.value, context, &path)
        path.decide(match.trimmedDescription, Mentions.names(in: match), true)
        for alternative in subject.alternatives.flatMap({ caseAlternatives(of: $0, file: context.file) }) {
          switch fit(alternative, match.pattern, &context, path) {
          case .never: failing.append(path)
          case .always(let bound): holding.append(bound)
          case .perhaps(let bound):
            holding.append(bound)
            failing.append(path)
          }
        }
      }
      return (holding, failing)
    }
  }

  private func decide(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ paths: [Path]
  ) -> (holding: [Path], failing: [Path]) {
    var (holding, failing): ([Path], [Path]) = ([], [])
    let (text, isNegated) = expression.positiveText
    let names = Mentions.names(in: expression)
    let isFixed = !names.isEmpty && names.allSatisfy { context.names.isConstant($0) }
    for path in paths {
      var path = path
      let found = value(expression, context, &path)
      if case .literal(.bool(let flag)) = found.shape {
        if flag { holding.append(path) } else { failing.append(path) }
        continue
      }
      if isFixed, let known = path.decisions.first(where: { $0.condition == text }) {
        if known.holds != isNegated { holding.append(path) } else { failing.append(path) }
        continue
      }
      for holds in [true, false] {
        var way = path
        way.decide(text, names, holds != isNegated)
        if holds { holding.append(way) } else { failing.append(way) }
      }
    }
    return (holding, failing)
  }

  /// `if` as a statement.
  func run(
    _ branch: IfExprSyntax, _ context: EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    var inner = context
    let (holding, failing) = decide(branch.conditions, &inner, paths)
    var flow = run(branch.body.statements, &inner, holding, returning: expected)
    switch branch.elseBody {
    case .ifExpr(let next): flow.add(run(next, context, failing, returning: expected))
    case .codeBlock(let block):
      var inner = context
      flow.add(run(block.statements, &inner, failing, returning: expected))
    case nil: flow.onward += failing
    }
    return flow
  }

  /// `switch` as a statement.
  func run(
    _ choice: SwitchExprSyntax, _ context: EvaluationContext, _ paths: [Path], returning expected: TypeID?
  ) -> Flow {
    var flow = Flow()
    var paths = paths
    let fallsThrough = choice.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.fallthrough) }
    func forgetAll(_ paths: inout [Path]) {
      guard fallsThrough else { return }
      for index in paths.indices {
        forget(changes(of: Syntax(choice)), context, &paths[index], "a `fallthrough` changes it")
      }
    }
    forgetAll(&paths)
    forEachCase(of: choice, context, paths) { statements, inner, paths in
      var inner = inner
      flow.add(run(statements, &inner, paths, returning: expected))
    }
    forgetAll(&flow.onward)
    flow.onward += flow.broken.filter { $0.label == nil }.map(\.path)
    flow.broken.removeAll { $0.label == nil }
    flow.onward = Flow.bounded(flow.onward)
    return flow
  }

  /// `if` as a value.
  func branch(
    _ branch: IfExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    var inner = context
    let (holding, failing) = decide(branch.conditions, &inner, [path])
    var values = holding.map { result(of: branch.body.statements, inner, $0, expected: expected) }
    for way in failing {
      var way = way
      switch branch.elseBody {
      case .ifExpr(let next): values.append(self.branch(next, context, &way, expected: expected))
      case .codeBlock(let block):
        values.append(result(of: block.statements, context, way, expected: expected))
      case nil: values.append(SourceValue(.tuple([])))
      }
    }
    forget(mutated(in: branch), context, &path, "it is changed only sometimes")
    return .oneOf(values)
  }

  /// `switch` as a value.
  func choice(
    _ choice: SwitchExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    var values: [SourceValue] = []
    forEachCase(of: choice, context, [path]) { statements, inner, paths in
      values += paths.map { result(of: statements, inner, $0, expected: expected) }
    }
    forget(mutated(in: choice), context, &path, "it is changed only sometimes")
    return .oneOf(values)
  }

  /// What a branch's last expression is.
  private func result(
    of statements: CodeBlockItemListSyntax, _ context: EvaluationContext, _ path: Path, expected: TypeID?
  ) -> SourceValue {
    guard let expression = statements.last?.expression else {
      var context = context
      _ = run(statements, &context, [path], returning: expected)
      return .open("a branch that has no value")
    }
    var context = context
    let before = CodeBlockItemListSyntax(statements.dropLast().map { $0 })
    if before.isEmpty {
      var path = path
      return value(expression, context, &path, expected: expected)
    }
    // The statements themselves, not a copy of them, so that calls keep their places.
    var flow = Flow(onward: [path])
    flow = run(statements, &context, flow.onward, returning: expected)
    return .oneOf(
      flow.onward.map { path in
        var path = path
        return unobserved { value(expression, context, &path, expected: expected) }
      })
  }

  /// Calls `body` with each case that may be taken, and the ways that take it.
  private func forEachCase(
    of choice: SwitchExprSyntax, _ context: EvaluationContext, _ paths: [Path],
    _ body: (CodeBlockItemListSyntax, EvaluationContext, [Path]) -> Void
  ) {
    var waiting: [(subject: SourceValue, path: Path)] = []
    for path in paths {
      var path = path
      let subject = value(choice.subject, context, &path)
      path.decide(choice.subject.trimmedDescription, Mentions.names(in: choice.subject), true)
      for alternative in subject.alternatives.flatMap({ caseAlternatives(of: $0, file: context.file) }) {
        waiting.append((alternative, path))
      }
    }
    if waiting.count > 4 * Flow.maximumPaths {
      waiting = waiting.map { (.open("one of many values"), $0.path) }
    }
    for element in choice.cases.flattened {
      var inner = context
      var taken: [Path] = []
      var left: [(SourceValue, Path)] = []
      guard case .case(let items) = element.label else {
        body(element.statements, inner, Flow.bounded(waiting.map(\.path)))
        waiting = []
        continue
      }
      for (subject, path) in waiting {
        var remains = true
        for item in items.caseItems {
          var fit = fit(subject, item.pattern, &inner, path)
          if let condition = item.whereClause?.condition, let bound = fit.bound {
            var bound = bound
            _ = value(condition, inner, &bound)
            fit = .perhaps(bound)
          }
          if let bound = fit.bound { taken.append(bound) }
          if case .always = fit {
            remains = false
            break
          }
        }
        if remains { left.append((subject, path)) }
      }
      if !taken.isEmpty { body(element.statements, inner, Flow.bounded(taken)) }
      waiting = left
    }
  }

  /// Each case that an enum's value of which only the type is known can be.
  private func caseAlternatives(of subject: SourceValue, file: Int) -> [SourceValue] {
    guard case .instance(let type, _) = subject.shape, index.declaration(of: type)?.kind == .enumeration else {
      return [subject]
    }
    let cases = cases(of: type, file: file)
    return cases.isEmpty ? [subject] : cases.map { $0.tainted(by: subject) }
  }
}

extension Flow {
  mutating func add(_ other: Flow) {
    onward += other.onward
    leave(other)
  }
}

extension SwitchCaseListSyntax {
  /// The cases, those of every branch of `#if` among them.
  fileprivate var flattened: [SwitchCaseSyntax] {
    flatMap { element -> [SwitchCaseSyntax] in
      switch element {
      case .switchCase(let only): [only]
      case .ifConfigDecl(let conditional):
        conditional.clauses.flatMap { clause -> [SwitchCaseSyntax] in
          if case .switchCases(let cases)? = clause.elements { cases.flattened } else { [] }
        }
      }
    }
  }
}

extension ExprSyntax {
  /// A condition without the `!` before it, and whether there is one.
  fileprivate var positiveText: (text: String, isNegated: Bool) {
    if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      let (text, isNegated) = prefix.expression.positiveText
      return (text, !isNegated)
    }
    if let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return only.expression.positiveText
    }
    return (trimmedDescription, false)
  }
}

extension SourceValue {
  /// Whether it is known whether this is `nil`.
  var isCertain: Bool {
    switch shape {
    case .open, .oneOf: false
    default: true
    }
  }
}
