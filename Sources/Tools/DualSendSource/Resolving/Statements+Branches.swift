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
    return joined(outcomes, words: decision.words, before: state)
  }

  /// Evaluates conditions, one after the other.
  func decide(_ conditions: ConditionElementListSyntax, _ state: PathState) -> Decision {
    var decision = Decision(inside: state, outside: state)
    for element in conditions where decision.isTrue != false {
      let before = decision.inside
      var isTrue: Bool?
      var asks: WritableKeyPath<PathState, Set<String>> = \.asked
      switch element.condition {
      case .expression(let expression):
        observed(Syntax(expression), before)
        isTrue = resolver.values.truth(of: expression, before)
      case .optionalBinding(let binding):
        asks = \.unwrapped
        if let value = binding.initializer?.value { observed(Syntax(value), before) }
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { break }
        let source = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: name))
        let type = binding.typeAnnotation?.type.trimmedDescription
        let found = value(source, before, as: type)
        isTrue = found == .null ? false : found.mayBeNil == false ? true : nil
        let outer = before.types[source.localName ?? ""]
        decision.inside.bind([name.identifierText: found.unwrapped], in: binding)
        decision.inside.types[name.identifierText] = (type ?? outer)?.unwrappedOnce
      case .matchingPattern(let match):
        observed(Syntax(match.initializer.value), before)
        let parts = match.pattern.patternNames.map { ($0, Value.unknown("a part of a pattern")) }
        decision.inside.bind(Dictionary(parts) { $1 }, in: match.pattern)
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
    observed(Syntax(choice.subject), state)
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
        observed(Syntax(clause.condition), inside)
        inside.asked.formUnion(clause.condition.trimmedDescription.words)
      }
      inside.asked.formUnion(words)
      var outcome = block(one.statements, inside, returns, givesValue: givesValue)
      outcome.restore(names, from: state)
      return Outcome(next: .joined((outcome.next.map { [$0] } ?? []) + outcome.broken))
    }
    return joined(outcomes, words: words, before: state)
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
      if let one = cases.branch(of: subject, index) {
        reached[one.number, default: []].append(one.pattern?.bound(to: subject) ?? [:])
      } else {
        for number in cases.all.indices { reached[number, default: []].append([:]) }
      }
    }
    return reached
  }
}

/// The cases of a `switch`.
final class SwitchCases {
  let all: [SwitchCaseSyntax]
  /// The branch of each pattern of a case of an enum, up to the first pattern of another form.
  private var plain: [String: (number: Int, pattern: CasePattern)] = [:]
  /// Whether only `default` stands behind these patterns.
  private var isPlain = true
  /// Whether the patterns are cases of a type, and not static members.
  private var areCases: [TypeReference: Bool] = [:]

  /// `nil` if it has `#if` or `fallthrough`.
  init?(_ choice: SwitchExprSyntax) {
    all = choice.cases.compactMap { if case .switchCase(let one) = $0 { one } else { nil } }
    guard all.count == choice.cases.count, choice.all(FallThroughStmtSyntax.self).isEmpty else { return nil }
    for (number, one) in all.enumerated() {
      for item in one.items.map(Array.init) ?? [] {
        guard item.whereClause == nil, let pattern = CasePattern(item.pattern) else {
          isPlain = false
          return
        }
        if plain[pattern.name] == nil { plain[pattern.name] = (number, pattern) }
      }
    }
  }

  /// The one branch that a value takes; `nil` if several are possible.
  func branch(of value: Value, _ index: DeclarationIndex) -> (number: Int, pattern: CasePattern?)? {
    guard case .enumCase(let type, let name, _) = value else {
      return value == .null ? branch(of: CasePattern.nilName) : nil
    }
    if areCases[type] == nil {
      let known = Set(index.cases(of: type).map { index[$0].name } + [CasePattern.nilName])
      areCases[type] = known.isSuperset(of: plain.keys)
    }
    return areCases[type] == true ? branch(of: name) : nil
  }

  private func branch(of name: String) -> (number: Int, pattern: CasePattern?)? {
    if let found = plain[name] { return (found.number, found.pattern) }
    return isPlain && all.last?.items == nil ? (all.count - 1, nil) : nil
  }
}

/// A pattern of a case of an enum: `.x`, `T.x`, `.x(let a, _)`, `let .x(a, b)`, `.x?`, or `nil`.
struct CasePattern {
  let name: String
  /// The names for the associated values; `_` for none.
  private let names: [String]

  static let nilName = "nil"

  init?(_ pattern: PatternSyntax) {
    let inner = pattern.as(ValueBindingPatternSyntax.self)?.pattern ?? pattern
    guard let whole = inner.as(ExpressionPatternSyntax.self)?.expression else { return nil }
    let expression = whole.as(OptionalChainingExprSyntax.self)?.expression ?? whole
    let call = expression.as(FunctionCallExprSyntax.self)
    let parts = call?.arguments.map { Self.name(of: $0.expression) } ?? []
    if expression.is(NilLiteralExprSyntax.self) {
      name = Self.nilName
    } else if let access = (call?.calledExpression ?? expression).as(MemberAccessExprSyntax.self),
      access.base?.isTypeName != false
    {
      name = access.declName.baseName.identifierText
    } else {
      return nil
    }
    if parts.contains(nil) { return nil }
    names = parts.compactMap { $0 }
  }

  /// The name of a part; `nil` for one that is a pattern itself.
  private static func name(of part: ExprSyntax) -> String? {
    if part.is(DiscardAssignmentExprSyntax.self) { return "_" }
    let pattern = part.as(PatternExprSyntax.self)?.pattern
    let inner = pattern?.as(ValueBindingPatternSyntax.self)?.pattern ?? pattern
    return inner?.as(IdentifierPatternSyntax.self)?.identifier.identifierText
      ?? (inner?.is(WildcardPatternSyntax.self) == true ? "_" : nil)
  }

  /// The names with the associated values of a value of this case.
  func bound(to value: Value) -> [String: Value] {
    guard case .enumCase(_, _, let fields) = value else { return [:] }
    // One name for several values is a tuple.
    let values = names.count == fields.count ? fields.map(\.value) : names.map { _ in .unknown("a part of a pattern") }
    return zip(names, values).reduce(into: [:]) { if $1.0 != "_" { $0[$1.0] = $1.1 } }
  }
}

extension SwitchCaseSyntax {
  /// `nil` of `default`.
  fileprivate var items: SwitchCaseItemListSyntax? { label.as(SwitchCaseLabelSyntax.self)?.caseItems }
}

extension SyntaxProtocol {
  /// The names that a pattern binds.
  var patternNames: [String] { all(IdentifierPatternSyntax.self).map(\.identifier.identifierText) }
}
