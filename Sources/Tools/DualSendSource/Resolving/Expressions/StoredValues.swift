import DualSendCore
import SwiftSyntax

/// The values of declarations: properties, and the bodies of functions.
extension Resolver {
  /// Any value of a property's declared type.
  func declared(_ one: Declaration) -> Value {
    guard let type = one.type else { return .unknown("`\(one.name)` is set elsewhere") }
    return value(ofType: type, in: one.owner, file: one.file)
  }

  /// The value of a property.
  func stored(_ number: Int, of receiver: Value?) -> Value {
    let one = index[number]
    let receiver = self.receiver(of: one, reached: receiver)
    let isShared = one.isStatic || one.owner.isEmpty
    let key = MemoKey(declaration: number, receiver: isShared && !one.hasBody ? nil : receiver)
    return remembered(key, of: one.name) { worked(one, receiver) } ?? declared(one)
  }

  private func worked(_ one: Declaration, _ receiver: Value?) -> Value {
    if one.isConditional { return .unknown("`\(one.name)` stands in `#if`") }
    if one.isWrapped { return declared(one) }
    if one.hasBody { return narrowed(getter(one, receiver), to: one) }
    guard let range = one.value else { return declared(one) }
    // A service is known by its type.
    if one.isConstant || one.type == nil, let made = madeType(range, one) { return .instance(made) }
    if one.isConstant { return narrowed(initial(range, one), to: one) }
    return one.type == nil ? kind(of: initial(range, one), one) : declared(one)
  }

  /// A variable that may have been changed: any value of the type of its initial value.
  private func kind(of value: Value, _ one: Declaration) -> Value {
    switch value {
    case .text, .pattern, .scalar(.string): .scalar(.string)
    case .enumCase(let type, _, _), .instance(let type): .instance(type)
    case .object(let object): .instance(object.type)
    case .oneOf(let all): .either(all.map { kind(of: $0, one) })
    case .literal(.null): .null
    default: .unknown("`\(one.name)` can be changed")
    }
  }

  /// Any value of the declared type, if the body was not understood.
  private func narrowed(_ value: Value, to one: Declaration) -> Value {
    guard case .unknown = value, let type = one.type else { return value }
    let declared = self.value(ofType: type, in: one.owner, file: one.file)
    switch declared {
    case .scalar(.string): return value
    case .dictionary, .unknown: return value
    default: return declared
    }
  }

  /// The class whose initializer an expression calls, unless its objects are records. They are services, which are not
  /// evaluated.
  private func madeType(_ range: Range<Int>, _ one: Declaration) -> TypeReference? {
    guard let (_, node) = units.expression(range, in: one.file),
      let call = node.as(FunctionCallExprSyntax.self), let path = call.calledExpression.dottedName
    else { return nil }
    let name = path.hasSuffix(".init") ? String(path.dropLast(5)) : path
    guard let type = index.type(name == "Self" ? one.owner : name, in: one.owner, file: one.file),
      index.declaration(of: type)?.kind == .reference
    else { return nil }
    let properties = index.properties(of: type).map { index[$0] }.filter { !$0.isStatic && !$0.hasBody }
    let isData = isRecord(type, properties) && properties.contains { $0.type?.withoutOptional == "String" }
    return isData ? nil : type
  }

  private func initial(_ range: Range<Int>, _ one: Declaration) -> Value {
    guard let (unit, node) = units.expression(range, in: one.file) else {
      return .unknown("`\(one.name)` is not understood")
    }
    return quietly { value(node, Context(unit: unit, owner: one.owner), PathState(), expected: one.type) }
  }

  private func getter(_ one: Declaration, _ receiver: Value?) -> Value {
    guard let (unit, node) = units.unit(one), let variable = node.as(VariableDeclSyntax.self),
      let accessors = variable.bindings.first?.accessorBlock?.accessors
    else { return .unknown("`\(one.name)` is not understood") }
    let body: CodeBlockItemListSyntax? =
      switch accessors {
      case .getter(let items): items
      case .accessors(let all): all.first { $0.accessorSpecifier.text == "get" }?.body?.statements
      }
    guard let body else { return .unknown("`\(one.name)` is not understood") }
    var state = PathState()
    if let receiver { state.locals["self"] = receiver }
    return result(of: body, Context(unit: unit, owner: one.owner, result: one.type), state)
  }

  /// The return value of a body.
  func result(of body: CodeBlockItemListSyntax, _ context: Context, _ state: PathState) -> Value {
    quietly {
      let returns = Returns()
      _ = run(body, context, state, returns, givesValue: true)
      return returns.values.isEmpty ? .unknown("it returns nothing") : .either(returns.values)
    }
  }
}
