import DualSendCore
import DualSendInventory
import SwiftSyntax

extension Resolver {
  /// `x = y` and `x += y`.
  func assign(_ infix: InfixOperatorExprSyntax, _ context: Context, _ worlds: [World]) -> [World] {
    let isPlain = infix.operator.is(AssignmentExprSyntax.self)
    let target = Place(infix.leftOperand)
    guard let target else { return worlds.each { $0.lose(infix.leftOperand.trimmedDescription.words) } }
    return worlds.flatMap { world -> [World] in
      if isPlain, target.steps.isEmpty, let choice = infix.rightOperand.as(TernaryExprSyntax.self) {
        let (yes, no) = ways(choice.condition, context, [world])
        return yes.map {
          self.set(target, value(choice.thenExpression, context, $0, expected: $0.types[target.name]), context, $0)
        }
          + no.map {
            self.set(target, value(choice.elseExpression, context, $0, expected: $0.types[target.name]), context, $0)
          }
      }
      if infix.rightOperand.is(IfExprSyntax.self) || infix.rightOperand.is(SwitchExprSyntax.self) {
        var world = world
        let found = value(infix.rightOperand, context, world, expected: world.types[target.name])
        world.lose(mutated(Syntax(infix.rightOperand)))
        return [set(target, found, context, world)]
      }
      let wanted = target.steps.isEmpty ? world.types[target.name] : nil
      let right = value(infix.rightOperand, context, world, expected: wanted)
      if isPlain { return [set(target, right, context, world)] }
      guard infix.operator.trimmedDescription == "+=", target.steps.isEmpty, let left = world.locals[target.name] else {
        return [set(target, .unknown("`\(target.name)` is changed"), context, world)]
      }
      switch (left, right) {
      case (.list(let one), .list(let other)): return [set(target, .list(one + other), context, world)]
      case (.text, _), (.pattern, _):
        return [set(target, .either(right.alternatives.map { joined(left, $0) }), context, world)]
      default: return [set(target, .unknown("`\(target.name)` is changed"), context, world)]
      }
    }
  }

  /// What is changed: a local, a part of it, or what stands under a key.
  struct Place {
    enum Step {
      case member(String)
      case key(ExprSyntax)
    }

    let name: String
    var steps: [Step] = []

    init?(_ expression: ExprSyntax) {
      if let name = expression.localName {
        self.name = name
      } else if let access = expression.as(MemberAccessExprSyntax.self), let base = access.base {
        let member = access.declName.baseName.identifierText
        if base.localName == "self" {
          name = "self." + member
        } else {
          guard let inner = Place(base) else { return nil }
          self = inner
          steps.append(.member(member))
        }
      } else if let call = expression.as(SubscriptCallExprSyntax.self), call.arguments.count == 1,
        let key = call.arguments.first, key.label == nil, let inner = Place(call.calledExpression)
      {
        self = inner
        steps.append(.key(key.expression))
      } else if let chained = expression.as(OptionalChainingExprSyntax.self), let inner = Place(chained.expression) {
        self = inner
      } else {
        return nil
      }
    }
  }

  /// Sets a place.
  private func set(_ place: Place, _ value: Value, _ context: Context, _ world: World) -> World {
    var world = world
    let key =
      world.locals[place.name] != nil
      ? place.name
      : world.locals["self." + place.name] != nil ? "self." + place.name : place.name
    if place.steps.isEmpty {
      if world.locals[key] != nil || key.hasPrefix("self.") { world.set(key, value) }
      return world
    }
    guard let base = world.locals[key] else { return world }
    world.set(key, changed(base, place.steps[...], value, context, world))
    return world
  }

  private func changed(
    _ base: Value, _ steps: ArraySlice<Place.Step>, _ value: Value, _ context: Context, _ world: World
  ) -> Value {
    guard let step = steps.first else { return value }
    switch (step, base) {
    case (_, .oneOf(let all)): return .either(all.map { changed($0, steps, value, context, world) })
    case (_, .literal(.null)), (_, .parameter): return base
    case (.member(let name), .object(let type, var fields)):
      guard let there = fields[name] else { return .unknown("`\(name)` is changed") }
      fields[name] = changed(there, steps.dropFirst(), value, context, world)
      return .object(type, fields)
    case (.key(let key), .dictionary(var shape)):
      let name = self.value(key, context, world)
      if steps.count > 1 {
        guard let text = name.plain, let there = shape.members[text] else {
          shape.open = shape.open ?? "`\(key.shortText)` is changed"
          return .dictionary(shape)
        }
        shape.members[text]?.value = changed(there.value, steps.dropFirst(), value, context, world)
        return .dictionary(shape)
      }
      if value == .null {
        if let text = name.plain {
          shape.members[text] = nil
        } else {
          for one in shape.members.keys { shape.members[one]?.isOptional = true }
        }
        return .dictionary(shape)
      }
      let isOptional = value.mayBeNil != false
      let entry = context.unit.origin(key)
      shape.set(name, .init(value: value.unwrapped, isOptional: isOptional, entry: entry), text: key.shortText)
      return .dictionary(shape)
    default: return .unknown("it is changed in a way that is not followed")
    }
  }

  static let changing: Set<String> = ["merge", "updateValue", "removeValue", "append"]

  /// Calls that change a dictionary or an array.
  func change(_ call: FunctionCallExprSyntax, _ context: Context, _ worlds: [World]) -> [World]? {
    guard let (place, name) = call.changedPlace else { return nil }
    return worlds.map { world in
      guard let key = [place.name, "self." + place.name].first(where: { world.locals[$0] != nil }),
        let base = world.locals[key]
      else { return world }
      var world = world
      world.set(key, base.map { changed($0, by: name, call, context, world) })
      return world
    }
  }

  private func changed(
    _ base: Value, by name: String, _ call: FunctionCallExprSyntax, _ context: Context, _ world: World
  ) -> Value {
    let arguments = call.arguments.map { value($0.expression, context, world) }
    switch (base, name, call.labels.first) {
    case (.literal(.null), _, _), (.parameter, _, _): return base
    case (.dictionary(let shape), "merge", "_"?):
      return arguments[0].map { merged(shape, with: $0) }
    case (.dictionary(var shape), "updateValue", "_"?) where call.labels == ["_", "forKey"]:
      shape.set(arguments[1], .init(value: arguments[0], isOptional: false), text: "updateValue")
      return .dictionary(shape)
    case (.dictionary(var shape), "removeValue", "forKey"?):
      if let text = arguments[0].plain {
        shape.members[text] = nil
      } else {
        for key in shape.members.keys { shape.members[key]?.isOptional = true }
      }
      return .dictionary(shape)
    case (.list(let all), "append", "_"?): return .list(all + [arguments[0]])
    default: return .unknown("`\(name)` is not followed")
    }
  }
}

extension FunctionCallExprSyntax {
  /// What a call changes that is followed: `p.merge(…)`.
  var changedPlace: (place: Resolver.Place, function: String)? {
    guard let access = calledExpression.as(MemberAccessExprSyntax.self), let base = access.base,
      let place = Resolver.Place(base), place.steps.isEmpty,
      Resolver.changing.contains(access.declName.baseName.text)
    else { return nil }
    return (place, access.declName.baseName.text)
  }
}
