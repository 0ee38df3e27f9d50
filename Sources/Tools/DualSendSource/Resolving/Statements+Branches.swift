import DualSendCore
import SwiftSyntax

/// The result of conditions, and the states with and without it.
struct Decision {
  /// Whether they hold; `nil` if that is not known.
  var isTrue: Bool? = true
  var inside: PathState
  var outside: PathState
  /// The names in those that are not decided.
  var words: Set<String> = []
}

/// The result of matching a value with a pattern.
struct Fit {
  /// Whether it matches; `nil` if unknown.
  var isFitting: Bool?
  /// The names that are bound on a match.
  var bound: [String: Value] = [:]
}

/// `if` and `switch`, and their conditions and patterns.
extension StatementReader {
  func choice(_ choice: IfExprSyntax, _ state: PathState, _ returns: Returns, _ givesValue: Bool) -> Outcome {
    let decision = decide(choice.conditions, state)
    var outcomes: [Outcome] = []
    if decision.isTrue != false {
      var inside = block(choice.body.statements, decision.inside, returns, givesValue: givesValue)
      inside.restore(Set(choice.conditions.patternNames), from: decision.outside)
      outcomes.append(inside)
    }
    if decision.isTrue != true {
      switch choice.elseBody {
      case .codeBlock(let body)?:
        outcomes.append(block(body.statements, decision.outside, returns, givesValue: givesValue))
      case .ifExpr(let inner)?: outcomes.append(self.choice(inner, decision.outside, returns, givesValue))
      case nil: outcomes.append(Outcome(next: decision.outside))
      }
    }
    return .joined(outcomes, words: decision.words, before: state)
  }

  /// Evaluates conditions, one after the other.
  func decide(_ conditions: ConditionElementListSyntax, _ state: PathState) -> Decision {
    var decision = Decision(inside: state, outside: losing(Syntax(conditions), state))
    for element in conditions where decision.isTrue != false {
      let before = decision.inside
      var isTrue: Bool?
      var asks: WritableKeyPath<PathState, Set<String>> = \.asked
      switch element.condition {
      case .expression(let expression):
        decision.inside = observed(Syntax(expression), before)
        isTrue = resolver.values.truth(of: expression, before)
      case .optionalBinding(let binding):
        asks = \.unwrapped
        if let value = binding.initializer?.value { decision.inside = observed(Syntax(value), before) }
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { break }
        let source = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: name))
        let type = binding.typeAnnotation?.type.trimmedDescription
        let found = value(source, before, as: type)
        isTrue = found == .null ? false : found.mayBeNil == false ? true : nil
        let outer = before.types[source.localName ?? ""]
        decision.inside.bind([name.identifierText: found.unwrapped], in: binding)
        decision.inside.types[name.identifierText] = (type ?? outer)?.unwrappedOnce
      case .matchingPattern(let match):
        decision.inside = observed(Syntax(match.initializer.value), before)
        let fit = fit(match.pattern, value(match.initializer.value, before), before)
        isTrue = fit.isFitting
        decision.inside.bind(fit.bound, in: match.pattern)
      case .availability: break
      }
      if isTrue == nil {
        let words = element.trimmedDescription.words
        decision.words.formUnion(words)
        decision.inside[keyPath: asks].formUnion(words)
        decision.outside[keyPath: asks].formUnion(words)
      }
      decision.isTrue = isTrue == false ? false : isTrue == nil ? nil : decision.isTrue
    }
    return decision
  }

  // MARK: switches

  func choice(_ choice: SwitchExprSyntax, _ state: PathState, _ returns: Returns, _ givesValue: Bool) -> Outcome {
    let state = observed(Syntax(choice.subject), state)
    guard let cases = state.unit.cases(of: choice) else {
      returns.values.append(.unknown("`switch` with `#if` or `fallthrough` in \(state.place(of: choice))"))
      return Outcome(next: unread(Syntax(choice), state, returns))
    }
    let reached = branches(choice, cases, state)
    let words = reached.count == 1 ? [] : choice.subject.trimmedDescription.words
    let outcomes = reached.sorted { $0.key < $1.key }.map { number, bounds in
      let one = cases.all[number]
      let names = Set(one.label.patternNames)
      var inside = state
      inside.bind(
        names.reduce(into: [:]) { bound, name in
          bound[name] = .either(bounds.map { $0[name] ?? .unknown("a part of a pattern") })
        }, in: one.label)
      for clause in (one.items.map(Array.init) ?? []).compactMap(\.whereClause) {
        inside = observed(Syntax(clause.condition), inside)
        inside.asked.formUnion(clause.condition.trimmedDescription.words)
      }
      inside.asked.formUnion(words)
      var outcome = block(one.statements, inside, returns, givesValue: givesValue)
      outcome.restore(names, from: state)
      return Outcome(next: .joined((outcome.next.map { [$0] } ?? []) + outcome.broken))
    }
    return .joined(outcomes, words: words, before: state)
  }

  /// The possible subjects of a `switch`.
  private func subjects(of choice: SwitchExprSyntax, _ state: PathState) -> [Value] {
    let subject = value(choice.subject, state)
    // The caller decides: each case is an alternative.
    if case .parameter(_, let type) = subject,
      let declared = types.named(type.withoutOptional.trimmingTypeWords, state)
    {
      return types.expanded(.instance(declared)) + (type.isOptionalType ? [.null] : [])
    }
    return subject.alternatives.flatMap(types.expanded)
  }

  /// The branches that a `switch` can take, by number, each with the names that its pattern binds for each subject.
  private func branches(
    _ choice: SwitchExprSyntax, _ cases: SwitchCases, _ state: PathState
  ) -> [Int: [[String: Value]]] {
    var reached: [Int: [[String: Value]]] = [:]
    for subject in subjects(of: choice, state) {
      if case .enumCase(_, let name, let fields) = subject, let (number, pattern) = cases.plain[name] {
        let fit = fields.isEmpty ? Fit(isFitting: true) : fit(pattern, subject, state)
        if fit.isFitting == true {
          reached[number, default: []].append(fit.bound)
          continue
        }
      }
      search: for (number, one) in cases.all.enumerated() {
        // `default` is always last.
        guard let items = one.items, resolver.effort.take() else {
          reached[number, default: []].append([:])
          break
        }
        for item in items {
          let fit = fit(item.pattern, subject, state)
          if fit.isFitting == false { continue }
          reached[number, default: []].append(fit.bound)
          if fit.isFitting == true, item.whereClause == nil { break search }
        }
      }
    }
    return reached
  }

  // MARK: patterns

  private func fit(_ pattern: PatternSyntax, _ value: Value, _ state: PathState) -> Fit {
    switch pattern.as(PatternSyntaxEnum.self) {
    case .wildcardPattern: Fit(isFitting: true)
    case .identifierPattern(let name): Fit(isFitting: true, bound: [name.identifier.identifierText: value])
    case .valueBindingPattern(let binding): fit(binding.pattern, value, state)
    case .expressionPattern(let inner): fit(inner.expression, value, state)
    default: pattern.openFit
    }
  }

  private func fit(_ expression: ExprSyntax, _ value: Value, _ state: PathState) -> Fit {
    if let inner = expression.as(PatternExprSyntax.self) { return fit(inner.pattern, value, state) }
    if expression.is(DiscardAssignmentExprSyntax.self) { return Fit(isFitting: true) }
    if let chained = expression.as(OptionalChainingExprSyntax.self) {
      if value == .null { return Fit(isFitting: false) }
      let inner = fit(chained.expression, value.unwrapped, state)
      return value.mayBeNil == false || inner.isFitting == false ? inner : expression.openFit
    }
    if let name = expression.caseName { return fit(expression, caseName: name, value, state) }
    guard index.functions("~=").isEmpty else { return expression.openFit }
    switch (value, self.value(expression, state, as: types.type(of: value, state)?.path)) {
    case (.text(let one), .text(let other)): return Fit(isFitting: one == other)
    case (.literal(let one), .literal(let other)):
      return Fit(isFitting: one == other ? true : one == .null || other == .null ? false : nil)
    case (_, .literal(.null)) where value.mayBeNil == false: return Fit(isFitting: false)
    case (.literal(.null), .text): return Fit(isFitting: false)
    default: return expression.openFit
    }
  }

  private func fit(_ expression: ExprSyntax, caseName name: String, _ value: Value, _ state: PathState) -> Fit {
    if let type = types.type(of: value, state), !index.cases(of: type).contains(where: { index[$0].name == name }) {
      return expression.openFit
    }
    guard case .enumCase(_, let own, let fields) = value else {
      return value == .null && name != "none" ? Fit(isFitting: false) : expression.openFit
    }
    if own != name { return Fit(isFitting: false) }
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return Fit(isFitting: true) }
    // One name for several values is a tuple.
    guard call.arguments.count == fields.count else { return Fit(isFitting: true, bound: expression.openFit.bound) }
    var all = Fit(isFitting: true)
    for (argument, field) in zip(call.arguments, fields) {
      let one = fit(argument.expression, field.value, state)
      if one.isFitting == false { return one }
      if one.isFitting == nil { all.isFitting = nil }
      all.bound.merge(one.bound) { $1 }
    }
    return all
  }
}

extension SwitchCaseSyntax {
  /// `nil` of `default`.
  fileprivate var items: SwitchCaseItemListSyntax? { label.as(SwitchCaseLabelSyntax.self)?.caseItems }
}

/// The cases of a `switch`.
struct SwitchCases {
  let all: [SwitchCaseSyntax]
  /// The branch that each enum case certainly takes, if no other pattern stands before it.
  private(set) var plain: [String: (number: Int, pattern: PatternSyntax)] = [:]

  /// `nil` if it has `#if` or `fallthrough`.
  init?(_ choice: SwitchExprSyntax) {
    all = choice.cases.compactMap { if case .switchCase(let one) = $0 { one } else { nil } }
    guard all.count == choice.cases.count, choice.all(FallThroughStmtSyntax.self).isEmpty else { return nil }
    for (number, one) in all.enumerated() {
      for item in one.items.map(Array.init) ?? [] {
        guard item.whereClause == nil, let name = item.pattern.plainCase else { return }
        if plain[name] == nil { plain[name] = (number, item.pattern) }
      }
    }
  }
}

extension PatternSyntax {
  /// The case that the pattern matches with any associated values.
  fileprivate var plainCase: String? {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.plainCase }
    guard let expression = self.as(ExpressionPatternSyntax.self)?.expression, let name = expression.caseName else {
      return nil
    }
    let isPlain = expression.as(FunctionCallExprSyntax.self)?.arguments.allSatisfy { argument in
      argument.expression.is(DiscardAssignmentExprSyntax.self)
        || argument.expression.as(PatternExprSyntax.self)?.pattern.isName == true
    }
    return isPlain == false ? nil : name
  }

  private var isName: Bool {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.isName }
    return self.is(IdentifierPatternSyntax.self) || self.is(WildcardPatternSyntax.self)
  }
}

extension SyntaxProtocol {
  /// The names that a pattern binds.
  var patternNames: [String] { all(IdentifierPatternSyntax.self).map(\.identifier.identifierText) }

  /// An unknown result.
  fileprivate var openFit: Fit {
    Fit(bound: patternNames.reduce(into: [:]) { $0[$1] = .unknown("a part of a pattern") })
  }
}

extension Syntax {
  /// The names that patterns in it bind as variables.
  var variableNames: [String] {
    let patterns = all(ValueBindingPatternSyntax.self).filter { $0.bindingSpecifier.text == "var" }
    let bindings = all(OptionalBindingConditionSyntax.self).filter { $0.bindingSpecifier.text == "var" }
    return patterns.flatMap(\.pattern.patternNames) + bindings.flatMap(\.pattern.patternNames)
  }
}

extension ExprSyntax {
  /// `.x`, `T.x` or `.x(…)` in a pattern.
  fileprivate var caseName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
    }
    guard let access = self.as(MemberAccessExprSyntax.self), access.base?.isTypeName != false else { return nil }
    return access.declName.baseName.identifierText
  }
}
