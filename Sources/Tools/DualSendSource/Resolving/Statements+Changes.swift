import DualSendCore
import SwiftSyntax

/// Statements that change a value: assignments, and calls of functions that change what they are called on.
extension StatementReader {
  /// `x = y`. What another assignment changes, such as `+=`, is unknown from its declaration on.
  func assign(_ infix: InfixOperatorExprSyntax, _ state: PathState) -> PathState {
    observed(Syntax(infix), state)
    guard infix.operator.is(AssignmentExprSyntax.self), let target = Place(infix.leftOperand) else {
      return Syntax(infix).innerCall.map { change($0, state) } ?? state
    }
    let right = infix.rightOperand
    let wanted = target.steps.isEmpty ? state.types[target.name] : nil
    var new = value(right, state, as: wanted)
    // A nil of a type that is not optional is a value.
    if !target.steps.isEmpty, right.hidesNil { new = new.map { $0 == .null ? .scalar(.unknown) : $0 } }
    var after = set(target, state, by: infix) { _ in new }
    if target.steps.isEmpty, let place = target.known(in: after), place.steps.isEmpty {
      after.remember(place.name, of: right, before: state)
    } else {
      after.add(state.conditions(of: infix), to: target.name)
    }
    return after
  }

  /// A call of a function that changes what it is called on. After another call, a variable is unknown.
  func change(_ call: FunctionCallExprSyntax, _ state: PathState) -> PathState {
    guard let name = call.calledName?.identifierText, let target = Place(changedBy: call),
      call.receiver != nil || state.locals[name] == nil
    else { return state }
    // An error leaves it half changed.
    let mayFail = call.parent?.as(TryExprSyntax.self)?.questionOrExclamationMark?.text == "?"
    let changed = Changes.Change(node: Syntax(call), member: name, position: call.position)
    var after = set(target, state, by: call) { base in
      if !mayFail, let found = resolver.calls.changed(base, by: call, state) { return found }
      return isChange(changed, of: base, named: target.name)
        ? .unknown("it is changed by \(state.form(call))") : base
    }
    after.add(state.conditions(of: call), to: target.known(in: state)?.name ?? target.name)
    return after
  }

  /// The code, with its line, that changes a variable without being followed; `nil` if there is none.
  func unfollowed(_ name: String, _ value: Value, at node: some SyntaxProtocol, _ state: PathState) -> String? {
    let changes = state.unit.changes(around: node).all[name] ?? []
    return changes.first { !$0.isFollowed && isChange($0, of: value, named: name) }.map { state.form($0.node) }
  }

  /// Marks what code changes that stands at a node, or later.
  func loseLater(_ node: Syntax, but copied: Set<String>, in state: inout PathState) {
    for (name, changes) in state.unit.changes(around: node).all where !copied.contains(name) {
      guard let value = state.locals[name] ?? state.ownProperty(name),
        changes.contains(where: { $0.position >= node.position && isChange($0, of: value, named: name) })
      else { continue }
      state.lose(name, by: "code after \(state.place(of: node))")
    }
  }

  /// Whether a call, if it is one, changes the value that it is called on.
  private func isChange(_ change: Changes.Change, of value: Value, named name: String) -> Bool {
    guard let member = change.member else { return true }
    let all = index.functions(member).map { index[$0] }
    let isMutating = all.contains { one in one.isMutating || one.parameters.contains { $0.type.hasPrefix("inout ") } }
    let isOperator = member.first.map { $0 != "_" && !$0.isLetter } ?? true
    return value.alternatives.contains { value in
      switch value {
      case .unknown, .instance, .type, .parameter, .oneOf: return false
      case _ where isMutating || isOperator: return isMutating
      // A call without a receiver is rarely one of a function that these sources do not have.
      case .object(let object) where name != "self":
        let owners = Set(types.relatives(of: object.type))
        return !all.contains { owners.contains($0.owner) }
      case .object, .enumCase: return false
      default:
        return !Changes.harmless.contains(member)
          && !all.contains { $0.owner.isEmpty ? name == "self" : TypeReader.standardTypes.contains($0.owner) }
      }
    }
  }

  /// Marks a new variable as changed if code changes it that is not followed.
  func settle(_ name: String, at node: some SyntaxProtocol, in state: inout PathState) {
    let form = unfollowed(name, state.locals[name] ?? .null, at: node, state)
    if let form { state.lose(name, by: form) }
  }

  /// The state at the start of a body that changes `self`.
  func entering(_ body: CodeBlockItemListSyntax, _ state: PathState) -> PathState {
    var state = state
    let receiver = state.locals["self"] ?? .null
    for name in state.unit.changes(around: body).all.keys
    where name == "self" || state.ownProperty(name) != nil {
      let form = unfollowed(name, state.ownProperty(name) ?? receiver, at: body, state)
      if let form { state.lose(name, by: form) }
    }
    return state
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
  /// - Parameter node: the code that changes it.
  private func set(
    _ place: Place, _ state: PathState, by node: some ExprSyntaxProtocol, _ change: (Value) -> Value
  ) -> PathState {
    var after = state
    guard let known = place.known(in: state), let base = state.locals[known.name] else {
      if isOwn(place, state) { after.lose("self", by: state.form(node)) }
      return after
    }
    let types = state.types[known.name]?.dictionaryTypes
    let path = Path(
      state: state, keys: types?.key, holdsNil: types?.value.isOptionalType == true,
      form: "it is changed by \(state.form(node))")
    let new = changed(base, known.steps[...], path, change)
    after.set(known.name, new)
    let name = place.changedName
    if let form = unfollowed(name, after.ownProperty(name) ?? new, at: node, state) { after.lose(name, by: form) }
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
      object.fields[name] = changed(there, rest, path, change)
      return .object(object)
    case (.key(let key), .dictionary(var shape)):
      guard rest.isEmpty else { return .dictionary(shape.opened(path.form)) }
      let name = resolver.values.key(key, path.state, as: path.keys, in: &shape)
      let value = change(name.plain.flatMap { shape.members[$0]?.value } ?? .unknown(path.form))
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
