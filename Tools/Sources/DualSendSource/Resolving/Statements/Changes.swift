import DualSendCore
import DualSendInventory
import SwiftSyntax

/// Statements that change a value: assignments, and calls of functions that change what they are called on.
extension Resolver {
  /// The target of a change: a local or `self`, a member of it, or a key.
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
        return
      }
      let (base, step): (ExprSyntax?, Step?) =
        switch expression.as(ExprSyntaxEnum.self) {
        case .memberAccessExpr(let access): (access.base, .member(access.declName.baseName.identifierText))
        case .subscriptCallExpr(let call) where call.arguments.count == 1 && call.arguments.first?.label == nil:
          (call.calledExpression, call.arguments.first.map { .key($0.expression) })
        case .optionalChainingExpr(let chained): (chained.expression, nil)
        default: (nil, nil)
        }
      guard let base, let inner = Place(base) else { return nil }
      self = inner
      if let step { steps.append(step) }
    }

    fileprivate init(name: String, steps: [Step] = []) { (self.name, self.steps) = (name, steps) }

    /// The same place with a local or `self` as its name; `nil` if the name is that of neither.
    func known(in state: PathState) -> Place? {
      if state.locals[name] != nil { return self }
      return state.ownProperty(name) == nil ? nil : Place(name: "self", steps: [.member(name)] + steps)
    }
  }

  /// `x = y` and `x += y`.
  func assign(_ infix: InfixOperatorExprSyntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    guard let target = Place(infix.leftOperand) else {
      return observed(Syntax(infix), context, states, without: infix.id).each {
        lose(infix.leftOperand.trimmedDescription.words, in: &$0)
      }
    }
    let isPlain = infix.operator.is(AssignmentExprSyntax.self)
    let states = infix.rightOperand.isChoice ? states : observed(Syntax(infix), context, states, without: infix.id)
    return states.flatMap { state -> [PathState] in
      let wanted = target.steps.isEmpty ? state.types[target.name] : nil
      // As the value of a key, a ternary is present on every path.
      let right =
        target.steps.isEmpty || infix.rightOperand.isChoice
        ? values(infix.rightOperand, context, state, expected: wanted)
        : [(value(infix.rightOperand, context, state, expected: wanted), state)]
      return right.map { right, state in
        var after = set(target, context, state) { left in
          isPlain ? right : changed(left, by: infix.operator.trimmedDescription, right, target.name)
        }
        if target.steps.isEmpty, let place = target.known(in: after), place.steps.isEmpty {
          after.remember(place.name, after.locals[place.name] ?? .null, of: infix.rightOperand, before: state)
        }
        return after
      }
    }
  }

  /// `x += y`.
  private func changed(_ left: Value, by name: String, _ right: Value, _ target: String) -> Value {
    switch (left, name, right) {
    case (.list(let one), "+=", .list(let other)): .list(one + other)
    case (.text, "+=", _), (.pattern, "+=", _): .either(right.alternatives.map { joined(left, $0) })
    default: .unknown("`\(target)` is changed")
    }
  }

  /// Calls of functions that change what they are called on. Another call on a variable makes it unknown.
  func change(_ call: FunctionCallExprSyntax, _ context: Context, _ states: [PathState]) -> [PathState] {
    guard let name = call.calledName?.identifierText, let target = call.changedPlace else { return states }
    // An error leaves it half changed.
    let mayStop = call.parent?.as(TryExprSyntax.self)?.questionOrExclamationMark?.text == "?"
    return states.map { state in
      guard let place = target.known(in: state), !(call.receiver == nil && state.locals[name] != nil) else {
        return state
      }
      var isFollowed = true
      let after = set(place, context, state) { base in
        let found =
          mayStop
          ? nil : standardChange(name, of: base, call, context, state) ?? changed(base, by: call, context, state)
        isFollowed = isFollowed && found != nil
        return found ?? base
      }
      if isFollowed { return after }
      var state = state
      lose(Effects(Syntax(call), isOuter: true).changed, in: &state)
      return state
    }
  }

  /// Marks values that code may have changed without being followed.
  func lose(_ names: Set<String>, in state: inout PathState, forGood: Bool = false) {
    let changed = names.filter { isChange($0, state) }
    if changed.contains(where: \.isOwnCall) { state.loseSelf() }
    state.lose(changed, forGood: forGood)
  }

  /// Whether a call changes `self`, if the name of a change stands for one.
  func isChange(_ name: String, _ state: PathState) -> Bool {
    guard name.isOwnCall else { return true }
    let function = String(name.dropFirst(5).dropLast(2))
    let all = index.functions(function)
    let isMutating = all.contains { index[$0].isMutating }
    return switch state.locals["self"] {
    case .object(let object)?:
      isMutating || (object.isOwned && (all.isEmpty || all.contains { !index[$0].owner.isEmpty }))
    case .enumCase?: isMutating
    case .dictionary?, .list?, .elements?, .text?, .pattern?:
      isMutating || (all.isEmpty && !Effects.harmless.contains(function))
    default: false
    }
  }

  /// Changes the value of a place.
  private func set(
    _ place: Place, _ context: Context, _ state: PathState, _ change: (Value) -> Value
  ) -> PathState {
    guard let place = place.known(in: state), let base = state.locals[place.name] else { return state }
    var state = state
    let keys = state.types[place.name]?.dictionaryTypes?.key
    if !place.steps.isEmpty, base.isOwned { state.loseOwned(except: place.name) }
    state.set(place.name, changed(base, place.steps[...], keys, context, state, change))
    return state
  }

  private func changed(
    _ base: Value, _ steps: ArraySlice<Place.Step>, _ keys: String?, _ context: Context, _ state: PathState,
    _ change: (Value) -> Value
  ) -> Value {
    guard let step = steps.first else { return base.map(change) }
    let rest = steps.dropFirst()
    switch (step, base) {
    case (_, .oneOf(let all)): return .either(all.map { changed($0, steps, keys, context, state, change) })
    case (_, .literal(.null)), (_, .parameter), (.member, .instance): return base
    case (.member(let name), .object(var object)):
      guard let there = object.fields[name] else {
        return object.variables.isEmpty ? .unknown("`\(name)` is changed") : base.disowned
      }
      object.fields[name] = changed(there, rest, nil, context, state, change)
      return .object(object)
    case (.key(let key), .dictionary(var shape)):
      let name = value(key, context, state, expected: keys)
      if !rest.isEmpty {
        guard let text = name.plain, let there = shape.members[text] else {
          shape.open = shape.open ?? "`\(key.shortText)` is changed"
          return .dictionary(shape)
        }
        shape.members[text]?.value = changed(there.value, rest, nil, context, state, change)
        return .dictionary(shape)
      }
      let value = change(name.plain.flatMap { shape.members[$0]?.value } ?? .unknown("`\(key.shortText)` is changed"))
      if value == .null {
        shape.remove(name)
      } else {
        set(name, .init(value: value.unwrapped, isOptional: value.mayBeNil != false), in: &shape, key, context)
      }
      return .dictionary(shape)
    default: return .unknown("it is changed in a way that is not followed")
    }
  }
}

extension String {
  /// Whether it stands for a call of a function of `self`, as the name of a change.
  fileprivate var isOwnCall: Bool { hasPrefix("self.") && hasSuffix("()") }
}

extension FunctionCallExprSyntax {
  /// What the call may change: what it is called on.
  var changedPlace: Resolver.Place? {
    guard let receiver else {
      return calledExpression.is(DeclReferenceExprSyntax.self) ? Resolver.Place(name: "self") : nil
    }
    return Resolver.Place(receiver)
  }
}
