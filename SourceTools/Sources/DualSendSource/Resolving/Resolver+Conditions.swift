import DualSendCore
import DualSendInventory
import SwiftSyntax

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
}

extension ExprSyntax {
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
