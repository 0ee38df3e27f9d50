import DualSendCore
import SwiftSyntax

/// Statements that change a value: assignments, and calls of functions that change what they are called on.
extension StatementReader {
  /// `x = y`. After another assignment, such as `+=`, the value is unknown.
  func assign(_ infix: InfixOperatorExprSyntax, _ state: PathState) -> PathState {
    guard let target = Place(infix.leftOperand), infix.operator.is(AssignmentExprSyntax.self) else {
      return observed(Syntax(infix), state)
    }
    let state = observed(Syntax(infix), state, without: infix.id)
    let right = infix.rightOperand
    let wanted = target.steps.isEmpty ? state.types[target.name] : nil
    var new = value(right, state, as: wanted)
    // A nil of a type that is not optional is a value.
    if !target.steps.isEmpty, right.hidesNil { new = new.map { $0 == .null ? .scalar(.unknown) : $0 } }
    var after = set(target, state, by: state.form(infix)) { _ in new }
    if target.steps.isEmpty, let place = target.known(in: after), place.steps.isEmpty {
      after.remember(place.name, of: right, before: state)
    } else {
      after.add(state.conditions(of: infix), to: target.name)
    }
    return after
  }

  /// A call of a function that changes what it is called on. Another call on a variable makes it unknown.
  func change(_ call: FunctionCallExprSyntax, _ state: PathState) -> PathState {
    guard let name = call.calledName?.identifierText, let target = Place(changedBy: call) else { return state }
    var lost = state
    lose(Effects(Syntax(call), isOuter: true).changed, by: state.form(call), in: &lost)
    guard let place = target.known(in: state), !(call.receiver == nil && state.locals[name] != nil) else {
      return set(target, lost, by: state.form(call)) { $0 }
    }
    // An error leaves it half changed.
    if call.parent?.as(TryExprSyntax.self)?.questionOrExclamationMark?.text == "?" { return lost }
    var isFollowed = true
    var after = set(place, state, by: state.form(call)) { base in
      let found = resolver.calls.changed(base, by: call, state)
      isFollowed = isFollowed && found != nil
      return found ?? base
    }
    after.add(state.conditions(of: call), to: place.name)
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
  private func isChange(_ change: Changed, _ state: PathState) -> Bool {
    guard let member = change.member else { return true }
    let value = state.locals[change.name] ?? state.ownProperty(change.name) ?? .null
    let all = index.functions(member).map { index[$0] }
    let isMutating = all.contains { one in one.isMutating || one.parameters.contains { $0.type.hasPrefix("inout ") } }
    return value.alternatives.contains { value in
      switch value {
      case _ where change.isByOwnCode: return isMutating
      case .unknown, .instance, .type, .parameter, .oneOf: return false
      case _ where isMutating: return true
      // A call without a receiver is rarely one of a function that these sources do not have.
      case .object(let object) where change.name != "self":
        let owners = Set(types.relatives(of: object.type))
        return !all.contains { owners.contains($0.owner) }
      case .object, .enumCase: return false
      default:
        return !Effects.harmless.contains(member)
          && !all.contains { one in
            one.owner.isEmpty ? change.name == "self" : TypeReader.standardTypes.contains(one.owner)
          }
      }
    }
  }

  /// Whether a name that is no local may be that of a property which code of `self` computes.
  private func isOwn(_ place: Place, _ state: PathState) -> Bool {
    switch state.locals["self"] {
    case nil, .instance?, .type?, .parameter?, .unknown?: false
    default:
      place.name != "self"
        && !index.globals(place.name, file: state.unit.file).contains { index[$0].kind == .property }
    }
  }

  /// Changes the value of a place.
  ///
  /// - Parameter form: the code, with its line.
  private func set(
    _ place: Place, _ state: PathState, by form: @autoclosure () -> String, _ change: (Value) -> Value
  ) -> PathState {
    var after = state
    guard let place = place.known(in: state), let base = state.locals[place.name] else {
      if isOwn(place, state) { after.loseSelf(by: form()) }
      return after
    }
    let types = state.types[place.name]?.dictionaryTypes
    let path = Path(
      state: state, keys: types?.key, holdsNil: types?.value.isOptionalType == true, form: "it is changed by \(form())")
    after.set(place.name, changed(base, place.steps[...], path, change))
    return after
  }

  /// How a place is reached, from a value whose declared type is known.
  private struct Path {
    let state: PathState
    /// The types of a dictionary's keys, and whether its values may be nil.
    var keys: String?
    var holdsNil: Bool
    /// The code that changes it, with its line.
    let form: String

    var inner: Path { Path(state: state, holdsNil: false, form: form) }
  }

  private func changed(
    _ base: Value, _ steps: ArraySlice<Place.Step>, _ path: Path, _ change: (Value) -> Value
  ) -> Value {
    guard let step = steps.first else { return base.map(change) }
    let rest = steps.dropFirst()
    switch (step, base) {
    case (_, .oneOf(let all)): return .either(all.map { changed($0, steps, path, change) })
    case (_, .literal(.null)), (_, .parameter), (.member, .instance): return base
    case (.member(let name), .object(var object)):
      guard let there = object.fields[name] else { return .unknown(path.form) }
      object.fields[name] = changed(there, rest, path.inner, change)
      return .object(object)
    case (.key(let key), .dictionary(var shape)):
      let name = resolver.values.key(key, path.state, as: path.keys, in: &shape)
      let there = name.plain.flatMap { shape.members[$0]?.value }
      if !rest.isEmpty {
        if let text = name.plain, let there {
          shape.members[text]?.value = changed(there, rest, path.inner, change)
          return .dictionary(shape)
        }
        return .dictionary(shape.opened(path.form))
      }
      let value = change(there ?? .unknown(path.form))
      if path.holdsNil, value.mayBeNil != false { return .unknown("a dictionary whose values may be nil") }
      if value == .null {
        shape.remove(name)
      } else {
        shape.set(name, .init(value: value.unwrapped, isOptional: value.mayBeNil != false), text: key.shortText)
      }
      return .dictionary(shape)
    default: return .unknown(path.form)
    }
  }
}

extension PathState {
  /// Adds to the names in the undecided conditions on which the value of a local depends.
  fileprivate mutating func add(_ words: Set<String>, to name: String) {
    if !words.isEmpty { conditions[name, default: []].formUnion(words) }
  }
}

extension ExprSyntax {
  /// Whether a nil in it is a value, because it is cast to a type that is not optional: `x as Any`.
  fileprivate var hidesNil: Bool {
    guard let cast = self.as(AsExprSyntax.self), cast.questionOrExclamationMark == nil else { return false }
    return !cast.type.trimmedDescription.isOptionalType
  }
}
