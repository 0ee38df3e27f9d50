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

extension Resolver {
  func choice(
    _ choice: IfExprSyntax, _ context: Context, _ state: PathState, _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    let decision = decide(choice.conditions, context, state)
    var outcomes: [Outcome] = []
    if decision.isTrue != false {
      var inside = block(choice.body.statements, context, decision.inside, returns, givesValue: givesValue)
      inside.restore(Set(choice.conditions.patternNames), from: decision.outside)
      outcomes.append(inside)
    }
    if decision.isTrue != true {
      switch choice.elseBody {
      case .codeBlock(let body)?:
        outcomes.append(block(body.statements, context, decision.outside, returns, givesValue: givesValue))
      case .ifExpr(let inner)?: outcomes.append(self.choice(inner, context, decision.outside, returns, givesValue))
      case nil: outcomes.append(Outcome(next: decision.outside))
      }
    }
    return .joined(outcomes, words: decision.words, before: state)
  }

  /// Evaluates conditions, one after the other.
  func decide(_ conditions: ConditionElementListSyntax, _ context: Context, _ state: PathState) -> Decision {
    var decision = Decision(inside: state, outside: losing(Syntax(conditions), context, state))
    for element in conditions where decision.isTrue != false {
      let inside = decision.inside
      var isTrue: Bool?
      var isBinding = false
      switch element.condition {
      case .expression(let expression):
        decision.inside = observed(Syntax(expression), context, inside)
        isTrue = truth(of: expression, context, inside)
      case .optionalBinding(let binding):
        isBinding = true
        if let value = binding.initializer?.value { decision.inside = observed(Syntax(value), context, inside) }
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { break }
        let source = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: name))
        let type = binding.typeAnnotation?.type.trimmedDescription
        let found = value(source, context, inside, expected: type)
        isTrue = found == .null ? false : found.mayBeNil == false ? true : nil
        let outer = inside.types[source.localName ?? ""]
        decision.inside.bind(
          [name.identifierText: found.unwrapped], isVariable: binding.bindingSpecifier.text == "var")
        decision.inside.types[name.identifierText] = (type ?? outer)?.unwrappedOnce
      case .matchingPattern(let match):
        decision.inside = observed(Syntax(match.initializer.value), context, inside)
        let fit = fit(match.pattern, value(match.initializer.value, context, inside), context, inside)
        isTrue = fit.isFitting
        decision.inside.bind(fit.bound, isVariable: !Syntax(match.pattern).variableNames.isEmpty)
      case .availability: break
      }
      if isTrue == nil {
        let words = element.trimmedDescription.words
        decision.words.formUnion(words)
        if isBinding {
          decision.inside.unwrapped.formUnion(words)
          decision.outside.unwrapped.formUnion(words)
        } else {
          decision.inside.asked.formUnion(words)
          decision.outside.asked.formUnion(words)
        }
      }
      decision.isTrue = isTrue == false ? false : isTrue == nil ? nil : decision.isTrue
    }
    return decision
  }

  /// Whether a condition holds; `nil` if that is not known.
  func truth(of condition: ExprSyntax, _ context: Context, _ state: PathState) -> Bool? {
    func truth(_ inner: ExprSyntax) -> Bool? { self.truth(of: inner, context, state) }
    switch condition.as(ExprSyntaxEnum.self) {
    case .tupleExpr(let tuple) where tuple.elements.count == 1:
      return tuple.elements.first.flatMap { truth($0.expression) }
    case .prefixOperatorExpr(let prefix) where prefix.operator.text == "!": return truth(prefix.expression).map { !$0 }
    case .infixOperatorExpr(let infix):
      let (left, right) = (infix.leftOperand, infix.rightOperand)
      switch infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
      case "&&"?:
        let sides = [truth(left), truth(right)]
        return sides.contains(false) ? false : sides.contains(nil) ? nil : true
      case "||"?:
        let sides = [truth(left), truth(right)]
        return sides.contains(true) ? true : sides.contains(nil) ? nil : false
      case "=="?: return isEqual(left, right, context, state)
      case "!="?: return isEqual(left, right, context, state).map { !$0 }
      default: return nil
      }
    case .declReferenceExpr, .memberAccessExpr, .booleanLiteralExpr:
      if case .literal(.bool(let flag)) = value(condition, context, state) { return flag }
      return nil
    default: return nil
    }
  }

  private func isEqual(_ left: ExprSyntax, _ right: ExprSyntax, _ context: Context, _ state: PathState) -> Bool? {
    let one = value(left, context, state)
    let other = value(right, context, state, expected: type(of: one, in: context)?.path)
    return isOwnEquality([one, other], context) ? nil : one.isEqual(to: other)
  }
}

extension ExprSyntax {
  /// A plain name.
  var localName: String? { self.as(DeclReferenceExprSyntax.self)?.baseName.identifierText }
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

// MARK: - Switches

/// The cases of a `switch`, and the branch of each enum case with a plain pattern.
struct SwitchTable {
  let cases: [SwitchCaseSyntax]
  private var places: [String: (number: Int, pattern: PatternSyntax)] = [:]
  /// The first case with any other pattern.
  private var firstOther: Int

  /// `nil` if the `switch` contains `#if`.
  init?(_ choice: SwitchExprSyntax) {
    cases = choice.cases.compactMap { if case .switchCase(let one) = $0 { one } else { nil } }
    firstOther = cases.count
    guard cases.count == choice.cases.count else { return nil }
    for (number, one) in cases.enumerated() {
      guard let items = one.items else {
        firstOther = min(firstOther, number)
        continue
      }
      for item in items {
        guard item.whereClause == nil, let name = item.pattern.plainCase else {
          firstOther = min(firstOther, number)
          continue
        }
        if places[name] == nil { places[name] = (number, item.pattern) }
      }
    }
  }

  /// The branch that an enum value certainly takes.
  func place(_ name: String) -> (number: Int, pattern: PatternSyntax)? {
    places[name].flatMap { $0.number < firstOther ? $0 : nil }
  }
}

extension Resolver {
  func choice(
    _ choice: SwitchExprSyntax, _ context: Context, _ state: PathState, _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    let state = observed(Syntax(choice.subject), context, state)
    let notes = context.unit.notes
    guard let table = notes.switches[choice.id] ?? SwitchTable(choice) else {
      returns.values.append(.unknown("`switch` with `#if` in \(context.place(of: choice))"))
      return Outcome(next: losing(Syntax(choice), context, state))
    }
    notes.switches[choice.id] = table
    let subjects = subjects(of: choice, context, state)
    let reached = branches(table, subjects, context, state)
    let isDecided = reached.count == 1
    let words = isDecided ? [] : choice.subject.trimmedDescription.words
    var (outcomes, fallen): ([Outcome], PathState?) = ([], nil)
    for (number, one) in table.cases.enumerated() {
      let names = Set(one.label.patternNames)
      var arriving = fallen.map { [$0] } ?? []
      if let bounds = reached[number] {
        var inside = state
        inside.bind(
          names.reduce(into: [:]) { bound, name in
            bound[name] = .either(bounds.map { $0[name] ?? .unknown("a part of a pattern") })
          }, isVariable: !Syntax(one.label).variableNames.isEmpty)
        if let items = one.items {
          for clause in items.compactMap(\.whereClause) {
            inside = observed(Syntax(clause.condition), context, inside)
            inside.asked.formUnion(clause.condition.trimmedDescription.words)
          }
        }
        inside.asked.formUnion(words)
        arriving.append(inside)
      }
      fallen = nil
      guard let inside = PathState.joined(arriving) else { continue }
      var outcome = block(one.statements, context, inside, returns, givesValue: givesValue)
      outcome.restore(names, from: state)
      fallen = outcome.fallen
      outcomes.append(Outcome(next: .joined((outcome.next.map { [$0] } ?? []) + outcome.broken)))
    }
    return .joined(outcomes, words: words, before: state)
  }

  /// The possible subjects of a `switch`.
  private func subjects(of choice: SwitchExprSyntax, _ context: Context, _ state: PathState) -> [Value] {
    let subject = value(choice.subject, context, state)
    // The caller decides: each case is an alternative.
    if case .parameter(_, let type) = subject,
      let declared = index.type(type.withoutOptional.trimmingTypeWords, in: context.owner, file: context.unit.file)
    {
      return expanded(.instance(declared)) + (type.isOptionalType ? [.null] : [])
    }
    return subject.alternatives.flatMap(expanded)
  }

  /// The branches that a `switch` can take, by number, each with the names that its pattern binds for each subject.
  private func branches(
    _ table: SwitchTable, _ subjects: [Value], _ context: Context, _ state: PathState
  ) -> [Int: [[String: Value]]] {
    var reached: [Int: [[String: Value]]] = [:]
    for subject in subjects {
      if case .enumCase(_, let name, let fields) = subject, let place = table.place(name) {
        let fit = fields.isEmpty ? Fit(isFitting: true) : fit(place.pattern, subject, context, state)
        if fit.isFitting == true {
          reached[place.number, default: []].append(fit.bound)
          continue
        }
      }
      search: for (number, one) in table.cases.enumerated() {
        // `default` is always last.
        guard let items = one.items, effort.take() else {
          reached[number, default: []].append([:])
          break
        }
        for item in items {
          let fit = fit(item.pattern, subject, context, state)
          if fit.isFitting == false { continue }
          reached[number, default: []].append(fit.bound)
          if fit.isFitting == true, item.whereClause == nil { break search }
        }
      }
    }
    return reached
  }
}

extension SwitchCaseSyntax {
  /// `nil` of `default`.
  var items: SwitchCaseItemListSyntax? { label.as(SwitchCaseLabelSyntax.self)?.caseItems }
}
