import DualSendCore
import SwiftSyntax

extension Resolver {
  /// Protocols and classes of libraries that add no values.
  private static let plainTypes: Set<String> = [
    "String", "Int", "Sendable", "Hashable", "Equatable", "Comparable", "Codable", "Decodable", "Encodable", "Error",
    "CaseIterable", "Identifiable", "RawRepresentable", "CustomStringConvertible", "AnyObject", "NSObject",
  ]

  /// The value that an initializer creates.
  func made(
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
    guard declaration.kind != .reference || isRecord(type, properties), declaration.kind != .contract,
      declaration.kind != .alias,
      !properties.contains(where: \.isWrapped), !properties.contains(where: \.isConditional)
    else { return .instance(type) }
    var object = Value.Object(type: type, fields: [:])
    for property in properties {
      guard let range = property.value, let (unit, node) = units.expression(range, in: property.file) else { continue }
      object.fields[property.name] = quietly {
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
      return initialized(type, index[number], object, call, context, state)
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
        object.fields[parameter.name] = value(expression, context, state, expected: wanted)
      case .standard: object.fields[parameter.name] = object.fields[parameter.name] ?? .null
      case .closure: object.fields[parameter.name] = .unknown("a closure")
      }
    }
    return .object(object)
  }

  /// Whether it is a class whose objects only have the values that they are created with: a class of its own, or of
  /// `NSObject`, with constants alone.
  func isRecord(_ type: TypeReference, _ properties: [Declaration]) -> Bool {
    index.declaration(of: type)?.kind == .reference && isAlone(type) && !properties.isEmpty
      && properties.allSatisfy(\.isConstant)
  }

  /// Whether a type inherits no values.
  private func isAlone(_ type: TypeReference) -> Bool {
    types.ancestors(of: type).dropFirst().allSatisfy {
      index.declaration(of: $0)?.kind == .contract || Self.plainTypes.contains($0.path)
    }
  }

  private func initialized(
    _ type: TypeReference, _ one: Declaration, _ start: Value.Object, _ call: FunctionCallExprSyntax,
    _ context: Context,
    _ state: PathState
  ) -> Value {
    guard let arguments = bound(call, to: one, context, state), let (unit, node) = units.unit(one),
      let body = node.as(InitializerDeclSyntax.self)?.body?.statements, one.type == nil, !one.isConditional,
      !node.trimmedDescription.contains("self.init"), !node.trimmedDescription.contains("super.")
    else { return .instance(type) }
    var start = start
    for number in index.properties(of: type) where !index[number].isStatic && !index[number].hasBody {
      let (name, isOptional) = (index[number].name, index[number].type?.isOptionalType == true)
      start.fields[name] = start.fields[name] ?? (isOptional ? .null : .unknown("`\(name)` is not set"))
    }
    let inside = PathState.entered(one, arguments, .object(start))
    let returns = Returns()
    let next = quietly { run(body, Context(unit: unit, owner: one.owner), inside, returns).next }
    let ends = (next.map { [$0] } ?? []) + returns.states
    return ends.isEmpty
      ? .instance(type)
      : .either(
        ends.flatMap { end in
          (end.locals["self"] ?? .instance(type)).alternatives.map { one in
            if case .object = one { one } else { .instance(type) }
          }
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
