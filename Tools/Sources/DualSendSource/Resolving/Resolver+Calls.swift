import DualSendCore
import DualSendInventory
import SwiftSyntax

extension Resolver {
  /// The result of a call.
  func call(_ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState, _ expected: String?) -> Value {
    let file = context.unit.file
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
      if state.locals[name] != nil { return .unknown("`\(name)` is a closure or a local function") }
      if let built = builtIn(name, call, context, state) { return built }
      if name == "Self" {
        return ownType(context, state).map { made($0, call, context, state) } ?? .unknown("which type `Self` is")
      }
      if let type = index.type(name, in: context.owner, file: file) { return made(type, call, context, state) }
      if index.isAmbiguous(name) { return .unknown("there are several types `\(name)`") }
      let receiver = state.locals["self"]
      let own = receiver.map { candidates(name, $0, context) } ?? []
      return function(call, own.isEmpty ? candidates(name, nil, context) : own, receiver, context, state)
    }
    if call.arguments.isEmpty, call.calledExpression.is(DictionaryExprSyntax.self) { return .dictionary(.init()) }
    if call.arguments.isEmpty, call.calledExpression.is(ArrayExprSyntax.self) { return .list([]) }
    guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else {
      return .unknown("`\(ExprSyntax(call).shortText)` is not followed")
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
    if base == .null { return .null }
    if case .parameter(_, let type) = base, ["map", "compactMap", "flatMap"].contains(name) {
      return value(ofType: type, in: context.owner, file: context.unit.file).map {
        self.method(name, of: $0, call, context, state)
      }
    }
    if let built = builtIn(name, of: base, call, context, state) { return built }
    if case .type(let type) = base { return made(name, of: type, call, context, state) }
    if case .parameter(let parameter, _) = base { return .parameter("\(parameter).\(name)(…)", type: "") }
    return function(call, candidates(name, base, context), base, context, state)
  }

  /// The result of the function that a call means, if there is exactly one.
  private func function(
    _ call: FunctionCallExprSyntax, _ candidates: [Int], _ receiver: Value?, _ context: Context, _ state: PathState
  ) -> Value {
    let fitting = candidates.filter { call.fits(index[$0]) && index[$0].hasBody }
    let exact = fitting.filter { index[$0].labels == call.labels }
    let all = narrowed(exact.isEmpty ? fitting : exact, by: call, context, state)
    guard all.count == 1, let number = all.first else {
      return .unknown(
        "`\(ExprSyntax(call).shortText)` \(all.isEmpty ? "is not found in these sources" : "may be several functions")")
    }
    let one = index[number]
    let receiver = self.receiver(of: one, reached: receiver)
    guard !one.isConditional, !one.isWrapped, !isOverridden(one, receiver),
      let arguments = bound(call, to: one, context, state)
    else {
      return .unknown("`\(one.signature)` is not followed")
    }
    let key = MemoKey(declaration: number, receiver: receiver, arguments: arguments)
    if let known = memo[key] { return known }
    guard running.insert(key).inserted else { return .unknown("`\(one.signature)` calls itself") }
    defer { running.remove(key) }
    guard let (unit, node) = units.unit(one), let function = node.as(FunctionDeclSyntax.self),
      let body = function.body
    else { return .unknown("`\(one.signature)` is not understood") }
    let state = PathState.entered(one, arguments, one.owner.isEmpty ? nil : receiver)
    let found = isolated {
      result(of: body.statements, Context(unit: unit, owner: one.owner, result: one.type), state)
    }
    memo[key] = found
    return found
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

  /// The value that an initializer creates.
  private func made(
    _ type: TypeReference, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value {
    guard let declaration = index.declaration(of: type) else { return .unknown("`\(type.path)` is not found") }
    let initializers = index.members("init", of: type, file: context.unit.file).filter {
      index[$0].kind == .initializer
    }
    if declaration.kind == .enumeration {
      guard call.labels == ["rawValue"], initializers.isEmpty, let only = call.arguments.first else {
        return .either(expanded(.instance(type)))
      }
      let given = value(only.expression, context, state)
      guard let text = given.plain else { return .either([.unknown("any case of `\(type.path)`"), .null]) }
      let found = index.cases(of: type).first { index[$0].rawText == text }
      return found.map { .enumCase(type, index[$0].name, []) } ?? .null
    }
    let properties = index.properties(of: type).map { index[$0] }.filter { !$0.isStatic && !$0.hasBody }
    guard declaration.kind == .structure || isRecord(type, properties),
      !properties.contains(where: \.isWrapped), !properties.contains(where: \.isConditional)
    else { return .instance(type) }
    var fields: [String: Value] = [:]
    for property in properties {
      guard let range = property.value, let (unit, node) = units.expression(range, in: property.file) else { continue }
      fields[property.name] = quietly {
        value(node, Context(unit: unit, owner: property.owner), PathState(), expected: property.type)
      }
    }
    let own = initializers.filter { !index[$0].isExtending }
    guard own.isEmpty, !initializers.contains(where: { index[$0].labels == call.labels }) else {
      let fitting = initializers.filter { call.fits(index[$0]) }
      let exact = fitting.filter { index[$0].labels == call.labels }
      guard let number = (exact.count == 1 ? exact : fitting).first, exact.count == 1 || fitting.count == 1 else {
        return .instance(type)
      }
      return initialized(type, index[number], fields, call, context, state)
    }
    // The memberwise initializer.
    var member = Declaration(kind: .initializer, name: "init", owner: type.path, file: declaration.file, range: 0..<0)
    member.parameters = properties.filter { !($0.isConstant && $0.value != nil) }.map { property in
      let isVariable = !property.isConstant && (property.type?.isOptionalType == true)
      return .init(
        label: property.name, name: property.name, type: property.type ?? "",
        value: property.value ?? (isVariable ? 0..<0 : nil))
    }
    guard let pairs = call.pairs(with: member) else { return .instance(type) }
    for (parameter, argument) in zip(member.parameters, pairs) {
      switch argument {
      case .given(let expression):
        let wanted = fullType(parameter.type, in: type.path, file: declaration.file)
        fields[parameter.name] = value(expression, context, state, expected: wanted)
      case .standard: fields[parameter.name] = fields[parameter.name] ?? .null
      case .closure: fields[parameter.name] = .unknown("a closure")
      }
    }
    return .object(type, fields)
  }

  /// Whether it is a class whose objects only have the values that they are created with: a class of its own, or of
  /// `NSObject`, with constants alone.
  func isRecord(_ type: TypeReference, _ properties: [Declaration]) -> Bool {
    let ancestors = types.ancestors(of: type).dropFirst()
    let isAlone = ancestors.allSatisfy {
      index.declaration(of: $0)?.kind == .contract || Self.plainTypes.contains($0.path)
    }
    return index.declaration(of: type)?.kind == .reference && isAlone && !properties.isEmpty
      && properties.allSatisfy(\.isConstant)
  }

  private func isMethod(_ name: String, of type: TypeReference, _ context: Context) -> Bool {
    index.members(name, of: type, file: context.unit.file).contains {
      index[$0].kind == .function && !index[$0].isStatic
    }
  }

  private func initialized(
    _ type: TypeReference, _ one: Declaration, _ fields: [String: Value], _ call: FunctionCallExprSyntax,
    _ context: Context, _ state: PathState
  ) -> Value {
    guard let arguments = bound(call, to: one, context, state), let (unit, node) = units.unit(one),
      let body = node.as(InitializerDeclSyntax.self)?.body, one.type == nil, !one.isConditional,
      !node.trimmedDescription.contains("self.init"), !node.trimmedDescription.contains("super.")
    else { return .instance(type) }
    // Its own functions may change what it has set.
    let isChanged = body.mentionedNames.contains { isMethod($0, of: type, context) }
    guard !isChanged else { return .instance(type) }
    var inside = PathState.entered(one, arguments, nil)
    for (name, value) in fields { inside.locals["self." + name] = value }
    for property in index.properties(of: type) where fields[index[property].name] == nil && !index[property].isStatic {
      let name = index[property].name
      inside.locals["self." + name] =
        index[property].type?.isOptionalType == true ? .null : .unknown("`\(name)` is not set")
    }
    let returns = Returns()
    let states = quietly {
      run(body.statements, Context(unit: unit, owner: one.owner), [inside], returns, givesValue: false).next
    }
    guard returns.values.isEmpty, !states.isEmpty else { return .instance(type) }
    return .either(
      states.map { state in
        var fields: [String: Value] = [:]
        for (key, value) in state.locals where key.hasPrefix("self.") { fields[String(key.dropFirst(5))] = value }
        return .object(type, fields)
      })
  }
}

extension PathState {
  /// The state at the start of a function.
  static func entered(_ one: Declaration, _ arguments: [String: Value], _ receiver: Value?) -> PathState {
    var state = PathState()
    for parameter in one.parameters {
      state.locals[parameter.name] = arguments[parameter.name] ?? .unknown("`\(parameter.name)`")
      state.types[parameter.name] = parameter.type
    }
    for name in one.generics { state.locals[name] = .unknown("a type that the caller chooses") }
    if let receiver { state.locals["self"] = receiver }
    return state
  }
}
