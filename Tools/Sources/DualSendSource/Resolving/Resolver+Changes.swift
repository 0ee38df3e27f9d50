import DualSendCore
import DualSendInventory
import SwiftSyntax

extension Resolver {
  /// `x = y` and `x += y`.
  func assign(_ infix: InfixOperatorExprSyntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    guard let target = Place(infix.leftOperand) else {
      return states.each { $0.lose(infix.leftOperand.trimmedDescription.words) }
    }
    let isPlain = infix.operator.is(AssignmentExprSyntax.self)
    return states.flatMap { state -> [PathState] in
      let wanted = target.steps.isEmpty ? state.types[target.name] : nil
      // As the value of a key, a ternary is present on every path.
      let right =
        target.steps.isEmpty || infix.rightOperand.isChoice
        ? values(infix.rightOperand, context, state, expected: wanted)
        : [(value(infix.rightOperand, context, state, expected: wanted), state)]
      return right.map { right, state in
        if isPlain {
          var after = set(target, right, context, state)
          if target.steps.isEmpty, let key = target.local(in: after) {
            after.remember(key, right, of: infix.rightOperand, before: state)
          }
          return after
        }
        let isAdded = infix.operator.trimmedDescription == "+=" && target.steps.isEmpty
        switch (isAdded ? state.locals[target.name] : nil, right) {
        case (.list(let one)?, .list(let other)): return set(target, .list(one + other), context, state)
        case (.text?, _), (.pattern?, _):
          let left = state.locals[target.name] ?? .null
          return set(target, .either(right.alternatives.map { joined(left, $0) }), context, state)
        default: return set(target, .unknown("`\(target.name)` is changed"), context, state)
        }
      }
    }
  }

  /// The target of a change: a local, a part of it, or a key.
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

    /// The local that the target is part of.
    func local(in state: PathState) -> String? {
      [name, "self." + name].first { state.locals[$0] != nil }
    }
  }

  private func set(_ place: Place, _ value: Value, _ context: Context, _ state: PathState) -> PathState {
    var state = state
    let key = place.local(in: state) ?? (place.name.hasPrefix("self.") && place.steps.isEmpty ? place.name : nil)
    guard let key else { return state }
    let keys = state.types[key]?.dictionaryTypes?.key
    state.set(key, changed(state.locals[key] ?? value, place.steps[...], value, keys, context, state))
    return state
  }

  private func changed(
    _ base: Value, _ steps: ArraySlice<Place.Step>, _ value: Value, _ keys: String?, _ context: Context,
    _ state: PathState
  ) -> Value {
    guard let step = steps.first else { return value }
    switch (step, base) {
    case (_, .oneOf(let all)): return .either(all.map { changed($0, steps, value, keys, context, state) })
    case (_, .literal(.null)), (_, .parameter): return base
    case (.member(let name), .object(let type, var fields)):
      guard let there = fields[name] else { return .unknown("`\(name)` is changed") }
      fields[name] = changed(there, steps.dropFirst(), value, nil, context, state)
      return .object(type, fields)
    case (.key(let key), .dictionary(var shape)):
      let name = self.value(key, context, state, expected: keys)
      if steps.count > 1 {
        guard let text = name.plain, let there = shape.members[text] else {
          shape.open = shape.open ?? "`\(key.shortText)` is changed"
          return .dictionary(shape)
        }
        shape.members[text]?.value = changed(there.value, steps.dropFirst(), value, nil, context, state)
      } else if value == .null {
        shape.remove(name)
      } else {
        let member = Value.Member(value: value.unwrapped, isOptional: value.mayBeNil != false)
        set(name, member, in: &shape, key, context)
      }
      return .dictionary(shape)
    default: return .unknown("it is changed in a way that is not followed")
    }
  }

  /// Applies calls that change a dictionary or an array; `nil` for other calls.
  func change(_ call: FunctionCallExprSyntax, _ context: Context, _ states: [PathState]) -> [PathState]? {
    guard let (place, name) = call.changedPlace else { return nil }
    return states.each { state in
      guard let key = place.local(in: state), let base = state.locals[key] else { return }
      let arguments = call.arguments.map { value($0.expression, context, state) }
      let isOwn = isOwn(name, call)
      state.set(
        key, isOwn ? .unknown("`\(name)` is the app's own") : base.map { changed($0, by: name, call, arguments) })
    }
  }

  private func changed(
    _ base: Value, by name: String, _ call: FunctionCallExprSyntax, _ arguments: [Value]
  ) -> Value {
    switch (base, name, call.labels) {
    case (.literal(.null), _, _), (.parameter, _, _): return base
    case (.dictionary(let shape), "merge", _) where call.labels.first == "_":
      return arguments[0].map { merged(shape, with: $0) }
    case (.dictionary(var shape), "updateValue", ["_", "forKey"]):
      shape.set(arguments[1], .init(value: arguments[0], isOptional: false), text: "updateValue")
      return .dictionary(shape)
    case (.dictionary(var shape), "removeValue", ["forKey"]):
      shape.remove(arguments[0])
      return .dictionary(shape)
    case (.list(let all), "append", ["_"]): return .list(all + arguments)
    default: return .unknown("`\(name)` is not followed")
    }
  }
}

extension FunctionCallExprSyntax {
  /// The target of a followed call, such as `p.merge(…)`.
  var changedPlace: (place: Resolver.Place, function: String)? {
    guard let access = calledExpression.as(MemberAccessExprSyntax.self), let base = access.base,
      let place = Resolver.Place(base), place.steps.isEmpty,
      ["merge", "updateValue", "removeValue", "append"].contains(access.declName.baseName.text)
    else { return nil }
    return (place, access.declName.baseName.text)
  }
}
