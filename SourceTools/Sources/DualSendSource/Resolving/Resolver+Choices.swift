import DualSendCore
import DualSendInventory
import SwiftSyntax

/// Where in a `switch` over an enum each case is taken, as far as plain patterns say.
struct SwitchTable {
  var places: [String: Int] = [:]
  /// The first case with any other pattern.
  var firstOther = 0
}

extension Resolver {
  func choice(
    _ choice: IfExprSyntax, _ context: Context, _ worlds: [World], _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    let (bound, scope) = (choice.conditions.boundNames, "\(choice.position.utf8Offset)?")
    let (yes, no) = ways(choice.conditions, context, worlds.each { $0.open(scope, bound) })
    var outcome = block(choice.body.statements, context, yes, returns, givesValue: givesValue)
    outcome.next = outcome.next.each { $0.close(scope, bound) }
    outcome.broken = outcome.broken.each { $0.close(scope, bound) }
    outcome.fallen = outcome.fallen.each { $0.close(scope, bound) }
    let others = no.each { $0.close(scope, bound) }
    switch choice.elseBody {
    case .codeBlock(let block)?:
      outcome.add(self.block(block.statements, context, others, returns, givesValue: givesValue))
    case .ifExpr(let inner)?: outcome.add(self.choice(inner, context, others, returns, givesValue))
    case nil: outcome.next += others
    }
    return outcome
  }

  // MARK: conditions

  /// The ways on which conditions hold, and those on which one does not.
  func ways(
    _ conditions: ConditionElementListSyntax, _ context: Context, _ worlds: [World]
  ) -> (yes: [World], no: [World]) {
    var (yes, no): ([World], [World]) = (worlds, [])
    for element in conditions {
      let step: (yes: [World], no: [World])
      switch element.condition {
      case .expression(let expression): step = ways(expression, context, yes)
      case .optionalBinding(let binding):
        let value = binding.initializer?.value
        if let value { yes = told(Syntax(value), context, yes) }
        step = ways(binding, context, yes)
      case .matchingPattern(let match):
        yes = told(Syntax(match.initializer.value), context, yes)
        step = matched(match, context, yes)
      case .availability: step = undecided(element.condition.trimmedDescription, yes)
      }
      yes = step.yes.bounded
      no += step.no
    }
    return (yes, no.bounded)
  }

  func ways(_ condition: ExprSyntax, _ context: Context, _ worlds: [World]) -> (yes: [World], no: [World]) {
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return ways(only.expression, context, worlds)
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      let (yes, no) = ways(prefix.expression, context, worlds)
      return (no, yes)
    }
    if let infix = condition.as(InfixOperatorExprSyntax.self),
      let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
    {
      switch name {
      case "&&":
        let left = ways(infix.leftOperand, context, worlds)
        let right = ways(infix.rightOperand, context, left.yes)
        return (right.yes, left.no + right.no)
      case "||":
        let left = ways(infix.leftOperand, context, worlds)
        let right = ways(infix.rightOperand, context, left.no)
        return (left.yes + right.yes, right.no)
      case "==", "!=":
        let (yes, no) = compared(infix, context, worlds)
        return name == "==" ? (yes, no) : (no, yes)
      default: break
      }
    }
    let after = told(Syntax(condition), context, worlds)
    if let flag = condition.as(BooleanLiteralExprSyntax.self) {
      return flag.literal.text == "true" ? (after, []) : ([], after)
    }
    var (yes, no): ([World], [World]) = ([], [])
    for world in after {
      let found = condition.isPlainPlace ? value(condition, context, world) : .unknown("")
      switch found {
      case .literal(.bool(true)): yes.append(world)
      case .literal(.bool(false)): no.append(world)
      default:
        let step = undecided(condition.trimmedDescription, [world], isSure: isFixed(condition, context, world))
        yes += step.yes
        no += step.no
      }
    }
    return (yes, no)
  }

  /// A condition of which nothing is known: decided as it was before, or on both ways.
  private func undecided(_ text: String, _ worlds: [World], isSure: Bool = true) -> (yes: [World], no: [World]) {
    var (yes, no): ([World], [World]) = ([], [])
    for world in worlds {
      if isSure, let fact = world.facts[text] {
        if fact { yes.append(world) } else { no.append(world) }
        continue
      }
      var world = world
      world.ask(text)
      var (one, other) = (world, world)
      if isSure { (one.facts[text], other.facts[text]) = (true, false) }
      yes.append(one)
      no.append(other)
    }
    return (yes, no)
  }

  /// Whether it names what is the same each time that it is read.
  private func isFixed(_ expression: ExprSyntax, _ context: Context, _ world: World) -> Bool {
    guard let name = expression.localName ?? expression.ownName else { return false }
    if expression.localName != nil, world.locals[name] != nil { return true }
    guard let type = index.type(context.owner, in: "", file: context.unit.file) else { return false }
    let own = index.members(name, of: type, file: context.unit.file)
    return own.count == 1 && own.allSatisfy { index[$0].kind == .property && index[$0].isConstant }
  }

  /// `a == b`.
  private func compared(
    _ infix: InfixOperatorExprSyntax, _ context: Context, _ worlds: [World]
  ) -> (yes: [World], no: [World]) {
    let after = told(Syntax(infix), context, worlds)
    var (yes, no): ([World], [World]) = ([], [])
    for world in after {
      let left = value(infix.leftOperand, context, world)
      let type = self.type(of: left, in: context)?.path
      let right = value(infix.rightOperand, context, world, expected: type)
      let decided: Bool? =
        switch (left, right) {
        case (.text(let one, _), .text(let other, _)): one == other
        case (.enumCase(_, let one, let fields), .enumCase(_, let other, let others))
        where fields.isEmpty && others.isEmpty:
          one == other
        case (.literal(.null), .literal(.null)): true
        case (_, .literal(.null)) where left.mayBeNil == false: false
        case (.literal(let one), .literal(let other)): one == other
        default: nil
        }
      switch decided {
      case true?: yes.append(world)
      case false?: no.append(world)
      case nil:
        let isSure =
          isFixed(infix.leftOperand, context, world)
          && (isFixed(infix.rightOperand, context, world) || infix.rightOperand.isLiteral)
        let text = infix.leftOperand.trimmedDescription + " == " + infix.rightOperand.trimmedDescription
        var step = undecided(text, [world], isSure: isSure)
        if right == .null, let name = infix.leftOperand.localName, world.locals[name] != nil {
          step.yes = step.yes.each { $0.locals[name] = .null }
          step.no = step.no.each { $0.locals[name] = left.unwrapped }
        }
        yes += step.yes
        no += step.no
      }
    }
    return (yes, no)
  }

  /// `if let x = y`.
  private func ways(
    _ binding: OptionalBindingConditionSyntax, _ context: Context, _ worlds: [World]
  ) -> (yes: [World], no: [World]) {
    let names = binding.pattern.names
    let source =
      binding.initializer?.value ?? names.first.map { ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier($0))) }
    guard let source, names.count == 1, let name = names.first else {
      return undecided(binding.trimmedDescription, worlds, isSure: false)
    }
    let type = binding.typeAnnotation?.type.trimmedDescription
    var (yes, no): ([World], [World]) = ([], [])
    for world in worlds {
      let found = value(source, context, world, expected: type)
      func bind(_ world: World) -> World {
        var world = world
        if let local = source.localName, world.locals[local] != nil { world.locals[local] = found.unwrapped }
        world.loose.remove(name)
        world.set(name, found.unwrapped)
        world.types[name] = world.types[source.localName ?? ""]?.withoutOptional
        return world
      }
      switch found.mayBeNil {
      case false?: yes.append(bind(world))
      case _ where found == .null: no.append(world)
      default:
        let step = undecided("let " + source.trimmedDescription, [world], isSure: isFixed(source, context, world))
        yes += step.yes.map(bind)
        no += step.no.each { world in
          if let local = source.localName, world.locals[local] != nil { world.locals[local] = .null }
        }
      }
    }
    return (yes, no)
  }

  /// `if case … = x`.
  private func matched(
    _ match: MatchingPatternConditionSyntax, _ context: Context, _ worlds: [World]
  ) -> (yes: [World], no: [World]) {
    var (yes, no): ([World], [World]) = ([], [])
    for world in worlds {
      let subject = value(match.initializer.value, context, world)
      switch self.match(match.pattern, subject, context, world) {
      case .yes(let bound): yes.append(world.binding(bound))
      case .no: no.append(world)
      case .maybe(let bound):
        let step = undecided(match.trimmedDescription, [world], isSure: false)
        yes += step.yes.map { $0.binding(bound) }
        no += step.no
      }
    }
    return (yes, no)
  }

  // MARK: switch

  func choice(
    _ choice: SwitchExprSyntax, _ context: Context, _ worlds: [World], _ returns: Returns, _ givesValue: Bool
  ) -> Outcome {
    var outcome = Outcome()
    let worlds = told(Syntax(choice.subject), context, worlds)
    let cases = choice.cases.compactMap { one -> SwitchCaseSyntax? in
      if case .switchCase(let one) = one { one } else { nil }
    }
    guard cases.count == choice.cases.count else {
      return Outcome(next: worlds.each { $0.lose(self.mutated(Syntax(choice))) })
    }
    let name = choice.subject.localName
    let table = self.table(choice, cases, context)
    let scope = "\(choice.position.utf8Offset)?"
    // Ways that lead to the same case with the same knowledge are followed together.
    var reached: [Int: [World]] = [:]
    for world in worlds {
      let subject = value(choice.subject, context, world)
      var alternatives = subject.alternatives.flatMap(expanded)
      // A caller's choice: each case is one.
      if case .parameter(_, let type) = subject,
        let declared = index.type(type.withoutOptional.trimmingTypeWords, in: context.owner, file: context.unit.file)
      {
        alternatives = expanded(.instance(declared)) + (type.isOptionalType ? [.null] : [])
      }
      let isSplit = alternatives.count > 1
      for one in alternatives {
        var world = world
        if isSplit {
          world.ask(choice.subject.trimmedDescription)
          if let name, name != "self" || !subject.isCallers, world.locals[name] != nil { world.locals[name] = one }
        }
        lead(world, one, cases, table, context, scope, choice.subject) { reached[$0, default: []].append($1) }
      }
    }
    var fallen: [World] = []
    for (number, one) in cases.enumerated() {
      let arriving = (reached[number] ?? []) + fallen
      fallen = []
      guard !arriving.isEmpty else { continue }
      let names = Set(one.items.flatMap(\.pattern.names))
      let step = block(one.statements, context, arriving.bounded, returns, givesValue: givesValue)
      outcome.next += (step.next + step.broken).each { $0.close(scope, names) }
      fallen = step.fallen
    }
    outcome.next += reached[-1] ?? []
    return outcome
  }

  /// Finds the cases that a value may lead to.
  private func lead(
    _ world: World, _ subject: Value, _ cases: [SwitchCaseSyntax], _ table: SwitchTable, _ context: Context,
    _ scope: String, _ expression: ExprSyntax, _ reach: (Int, World) -> Void
  ) {
    if case .enumCase(_, let name, let fields) = subject, let place = table.places[name], place < table.firstOther {
      if fields.isEmpty { return reach(place, world.entering(scope, cases[place], [:])) }
      for item in cases[place].items {
        if case .yes(let bound) = match(item.pattern, subject, context, world) {
          return reach(place, world.entering(scope, cases[place], bound))
        }
      }
    }
    var world = world
    var isAsked = false
    for (number, one) in cases.enumerated() {
      guard let label = one.label.as(SwitchCaseLabelSyntax.self) else {
        // `default` stands last.
        return reach(number, world.entering(scope, one, [:]))
      }
      for item in label.caseItems {
        let found = match(item.pattern, subject, context, world)
        switch found {
        case .no: continue
        case .yes(let bound) where item.whereClause == nil: return reach(number, world.entering(scope, one, bound))
        case .yes(let bound), .maybe(let bound):
          if !isAsked { world.ask(expression.trimmedDescription) }
          isAsked = true
          if let clause = item.whereClause { world.ask(clause.condition.trimmedDescription) }
          reach(number, world.entering(scope, one, bound))
        }
      }
    }
    reach(-1, world)
  }

  private func table(_ choice: SwitchExprSyntax, _ cases: [SwitchCaseSyntax], _ context: Context) -> SwitchTable {
    let origin = context.unit.origin(choice)
    let key = "\(origin.file):\(origin.range.lowerBound)"
    if let known = switches[key] { return known }
    var table = SwitchTable(firstOther: cases.count)
    for (number, one) in cases.enumerated() {
      let items = one.items
      for item in items {
        guard item.whereClause == nil, let name = item.pattern.plainCase else {
          table.firstOther = min(table.firstOther, number)
          continue
        }
        if table.places[name] == nil { table.places[name] = number }
      }
      if items.isEmpty { table.firstOther = min(table.firstOther, number) }
    }
    switches[key] = table
    return table
  }

  // MARK: patterns

  enum Match {
    case yes([String: Value])
    case no
    case maybe([String: Value])
  }

  /// Whether a value fits a pattern, and what the pattern's names are then.
  func match(_ pattern: PatternSyntax, _ value: Value, _ context: Context, _ world: World) -> Match {
    let open = Dictionary(uniqueKeysWithValues: Set(pattern.names).map { ($0, Value.unknown("a part of a pattern")) })
    switch pattern.as(PatternSyntaxEnum.self) {
    case .wildcardPattern: return .yes([:])
    case .identifierPattern(let name): return .yes([name.identifier.identifierText: value])
    case .valueBindingPattern(let binding): return match(binding.pattern, value, context, world)
    case .expressionPattern(let inner): return match(inner.expression, value, context, world, open)
    default: return .maybe(open)
    }
  }

  private func match(
    _ expression: ExprSyntax, _ value: Value, _ context: Context, _ world: World, _ open: [String: Value]
  ) -> Match {
    if let inner = expression.as(PatternExprSyntax.self) { return match(inner.pattern, value, context, world) }
    if expression.is(DiscardAssignmentExprSyntax.self) { return .yes([:]) }
    if let chained = expression.as(OptionalChainingExprSyntax.self) {
      if value == .null { return .no }
      let inner = match(chained.expression, value.unwrapped, context, world, open)
      if value.mayBeNil == false { return inner }
      if case .no = inner { return .no }
      return .maybe(open)
    }
    if let name = expression.caseName {
      guard case .enumCase(_, let own, let fields) = value else {
        return value == .null && name != "none" ? .no : .maybe(open)
      }
      if own != name { return .no }
      guard let call = expression.as(FunctionCallExprSyntax.self) else { return .yes([:]) }
      var bound: [String: Value] = [:]
      var isSure = call.arguments.count == fields.count || call.arguments.count == 1
      if call.arguments.count == 1, fields.count > 1, let only = call.arguments.first,
        only.expression.as(PatternExprSyntax.self)?.pattern.is(IdentifierPatternSyntax.self) == true
      {
        return .yes(open)
      }
      for (argument, field) in zip(call.arguments, fields) {
        switch match(
          PatternSyntax(ExpressionPatternSyntax(expression: argument.expression.detached)), field.value, context, world)
        {
        case .yes(let more): bound.merge(more) { $1 }
        case .no: return .no
        case .maybe(let more):
          bound.merge(more) { $1 }
          isSure = false
        }
      }
      return isSure ? .yes(bound) : .maybe(bound)
    }
    let wanted = self.value(expression, context, world, expected: type(of: value, in: context)?.path)
    switch (value, wanted) {
    case (.text(let one, _), .text(let other, _)): return one == other ? .yes([:]) : .no
    case (.literal(let one), .literal(let other)):
      return one == other ? .yes([:]) : one == .null || other == .null ? .no : .maybe([:])
    case (_, .literal(.null)) where value.mayBeNil == false: return .no
    case (.literal(.null), .text): return .no
    default: return .maybe(open)
    }
  }
}

extension World {
  /// Into a case, whose names may be those of others outside.
  func entering(_ scope: String, _ one: SwitchCaseSyntax, _ bound: [String: Value]) -> World {
    var world = self
    world.open(scope, Set(one.items.flatMap(\.pattern.names)))
    return world.binding(bound)
  }

  func binding(_ bound: [String: Value]) -> World {
    var world = self
    for (name, value) in bound {
      world.loose.remove(name)
      world.set(name, value)
    }
    return world
  }
}

extension SwitchCaseSyntax {
  var items: [SwitchCaseItemSyntax] {
    label.as(SwitchCaseLabelSyntax.self).map { Array($0.caseItems) } ?? []
  }
}

extension PatternSyntax {
  /// The case that it fits whatever is with it.
  fileprivate var plainCase: String? {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.plainCase }
    guard let expression = self.as(ExpressionPatternSyntax.self)?.expression, let name = expression.caseName else {
      return nil
    }
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return name }
    let isPlain = call.arguments.allSatisfy { argument in
      argument.expression.is(DiscardAssignmentExprSyntax.self)
        || argument.expression.as(PatternExprSyntax.self)?.pattern.isName == true
    }
    return isPlain ? name : nil
  }

  private var isName: Bool {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.isName }
    return self.is(IdentifierPatternSyntax.self) || self.is(WildcardPatternSyntax.self)
  }

  /// The names that it binds.
  var names: [String] {
    final class Finder: SyntaxVisitor {
      var names: [String] = []
      override func visitPost(_ node: IdentifierPatternSyntax) { names.append(node.identifier.identifierText) }
    }
    let finder = Finder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.names
  }
}

extension ExprSyntax {
  /// `.x`, `T.x` or `.x(…)` in a pattern.
  fileprivate var caseName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
    }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    if let base = access.base, base.dottedName?.split(separator: ".").last?.first?.isUppercase != true { return nil }
    return access.declName.baseName.identifierText
  }

  /// `self.x`.
  fileprivate var ownName: String? {
    guard let access = self.as(MemberAccessExprSyntax.self), access.base?.localName == "self" else { return nil }
    return access.declName.baseName.identifierText
  }

  /// A name by itself.
  var localName: String? { self.as(DeclReferenceExprSyntax.self)?.baseName.identifierText }

  /// Whether it only names something, so that it means the same as long as that is not changed.
  var isPlainPlace: Bool { dottedName != nil }

  fileprivate var isLiteral: Bool {
    self.is(StringLiteralExprSyntax.self) || self.is(IntegerLiteralExprSyntax.self)
      || self.is(NilLiteralExprSyntax.self)
      || self.is(BooleanLiteralExprSyntax.self) || self.as(MemberAccessExprSyntax.self)?.base == nil
  }
}
