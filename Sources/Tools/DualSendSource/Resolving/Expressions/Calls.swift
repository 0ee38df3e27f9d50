import DualSendCore
import SwiftSyntax

extension Resolver {
  /// The result of a call.
  func call(_ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState, _ expected: String?) -> Value {
    let file = context.unit.file
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
      if state.locals[name] != nil { return .unknown("`\(name)` is a closure or a local function") }
      if let built = standardValue(name, call, context, state) { return built }
      if name == "Self" {
        return ownType(context, state).map { made($0, call, context, state) } ?? .unknown("which type `Self` is")
      }
      if let type = index.type(name, in: context.owner, file: file) { return made(type, call, context, state) }
      if index.isAmbiguous(name) { return .unknown("there are several types `\(name)`") }
      let receiver = state.locals["self"]
      if let receiver, let built = standardResult(name, of: receiver, call, context, state) { return built }
      let own = receiver.map { candidates(name, $0, context) } ?? []
      return function(call, own.isEmpty ? candidates(name, nil, context) : own, receiver, context, state)
    }
    if call.arguments.isEmpty, call.calledExpression.is(DictionaryExprSyntax.self) { return .dictionary(.init()) }
    if call.arguments.isEmpty, call.calledExpression.is(ArrayExprSyntax.self) { return .list([]) }
    guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else {
      return .unknown(context.form(call))
    }
    let name = access.declName.baseName.identifierText
    guard let base = access.base else {
      guard let type = implicitType(expected, context, state) else { return .unknown("what `.\(name)` is of") }
      return self.made(name, of: type, call, context, state)
    }
    if let path = base.dottedName, state.locals[path.prefix { $0 != "." }.description] == nil {
      if path == "Self" {
        return ownType(context, state).map { self.made(name, of: $0, call, context, state) }
          ?? .unknown("which type `Self` is")
      }
      if let type = index.type(path, in: context.owner, file: file) {
        return self.made(name, of: type, call, context, state)
      }
      if index.isAmbiguous(path) { return .unknown("there are several types `\(path)`") }
      if let type = index.type(path + "." + name, in: context.owner, file: file) {
        return made(type, call, context, state)
      }
    }
    return value(base, context, state, expected: base.isImplicit ? expected : nil).map {
      method(name, of: $0, call, context, state)
    }
  }

  /// `T.x(…)`: a case, an initializer or a static function.
  private func made(
    _ name: String, of type: TypeReference, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value {
    if name == "init" { return made(type, call, context, state) }
    let own = index.members(name, of: type, file: context.unit.file)
    if let one = own.first(where: { index[$0].kind == .enumCase }) {
      let declaration = index[one]
      let arguments = bound(call, to: declaration, context, state)
      return .enumCase(
        type, name,
        declaration.parameters.map { .init(name: $0.name, value: arguments?[$0.name] ?? .unknown("an argument")) })
    }
    if let inner = index.type(type.path + "." + name, in: "", file: context.unit.file) {
      return made(inner, call, context, state)
    }
    return function(call, candidates(name, .type(type), context), .type(type), context, state)
  }

  private func method(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value {
    if base == .null { return isOwn(name, call) ? .unknown("`\(name)` of nil") : .null }
    if let built = standardResult(name, of: base, call, context, state) { return built }
    if case .type(let type) = base { return made(name, of: type, call, context, state) }
    if case .parameter(let parameter, _) = base { return .parameter("\(parameter).\(name)(…)", type: "") }
    return function(call, candidates(name, base, context), base, context, state)
  }

  /// A function of these sources that a call means, with what it is called with.
  private struct Meant {
    let key: MemoKey
    let one: Declaration
    let unit: SourceUnit
    let body: CodeBlockItemListSyntax

    var context: Context { Context(unit: unit, owner: one.owner, result: one.type) }
    var state: PathState { .entered(one, key.arguments, one.owner.isEmpty ? nil : key.receiver) }
  }

  /// A function with its receiver and arguments; `nil` if it cannot be followed.
  private func meant(_ number: Int, _ receiver: Value?, _ arguments: [String: Value]?) -> Meant? {
    let one = index[number]
    guard let arguments, !one.isConditional, !one.isWrapped, !isOverridden(one, receiver),
      let (unit, node) = units.unit(one), let body = node.as(FunctionDeclSyntax.self)?.body
    else { return nil }
    let key = MemoKey(declaration: number, receiver: receiver, arguments: arguments)
    return Meant(key: key, one: one, unit: unit, body: body.statements)
  }

  /// The function that a call means, if there is exactly one, and if it can be followed.
  private func meant(
    _ call: FunctionCallExprSyntax, _ candidates: [Int], _ receiver: Value?, _ context: Context, _ state: PathState
  ) -> Result<Meant, Unfollowed> {
    let fitting = candidates.filter { call.fits(index[$0]) && index[$0].hasBody }
    let exact = fitting.filter { index[$0].labels == call.labels }
    let all = exact.isEmpty ? fitting : exact
    guard all.count == 1, let number = all.first else {
      let reason = all.isEmpty ? "" : " may be several functions"
      return .failure(.init(reason: context.form(call) + reason))
    }
    let one = index[number]
    let receiver = self.receiver(of: one, reached: receiver)
    return meant(number, receiver, bound(call, to: one, context, state)).map { .success($0) }
      ?? .failure(.init(reason: context.form(call)))
  }

  private struct Unfollowed: Error {
    let reason: String
  }

  /// The result of the function that a call means.
  private func function(
    _ call: FunctionCallExprSyntax, _ candidates: [Int], _ receiver: Value?, _ context: Context, _ state: PathState
  ) -> Value {
    switch meant(call, candidates, receiver, context, state) {
    case .failure(let why): .unknown(why.reason)
    case .success(let meant):
      remembered(meant.key, of: meant.one.signature) { result(of: meant.body, meant.context, meant.state) } ?? .null
    }
  }

  /// What a value is after a call of a function of these sources; `nil` if the function cannot be followed.
  func changed(_ base: Value, by call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> Value? {
    if case .parameter = base { return base }
    guard let name = call.calledName?.identifierText else { return nil }
    if base == .null { return isOwn(name, call) ? nil : base }
    guard
      case .success(let meant) = meant(call, candidates(name, base, context), base, context, state)
    else { return nil }
    guard meant.one.isMutating else { return base }
    var key = meant.key
    key.member = "after it"
    return remembered(key, of: meant.one.signature) {
      var inside = meant.state
      inside.variables.insert("self")
      let returns = Returns()
      let next = quietly { run(meant.body, meant.context, inside, returns).next }
      let end = PathState.joined((next.map { [$0] } ?? []) + returns.states)
      return end.map { $0.locals["self"] ?? .unknown("`self` is not known here") }
    }
  }

  /// The arguments by parameter name, including defaults; `nil` if they do not match.
  func bound(
    _ call: FunctionCallExprSyntax, to one: Declaration, _ context: Context, _ state: PathState
  ) -> [String: Value]? {
    guard let pairs = call.pairs(with: one) else { return nil }
    var bound: [String: Value] = [:]
    for (parameter, argument) in zip(one.parameters, pairs) {
      if parameter.type.hasSuffix("...") {
        bound[parameter.name] = .elements(
          value(ofType: String(parameter.type.dropLast(3)), in: one.owner, file: one.file))
        continue
      }
      let wanted = fullType(parameter.type, in: one.owner, file: one.file)
      switch argument {
      case .given(let expression): bound[parameter.name] = value(expression, context, state, expected: wanted)
      case .standard:
        guard let range = parameter.value, let (unit, node) = units.expression(range, in: one.file) else { return nil }
        bound[parameter.name] = quietly {
          value(node, Context(unit: unit, owner: one.owner), PathState(), expected: parameter.type)
        }
      case .closure: bound[parameter.name] = .unknown("a closure")
      }
      if case .unknown? = bound[parameter.name],
        case let typed = value(ofType: parameter.type, in: one.owner, file: one.file)
      {
        switch typed {
        case .scalar(let type) where type != .string && type != .unknown: bound[parameter.name] = typed
        default: break
        }
      }
    }
    return bound
  }
}
