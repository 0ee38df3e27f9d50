import DualSendCore
import SwiftSyntax

extension Resolver {
  func choice(
    _ choice: IfExprSyntax, _ context: Context, _ states: [PathState], _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    let (bound, scope) = (choice.conditions.boundNames, "\(choice.position.utf8Offset)?")
    let unwrapped = choice.conditions.unwrappedNames
    let (yes, no) = paths(choice.conditions, context, states.each { $0.open(scope, bound) })
    var outcome = block(choice.body.statements, context, yes, returns, givesValue: givesValue)
    outcome.close(scope, bound)
    // Behind it, the code sees the optionals again.
    if let before = states.first?.types, !unwrapped.isEmpty {
      outcome.next = outcome.next.each { state in for name in unwrapped { state.types[name] = before[name] } }
    }
    let others = no.each { $0.close(scope, bound) }
    switch choice.elseBody {
    case .codeBlock(let block)?:
      outcome.add(self.block(block.statements, context, others, returns, givesValue: givesValue))
    case .ifExpr(let inner)?: outcome.add(self.choice(inner, context, others, returns, givesValue))
    case nil: outcome.next += others
    }
    return outcome
  }

  /// `#if`.
  func conditional(
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

  /// The paths on which all conditions hold, and those on which one does not.
  func paths(
    _ conditions: ConditionElementListSyntax, _ context: Context, _ states: [PathState]
  ) -> (yes: [PathState], no: [PathState]) {
    var (yes, no): ([PathState], [PathState]) = (states, [])
    for element in conditions {
      let step: (yes: [PathState], no: [PathState])
      switch element.condition {
      case .expression(let expression): step = paths(expression, context, yes)
      case .optionalBinding(let binding):
        if let value = binding.initializer?.value { yes = observed(Syntax(value), context, yes) }
        step = paths(binding, context, yes)
      case .matchingPattern(let match):
        step = parted(observed(Syntax(match.initializer.value), context, yes), match.trimmedDescription) { state in
          fit(match.pattern, value(match.initializer.value, context, state), context, state)
        }
      case .availability: step = undecided(element.condition.trimmedDescription, yes)
      }
      yes = step.yes.bounded.each { $0.variables.formUnion(Syntax(element).variableNames) }
      no += step.no
    }
    return (yes, no.bounded)
  }

  func paths(_ condition: ExprSyntax, _ context: Context, _ states: [PathState]) -> (yes: [PathState], no: [PathState])
  {
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return paths(only.expression, context, states)
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      let (yes, no) = paths(prefix.expression, context, states)
      return (no, yes)
    }
    if let infix = condition.as(InfixOperatorExprSyntax.self) {
      switch infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
      case "&&"?:
        let left = paths(infix.leftOperand, context, states)
        let right = paths(infix.rightOperand, context, left.yes)
        return (right.yes, left.no + right.no)
      case "||"?:
        let left = paths(infix.leftOperand, context, states)
        let right = paths(infix.rightOperand, context, left.no)
        return (left.yes + right.yes, right.no)
      case "=="?: return compared(infix, context, states)
      case "!="?:
        let (yes, no) = compared(infix, context, states)
        return (no, yes)
      default: break
      }
    }
    return parted(
      observed(Syntax(condition), context, states), condition.trimmedDescription,
      isSure: { self.isFixed(condition, context, $0) }
    ) { state in
      let isName = condition.dottedName != nil || condition.is(BooleanLiteralExprSyntax.self)
      guard isName, case .literal(.bool(let flag)) = value(condition, context, state) else { return Fit() }
      return Fit(isFitting: flag)
    }
  }

  /// `a == b`.
  private func compared(
    _ infix: InfixOperatorExprSyntax, _ context: Context, _ states: [PathState]
  ) -> (yes: [PathState], no: [PathState]) {
    let (left, right) = (infix.leftOperand, infix.rightOperand)
    return parted(
      observed(Syntax(infix), context, states), left.trimmedDescription + " == " + right.trimmedDescription,
      isSure: { self.isFixed(left, context, $0) && (right.isLiteral || self.isFixed(right, context, $0)) }
    ) { state in
      let one = value(left, context, state)
      let other = value(right, context, state, expected: type(of: one, in: context)?.path)
      var fit = Fit(isFitting: isOwnEquality([one, other], context) ? nil : one.isEqual(to: other))
      if other == .null, let name = left.localName, state.locals[name] != nil {
        (fit.narrowed, fit.otherwise) = ([name: .null], [name: one.unwrapped])
      }
      return fit
    }
  }

  /// `if let x = y`.
  private func paths(
    _ binding: OptionalBindingConditionSyntax, _ context: Context, _ states: [PathState]
  ) -> (yes: [PathState], no: [PathState]) {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
      return undecided(binding.trimmedDescription, states, isSure: false)
    }
    let source = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: name))
    let type = binding.typeAnnotation?.type.trimmedDescription
    return parted(
      states, "let " + source.trimmedDescription, isSure: { self.isFixed(source, context, $0) }
    ) { state in
      let found = value(source, context, state, expected: type)
      let isNil = found == .null ? true : found.mayBeNil == false ? false : nil
      var fit = Fit(isFitting: isNil.map { !$0 }, bound: [name.identifierText: found.unwrapped])
      if let local = source.localName, state.locals[local] != nil {
        (fit.narrowed, fit.otherwise) = ([local: found.unwrapped], [local: .null])
      }
      return fit
    }
  }

  /// Splits the paths by whether a condition holds.
  ///
  /// - Parameter isSure: whether the condition has the same result each time it is evaluated.
  private func parted(
    _ states: [PathState], _ condition: String, isSure: (PathState) -> Bool = { _ in false },
    _ decide: (PathState) -> Fit
  ) -> (yes: [PathState], no: [PathState]) {
    var (yes, no): ([PathState], [PathState]) = ([], [])
    for state in states {
      let fit = decide(state)
      var step: (yes: [PathState], no: [PathState])
      switch fit.isFitting {
      case true?: step = ([state], [])
      case false?: step = ([], [state])
      case nil: step = undecided(condition, [state], isSure: isSure(state))
      }
      yes += step.yes.each { state in
        for (name, value) in fit.narrowed { state.locals[name] = value }
        if !fit.bound.isEmpty { state = state.binding(fit.bound) }
      }
      no += step.no.each { state in
        for (name, value) in fit.otherwise { state.locals[name] = value }
      }
    }
    return (yes, no)
  }

  /// A condition whose result is unknown: it has its earlier result on the same path, or both paths are followed.
  func undecided(_ text: String, _ states: [PathState], isSure: Bool = true) -> (yes: [PathState], no: [PathState]) {
    var (yes, no): ([PathState], [PathState]) = ([], [])
    for state in states {
      if isSure, let fact = state.facts[text] {
        if fact { yes.append(state) } else { no.append(state) }
        continue
      }
      var state = state
      state.ask(text)
      yes += [state].each { if isSure { $0.take(text, true) } }
      no += [state].each { if isSure { $0.take(text, false) } }
    }
    return (yes, no)
  }

  /// Whether it names a value that is the same each time it is read.
  private func isFixed(_ expression: ExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    let isOwn = expression.as(MemberAccessExprSyntax.self)?.base?.localName == "self"
    guard let name = expression.localName ?? (isOwn ? expression.dottedName.map { String($0.dropFirst(5)) } : nil)
    else { return false }
    if !isOwn, state.locals[name] != nil { return !state.loose.contains(name) }
    guard let type = index.type(context.owner, in: "", file: context.unit.file) else { return false }
    let own = index.members(name, of: type, file: context.unit.file)
    return own.count == 1 && own.allSatisfy { index[$0].kind == .property && index[$0].isConstant }
  }
}

extension ExprSyntax {
  /// A plain name.
  var localName: String? { self.as(DeclReferenceExprSyntax.self)?.baseName.identifierText }

  fileprivate var isLiteral: Bool {
    self.is(StringLiteralExprSyntax.self) || self.is(IntegerLiteralExprSyntax.self)
      || self.is(NilLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
      || (self.is(MemberAccessExprSyntax.self) && isImplicit)
  }
}

extension Value {
  /// Whether two values are equal; `nil` if that is not known.
  fileprivate func isEqual(to other: Value) -> Bool? {
    switch (self, other) {
    case (.text(let one), .text(let other)): one == other
    case (.enumCase(_, let one, let fields), .enumCase(_, let other, let others))
    where fields.isEmpty && others.isEmpty:
      one == other
    case (_, .literal(.null)) where mayBeNil == false: false
    case (.literal(let one), .literal(let other)): one == other
    default: nil
    }
  }
}

extension ConditionElementListSyntax {
  /// The names of `if let x`.
  fileprivate var unwrappedNames: [String] {
    compactMap { $0.condition.as(OptionalBindingConditionSyntax.self) }.flatMap(\.pattern.patternNames)
      .filter { !boundNames.contains($0) }
  }

  /// The names that conditions bind, except `if let x`, which is the same value.
  var boundNames: Set<String> {
    reduce(into: []) { names, element in
      switch element.condition {
      case .optionalBinding(let binding):
        let isSame =
          (binding.initializer?.value.localName ?? binding.pattern.patternNames.first)
          == binding.pattern.patternNames.first
        if !isSame || binding.bindingSpecifier.text == "var" { names.formUnion(binding.pattern.patternNames) }
      case .matchingPattern(let match): names.formUnion(match.pattern.patternNames)
      default: break
      }
    }
  }
}
