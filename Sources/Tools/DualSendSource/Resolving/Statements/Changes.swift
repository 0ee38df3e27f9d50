import DualSendCore
import SwiftSyntax

/// Statements that change a value: assignments, and calls of functions that change what they are called on.
extension Resolver {
  /// The target of a change: a local or `self`, a member of it, or a key.
  struct Place {
    enum Step {
      case member(String)
      case key(ExprSyntax)
      /// An element by other means.
      case other
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
        case .subscriptCallExpr(let call): (call.calledExpression, .other)
        case .optionalChainingExpr(let chained): (chained.expression, nil)
        case .forceUnwrapExpr(let forced): (forced.expression, nil)
        case .tupleExpr(let tuple) where tuple.elements.count == 1: (tuple.elements.first?.expression, nil)
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

  /// `x = y`. After another assignment, such as `+=`, the value is unknown.
  func assign(_ infix: InfixOperatorExprSyntax, _ context: Context, _ state: PathState) -> PathState {
    guard let target = Place(infix.leftOperand), infix.operator.is(AssignmentExprSyntax.self) else {
      return observed(Syntax(infix), context, state)
    }
    let state = observed(Syntax(infix), context, state, without: infix.id)
    let wanted = target.steps.isEmpty ? state.types[target.name] : nil
    let right = value(infix.rightOperand, context, state, expected: wanted)
    // A nil of a type that is not optional is a value.
    let isValue = target.steps.isEmpty || !infix.rightOperand.hidesNil
    let new = isValue ? right : right.map { $0 == .null ? .scalar(.unknown) : $0 }
    var after = set(target, context, state, by: context.form(infix)) { _ in new }
    if target.steps.isEmpty, let place = target.known(in: after), place.steps.isEmpty {
      after.remember(place.name, after.locals[place.name] ?? .null, of: infix.rightOperand, before: state)
    } else {
      let words = state.conditions(of: infix)
      if !words.isEmpty { after.conditions[target.name, default: []].formUnion(words) }
    }
    return after
  }

  /// A call of a function that changes what it is called on. Another call on a variable makes it unknown.
  func change(_ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> PathState {
    guard let name = call.calledName?.identifierText, let target = call.changedPlace else { return state }
    var lost = state
    lose(Effects(Syntax(call), isOuter: true).changed, by: context.form(call), in: &lost)
    guard let place = target.known(in: state), !(call.receiver == nil && state.locals[name] != nil) else {
      return set(target, context, lost, by: context.form(call)) { $0 }
    }
    // An error leaves it half changed.
    if call.parent?.as(TryExprSyntax.self)?.questionOrExclamationMark?.text == "?" { return lost }
    var isFollowed = true
    var after = set(place, context, state, by: context.form(call)) { base in
      let found = standardChange(name, of: base, call, context, state) ?? changed(base, by: call, context, state)
      isFollowed = isFollowed && found != nil
      return found ?? base
    }
    let words = state.conditions(of: call)
    if !words.isEmpty { after.conditions[place.name, default: []].formUnion(words) }
    return isFollowed ? after : lost
  }

  /// Marks values that code may have changed without being followed.
  ///
  /// - Parameter form: the code, with its line.
  func lose(_ all: Set<Changed>, by form: @autoclosure () -> String, in state: inout PathState, forGood: Bool = false) {
    let changed = all.filter { isChange($0, state) }
    guard !changed.isEmpty else { return }
    let form = form()
    if changed.contains(where: { $0.name == "self" }) { state.loseSelf(by: form) }
    state.lose(Set(changed.map(\.name)), by: form, forGood: forGood)
  }

  /// Whether a call, if it is one, changes what it is called on.
  func isChange(_ change: Changed, _ state: PathState) -> Bool {
    let value = state.locals[change.name] ?? state.ownProperty(change.name) ?? .null
    guard let member = change.member else { return true }
    let all = index.functions(member).map { index[$0] }
    let isMutating = all.contains { one in one.isMutating || one.parameters.contains { $0.type.hasPrefix("inout ") } }
    return value.alternatives.contains { value in
      switch value {
      case _ where change.isByOwnCode: isMutating
      // A call without a receiver is rarely one of a function that these sources do not have.
      case .object, .enumCase:
        isMutating || (change.name != "self" && isForeign(member, on: value, all))
      case .dictionary, .list, .elements, .text, .pattern, .scalar, .literal:
        isMutating
          || !Effects.harmless.contains(member)
            && !all.contains { $0.owner.isEmpty ? change.name == "self" : Self.standardTypes.contains($0.owner) }
      case .unknown, .instance, .type, .parameter, .oneOf: false
      }
    }
  }

  /// Whether a function of a value is none of those that these sources declare for its type.
  private func isForeign(_ name: String, on value: Value, _ all: [Declaration]) -> Bool {
    guard case .object(let object) = value else { return false }
    let owners = Set(relatives(of: object.type))
    return !all.contains { owners.contains($0.owner) }
  }

  /// Whether a name that is no local may be that of a property which code of `self` computes.
  private func isOwn(_ place: Place, _ context: Context, _ state: PathState) -> Bool {
    guard let own = state.locals["self"], place.name != "self" else { return false }
    switch own {
    case .instance, .type, .parameter, .unknown: return false
    default: return !index.globals(place.name, file: context.unit.file).contains { index[$0].kind == .property }
    }
  }

  /// Changes the value of a place.
  ///
  /// - Parameter form: the code, with its line.
  private func set(
    _ place: Place, _ context: Context, _ state: PathState, by form: @autoclosure () -> String,
    _ change: (Value) -> Value
  ) -> PathState {
    var state = state
    guard let place = place.known(in: state), let base = state.locals[place.name] else {
      if isOwn(place, context, state) { state.loseSelf(by: form()) }
      return state
    }
    let types = state.types[place.name]?.dictionaryTypes
    let holdsNil = types?.value.isOptionalType == true
    let form = "it is changed by \(form())"
    state.set(place.name, changed(base, place.steps[...], types?.key, holdsNil, form, context, state, change))
    return state
  }

  private func changed(
    _ base: Value, _ steps: ArraySlice<Place.Step>, _ keys: String?, _ holdsNil: Bool, _ form: String,
    _ context: Context, _ state: PathState, _ change: (Value) -> Value
  ) -> Value {
    guard let step = steps.first else { return base.map(change) }
    let rest = steps.dropFirst()
    switch (step, base) {
    case (_, .oneOf(let all)):
      return .either(all.map { changed($0, steps, keys, holdsNil, form, context, state, change) })
    case (_, .literal(.null)), (_, .parameter), (.member, .instance): return base
    case (.member(let name), .object(var object)):
      guard let there = object.fields[name] else { return .unknown(form) }
      object.fields[name] = changed(there, rest, nil, false, form, context, state, change)
      return .object(object)
    case (.key(let key), .dictionary(var shape)):
      let name = value(key, context, state, expected: keys)
      if !rest.isEmpty {
        guard let text = name.plain, let there = shape.members[text] else {
          shape.open = shape.open ?? form
          return .dictionary(shape)
        }
        shape.members[text]?.value = changed(there.value, rest, nil, false, form, context, state, change)
        return .dictionary(shape)
      }
      let value = change(name.plain.flatMap { shape.members[$0]?.value } ?? .unknown(form))
      if holdsNil, value.mayBeNil != false { return .unknown("a dictionary whose values may be nil") }
      if value == .null {
        shape.remove(name)
      } else {
        shape.set(name, .init(value: value.unwrapped, isOptional: value.mayBeNil != false), text: key.shortText)
      }
      return .dictionary(shape)
    default: return .unknown(form)
    }
  }
}

extension ExprSyntax {
  /// Whether a nil in it is a value, because it is cast to a type that is not optional: `x as Any`.
  fileprivate var hidesNil: Bool {
    guard let cast = self.as(AsExprSyntax.self), cast.questionOrExclamationMark == nil else { return false }
    return !cast.type.trimmedDescription.isOptionalType
  }
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
