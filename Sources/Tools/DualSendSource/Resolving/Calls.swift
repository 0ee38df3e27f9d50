import DualSendCore
import SwiftSyntax

/// Reads the results of calls: of functions and initializers of these sources, of enum cases, and of the functions of the
/// standard library that build names and dictionaries.
final class CallReader {
  private unowned let resolver: Resolver
  private let types: TypeReader

  private var index: DeclarationIndex { types.index }

  init(_ resolver: Resolver) {
    (self.resolver, types) = (resolver, resolver.types)
  }

  private func value(_ expression: ExprSyntax, _ state: PathState, as expected: String? = nil) -> Value {
    resolver.values.value(expression, state, as: expected)
  }

  /// The result of a call.
  func result(of call: FunctionCallExprSyntax, _ state: PathState, _ expected: String?) -> Value {
    let ownType = types.ownType(state)
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
      if state.locals[name] != nil { return .unknown("`\(name)` is a closure or a local function") }
      if let type = ["String": SentType.string, "Date": .date][name], types.named(name, state) == nil {
        return .scalar(type)
      }
      if name == "Self" { return ownType.map { made($0, call, state) } ?? .unknown("which type `Self` is") }
      if let type = types.named(name, state) { return made(type, call, state) }
      if index.isAmbiguous(name) { return .unknown("there are several types `\(name)`") }
      let receiver = state.locals["self"]
      if let receiver, let built = standardResult(name, of: receiver, call, state) { return built }
      let own = receiver.map { types.candidates(name, $0, state) } ?? []
      return function(call, own.isEmpty ? types.candidates(name, nil, state) : own, receiver, state)
    }
    if call.arguments.isEmpty, call.calledExpression.is(DictionaryExprSyntax.self) { return .dictionary(.init()) }
    if call.arguments.isEmpty, call.calledExpression.is(ArrayExprSyntax.self) { return .list([]) }
    guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else { return .unknown(state.form(call)) }
    let name = access.declName.baseName.identifierText
    guard let base = access.base else {
      return types.implicit(expected, state).map { made(name, of: $0, call, state) }
        ?? .unknown("what `.\(name)` is of")
    }
    if let path = base.dottedName, !state.isLocal(path) {
      if path == "Self" {
        return ownType.map { made(name, of: $0, call, state) } ?? .unknown("which type `Self` is")
      }
      if let type = types.named(path, state) { return made(name, of: type, call, state) }
      if index.isAmbiguous(path) { return .unknown("there are several types `\(path)`") }
      if let type = types.named(path + "." + name, state) { return made(type, call, state) }
    }
    return value(base, state, as: base.isImplicit ? expected : nil).map { method(name, of: $0, call, state) }
  }

  /// `T.x(…)`: a case, an initializer or a static function.
  private func made(
    _ name: String, of type: TypeReference, _ call: FunctionCallExprSyntax, _ state: PathState
  ) -> Value {
    if name == "init" { return made(type, call, state) }
    if let one = types.own(name, .enumCase, of: type, state).first.map({ index[$0] }) {
      let arguments = bound(call, to: one, state)
      return .enumCase(
        type, name,
        one.parameters.map { .init(name: $0.name, value: arguments?[$0.name] ?? .unknown("an argument")) })
    }
    if let inner = index.type(type.path + "." + name, in: "", file: state.unit.file) { return made(inner, call, state) }
    return function(call, types.candidates(name, .type(type), state), .type(type), state)
  }

  private func method(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ state: PathState
  ) -> Value {
    if base == .null { return types.isOwn(name, call) ? .unknown("`\(name)` of nil") : .null }
    if let built = standardResult(name, of: base, call, state) { return built }
    if case .type(let type) = base { return made(name, of: type, call, state) }
    if case .parameter(let parameter, _) = base { return .parameter("\(parameter).\(name)(…)", type: "") }
    return function(call, types.candidates(name, base, state), base, state)
  }

  // MARK: functions of these sources

  /// A function that a call means, and the state at its start.
  private struct Meant {
    let key: ValueReader.MemoKey
    let one: Declaration
    let body: CodeBlockItemListSyntax
    let state: PathState
  }

  /// The function that a call means, if there is exactly one, and if it can be followed.
  private func meant(
    _ call: FunctionCallExprSyntax, _ candidates: [Int], _ receiver: Value?, _ state: PathState
  ) -> Meant? {
    let all = preferred(candidates.filter { call.fits(index[$0]) && index[$0].hasBody }, by: call)
    guard all.count == 1, let number = all.first else { return nil }
    let one = index[number]
    let receiver = resolver.values.receiver(of: one, reached: receiver)
    guard let arguments = bound(call, to: one, state), !one.isConditional, !one.isWrapped,
      !types.isOverridden(one, receiver), let (unit, node) = resolver.units.unit(one),
      let body = node.as(FunctionDeclSyntax.self)?.body
    else { return nil }
    return Meant(
      key: .init(declaration: number, receiver: receiver, arguments: arguments), one: one, body: body.statements,
      state: PathState(unit, entering: one, arguments, one.owner.isEmpty ? nil : receiver))
  }

  /// Those of some functions that have exactly the labels of a call; all of them if none has.
  private func preferred(_ all: [Int], by call: FunctionCallExprSyntax) -> [Int] {
    let exact = all.filter { index[$0].labels == call.labels }
    return exact.isEmpty ? all : exact
  }

  /// The result of the function that a call means.
  private func function(
    _ call: FunctionCallExprSyntax, _ candidates: [Int], _ receiver: Value?, _ state: PathState
  ) -> Value {
    guard let meant = meant(call, candidates, receiver, state) else { return .unknown(state.form(call)) }
    return resolver.values.remembered(meant.key, of: meant.one.signature) {
      resolver.statements.result(of: meant.body, meant.state)
    } ?? .null
  }

  /// What a value is after a call that may change it; `nil` if the function cannot be followed.
  func changed(_ base: Value, by call: FunctionCallExprSyntax, _ state: PathState) -> Value? {
    guard let name = call.calledName?.identifierText else { return nil }
    if let found = standardChange(name, of: base, call, state) { return found }
    if case .parameter = base { return base }
    if base == .null { return types.isOwn(name, call) ? nil : base }
    guard let meant = meant(call, types.candidates(name, base, state), base, state) else { return nil }
    guard meant.one.isMutating else { return base }
    var key = meant.key
    key.member = "after it"
    return resolver.values.remembered(key, of: meant.one.signature) {
      let ends = resolver.statements.ends(of: meant.body, meant.state)
      return PathState.joined(ends).map { $0.locals["self"] ?? .unknown("`self` is not known here") }
    }
  }

  /// The arguments by parameter name, including defaults; `nil` if they do not match.
  func bound(_ call: FunctionCallExprSyntax, to one: Declaration, _ state: PathState) -> [String: Value]? {
    guard let pairs = call.pairs(with: one) else { return nil }
    var bound: [String: Value] = [:]
    for (parameter, argument) in zip(one.parameters, pairs) {
      let found: Value
      switch argument {
      case _ where parameter.type.hasSuffix("..."):
        found = .elements(types.value(String(parameter.type.dropLast(3)), one))
      case .given(let expression): found = value(expression, state, as: types.full(parameter.type, one))
      case .standard: found = resolver.values.initial(parameter.value, one, as: parameter.type)
      case .closure: found = .unknown("a closure")
      }
      bound[parameter.name] = found
      if case .unknown = found, case .scalar(let type) = types.value(parameter.type, one), type != .string,
        type != .unknown
      {
        bound[parameter.name] = .scalar(type)
      }
    }
    return bound
  }

  // MARK: initializers

  /// The value that an initializer creates.
  private func made(_ type: TypeReference, _ call: FunctionCallExprSyntax, _ state: PathState) -> Value {
    guard let declaration = index.declaration(of: type) else { return .unknown("`\(type.path)` is not found") }
    let model = types.model(of: type)
    let initializers = types.own("init", .initializer, of: model, state)
    if declaration.kind == .enumeration {
      guard call.labels == ["rawValue"], initializers.isEmpty else { return .either(types.expanded(.instance(type))) }
      return .either([.unknown("which case of `\(type.path)` it is"), .null])
    }
    let properties = index.storedProperties(of: model)
    guard declaration.kind == .structure || types.isRecord(model, properties),
      !properties.contains(where: { $0.isWrapped || $0.isConditional })
    else { return .instance(type) }
    var object = Value.Object(type: type, fields: [:])
    for property in properties where property.value != nil {
      object.fields[property.name] = resolver.values.initial(property.value, property)
    }
    if initializers.allSatisfy({ index[$0].isExtending && index[$0].labels != call.labels }) {
      return memberwise(object, properties, call, state)
    }
    let fitting = preferred(initializers.filter { call.fits(index[$0]) }, by: call)
    guard fitting.count == 1, let only = fitting.first else { return .instance(type) }
    for property in properties where object.fields[property.name] == nil {
      object.fields[property.name] =
        property.type?.isOptionalType == true ? .null : .unknown("`\(property.name)` is not set")
    }
    return initialized(index[only], object, call, state)
  }

  private func memberwise(
    _ start: Value.Object, _ properties: [Declaration], _ call: FunctionCallExprSyntax, _ state: PathState
  ) -> Value {
    var object = start
    let file = index.declaration(of: start.type)?.file ?? 0
    var one = Declaration(kind: .initializer, name: "init", owner: start.type.path, file: file, range: 0..<0)
    one.parameters = properties.filter { !($0.isConstant && $0.value != nil) }.map { property in
      let isVariable = !property.isConstant && (property.type?.isOptionalType == true)
      return .init(
        label: property.name, name: property.name, type: property.type ?? "",
        value: property.value ?? (isVariable ? 0..<0 : nil))
    }
    guard let pairs = call.pairs(with: one) else { return .instance(start.type) }
    for (parameter, argument) in zip(one.parameters, pairs) {
      switch argument {
      case .given(let given): object.fields[parameter.name] = value(given, state, as: types.full(parameter.type, one))
      case .standard: object.fields[parameter.name] = object.fields[parameter.name] ?? .null
      case .closure: object.fields[parameter.name] = .unknown("a closure")
      }
    }
    return .object(object)
  }

  private func initialized(
    _ one: Declaration, _ start: Value.Object, _ call: FunctionCallExprSyntax, _ state: PathState
  ) -> Value {
    guard let arguments = bound(call, to: one, state), let (unit, node) = resolver.units.unit(one),
      let body = node.as(InitializerDeclSyntax.self)?.body?.statements, one.type == nil, !one.isConditional,
      !node.trimmedDescription.contains("self.init"), !node.trimmedDescription.contains("super.")
    else { return .instance(start.type) }
    let ends = resolver.statements.ends(of: body, PathState(unit, entering: one, arguments, .object(start)))
    let values = ends.flatMap { ($0.locals["self"] ?? .instance(start.type)).alternatives }.map { value in
      if case .object = value { value } else { Value.instance(start.type) }
    }
    return values.isEmpty ? .instance(start.type) : .either(values)
  }

  // MARK: the standard library

  /// The result of a function of the standard library; `nil` if it is none, or not read.
  private func standardResult(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ state: PathState
  ) -> Value? {
    if base.isText {
      if call.arguments.isEmpty, let rule = resolver.rules[name] {
        return base.plain.map { .text(rule.text($0)) } ?? .scalar(.string)
      }
      return nil
    }
    switch (name, call.labels, base) {
    case _ where types.isOwn(name, call): return nil
    case ("joined", [], .list(let all)): return joined(all, .text(""))
    case ("joined", ["separator"], .list(let all)):
      return call.arguments.first.flatMap { joined(all, value($0.expression, state)) }
    case ("merging", ["_"], .dictionary(let shape)), ("merging", ["_", "uniquingKeysWith"], .dictionary(let shape)):
      return merged(shape, call, state)
    case ("filter", [], .dictionary(let shape)), ("filter", ["_"], .dictionary(let shape)),
      ("compactMapValues", [], .dictionary(let shape)), ("compactMapValues", ["_"], .dictionary(let shape)):
      return .dictionary(shape.thinned)
    default: return nil
    }
  }

  /// What a value is after a call of a function of the standard library; `nil` if it is none, or not read.
  private func standardChange(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ state: PathState
  ) -> Value? {
    guard case .dictionary(var shape) = base, let first = call.arguments.first, !types.isOwn(name, call) else {
      return nil
    }
    let keys = call.receiver?.localName.flatMap { state.types[$0] }?.dictionaryTypes?.key
    switch (name, call.labels) {
    case ("merge", ["_"]), ("merge", ["_", "uniquingKeysWith"]): return merged(shape, call, state)
    case ("updateValue", ["_", "forKey"]):
      let key = call.arguments[call.arguments.index(after: call.arguments.startIndex)].expression
      let name = resolver.values.key(key, state, as: keys, in: &shape)
      shape.set(name, .init(value: value(first.expression, state), isOptional: false), text: key.shortText)
      return .dictionary(shape)
    case ("removeValue", ["forKey"]):
      shape.remove(resolver.values.key(first.expression, state, as: keys, in: &shape))
      return .dictionary(shape)
    default: return nil
    }
  }

  private func merged(_ shape: Value.Dictionary, _ call: FunctionCallExprSyntax, _ state: PathState) -> Value? {
    let type = call.receiver?.localName.flatMap { state.types[$0] }
    return call.arguments.first.map { value($0.expression, state, as: type) }?.map { added in
      guard case .dictionary(let added) = added else {
        return .dictionary(added == .null ? shape : shape.opened(added.reason("a dictionary that is merged")))
      }
      var merged = shape
      merged.merge(added)
      return .dictionary(merged)
    }
  }

  /// The texts of an array in one, with a separator between them.
  private func joined(_ all: [Value], _ separator: Value) -> Value? {
    var texts = [Value.text("")]
    for (number, element) in all.enumerated() {
      let parts = element.alternatives
      guard parts.allSatisfy(\.isText), texts.count * parts.count <= Value.maximumTexts else { return nil }
      texts = texts.flatMap { text in
        parts.map { (number == 0 ? text : text.appending(separator)).appending($0) }
      }
    }
    return separator.isText ? .either(texts) : nil
  }
}
