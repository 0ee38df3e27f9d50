import DualSendCore
import DualSendInventory
import SwiftSyntax

extension Resolver {
  /// The value of a plain name.
  func reference(_ node: DeclReferenceExprSyntax, _ context: Context, _ state: PathState) -> Value {
    let name = node.baseName.identifierText
    if let local = state.locals[name] { return local }
    if name == "Self" {
      return ownType(context, state).map { .type($0) } ?? .unknown("which type `Self` is")
    }
    if name == "self" { return .unknown("`self` is not known here") }
    if let set = state.locals["self." + name] { return set }
    // Members of the enclosing types: all members of the innermost one, only static members of the others.
    var owner = context.owner
    var isInnermost = true
    while !owner.isEmpty {
      if let type = index.type(owner, in: "", file: context.unit.file) {
        if isInnermost, let own = state.locals["self"] {
          if let found = memberIfAny(name, of: own, context) { return found }
        }
        if let found = memberIfAny(name, of: .type(type), context) { return found }
      }
      isInnermost = false
      owner = owner.lastIndex(of: ".").map { String(owner[..<$0]) } ?? ""
    }
    let globals = index.globals(name, file: context.unit.file).filter { index[$0].kind == .property }
    if globals.count == 1 { return stored(globals[0], of: nil) }
    if globals.count > 1 { return .unknown("there are several `\(name)`") }
    if let type = index.type(name, in: context.owner, file: context.unit.file) { return .type(type) }
    if index.isAmbiguous(name) { return .unknown("there are several types `\(name)`") }
    if ["String", "Int", "Double", "Bool", "Date"].contains(name) { return .type(.init(path: name, file: nil)) }
    return .unknown("`\(name)` is not found in these sources")
  }

  /// The type that `Self` refers to.
  func ownType(_ context: Context, _ state: PathState) -> TypeReference? {
    if case .type(let type)? = state.locals["self"] { return type }
    guard let type = index.type(context.owner, in: "", file: context.unit.file) else { return nil }
    if case .object(let own, _)? = state.locals["self"] { return own }
    return index.declaration(of: type)?.kind == .reference && !implementations(of: type).isEmpty ? nil : type
  }

  /// `x.y`.
  func member(_ access: MemberAccessExprSyntax, _ context: Context, _ state: PathState, _ expected: String?) -> Value {
    let name = access.declName.baseName.identifierText
    guard let base = access.base else {
      guard let type = implicitType(expected, context, state) else { return .unknown("what `.\(name)` is of") }
      return memberIfAny(name, of: .type(type), context)
        ?? .unknown("`\(type.path)` has no `\(name)` in these sources")
    }
    // A full type name, possibly after that of its module.
    if let path = base.dottedName, state.locals[path.prefix { $0 != "." }.description] == nil,
      state.locals["self." + path.prefix { $0 != "." }] == nil
    {
      let full = path + "." + name
      if let type = index.type(path, in: context.owner, file: context.unit.file) {
        if let found = memberIfAny(name, of: .type(type), context) { return found }
        if let inner = index.type(full, in: context.owner, file: context.unit.file) { return .type(inner) }
      } else if index.isAmbiguous(path) {
        return .unknown("there are several types `\(path)`")
      } else if let inner = index.type(full, in: context.owner, file: context.unit.file) {
        return .type(inner)
      }
    }
    if base.is(DeclReferenceExprSyntax.self), base.dottedName == "self", let set = state.locals["self." + name] {
      return set
    }
    return value(base, context, state, expected: base.isImplicit ? expected : nil).map { member(name, of: $0, context) }
  }

  /// The type of which `.x` is a member: the expected one, which these sources may only extend.
  func implicitType(_ expected: String?, _ context: Context, _ state: PathState) -> TypeReference? {
    guard let plain = expected?.withoutOptional.trimmingTypeWords else { return nil }
    if plain == "Self" { return ownType(context, state) }
    return index.type(plain, in: context.owner, file: context.unit.file)
      ?? (index.isExtended(plain) ? TypeReference(path: plain, file: nil) : nil)
  }

  /// What `Self` is in a declaration: by a requirement, or by how it is reached.
  func receiver(of one: Declaration, reached receiver: Value?) -> Value? {
    one.selfType.flatMap { index.type($0, in: one.owner, file: one.file) }.map { .type($0) } ?? receiver
  }

  /// A member of a value.
  func member(_ name: String, of value: Value, _ context: Context) -> Value {
    if name == "self" { return value }
    if let found = memberIfAny(name, of: value, context) { return found }
    if case .parameter(let parameter, _) = value { return .parameter("\(parameter).\(name)", type: "") }
    return .unknown("`\(name)` is not found in these sources")
  }

  private func memberIfAny(_ name: String, of value: Value, _ context: Context) -> Value? {
    guard mayWork(), depth < Self.maximumDepth else { return .unknown(Self.tooMuch) }
    depth += 1
    defer { depth -= 1 }
    switch value {
    case .oneOf(let all):
      let each = all.map { memberIfAny(name, of: $0, context) }
      return each.contains(nil) ? nil : .either(each.compactMap { $0 })
    case .literal(.null): return .null
    case .unknown(let reason): return .unknown(reason)
    case .parameter(let parameter, let type):
      guard
        let declared = index.type(type.withoutOptional.trimmingTypeWords, in: context.owner, file: context.unit.file)
      else { return nil }
      let found = property(name, of: declared, isStatic: false, context)
      guard let number = found.first else {
        return name == "rawValue" ? .parameter("\(parameter).\(name)", type: "String") : nil
      }
      let one = index[number]
      if found.count == 1, index.declaration(of: declared)?.kind == .structure,
        one.hasBody || (one.isConstant && one.value != nil)
      {
        return stored(number, of: value)
      }
      return .parameter("\(parameter).\(name)", type: one.type ?? "")
    case .enumCase(let type, let caseName, _):
      if name == "rawValue", let raw = rawValue(caseName, of: type, context) { return raw }
      return ownMember(name, of: value, type, context)
    case .object(let type, let fields):
      if let field = fields[name] { return field }
      return ownMember(name, of: value, type, context)
    case .instance(let type):
      let key = MemoKey(declaration: -1, receiver: value, arguments: ["." + name: .null])
      if let known = memo[key] { return known }
      guard running.insert(key).inserted else { return .unknown("`\(name)` needs itself") }
      defer { running.remove(key) }
      let all = expanded(value)
      let found =
        all.first.map { if case .enumCase = $0 { true } else { false } } == true
        ? Value.either(all.map { member(name, of: $0, context) }) : ownMember(name, of: value, type, context)
      if let found { memo[key] = found }
      return found
    case .type(let type):
      let own = index.members(name, of: type, file: context.unit.file)
      if let one = own.first(where: { index[$0].kind == .enumCase }) {
        return .enumCase(type, index[one].name, [])
      }
      let all = property(name, of: type, isStatic: true, context)
      if all.count > 1 { return .unknown("there are several `\(name)`") }
      if let one = all.first { return stored(one, of: value) }
      return index.type(type.path + "." + name, in: "", file: context.unit.file).map { .type($0) }
    case .text, .pattern, .scalar(.string):
      if let rule = rules[name] { return value.plain.map { .text(rule.text($0), nil) } ?? .scalar(.string) }
      switch name {
      case "count": return .scalar(.int)
      case "isEmpty": return .scalar(.bool)
      case "description": return value
      default: return ownMember(name, of: value, .init(path: "String", file: nil), context)
      }
    case .dictionary, .list, .elements:
      return name == "count" ? .scalar(.int) : name == "isEmpty" ? .scalar(.bool) : nil
    case .literal, .scalar: return name == "description" ? .scalar(.string) : .scalar(.unknown)
    }
  }

  /// The raw value of a case.
  private func rawValue(_ name: String, of type: TypeReference, _ context: Context) -> Value? {
    guard index.members("rawValue", of: type, file: context.unit.file).isEmpty,
      let number = index.members(name, of: type, file: context.unit.file).first(where: { index[$0].kind == .enumCase }),
      let inherited = index.declaration(of: type)?.inherited, inherited.contains("String")
    else { return nil }
    let one = index[number]
    guard let text = one.rawText else { return .scalar(.string) }
    let origin = one.value.map { Origin(file: one.file, range: $0) }
    let nameRange = one.range.lowerBound..<one.range.lowerBound + name.utf8.count
    return .text(text, origin ?? Origin(file: one.file, range: nameRange, isCaseName: true))
  }

  /// A member that a type declares, read from one of its values.
  private func ownMember(_ name: String, of value: Value, _ type: TypeReference, _ context: Context) -> Value? {
    let found = property(name, of: type, isStatic: false, context)
    if found.count > 1 { return .unknown("there are several `\(name)`") }
    if isChosenByType(name, of: type, context) {
      return .unknown("which `\(name)` is read depends on the type that the code sees")
    }
    let kind = index.declaration(of: type)?.kind
    // For a protocol or a class that is not final, it may be the member of any conforming type or subclass.
    if case .instance = value, kind == .contract || kind == .reference {
      let others = implementations(of: type).filter { other in
        index.members(name, of: other, file: context.unit.file).contains { index[$0].kind == .property }
          || kind == .contract
      }
      guard kind == .contract || !others.isEmpty else {
        return found.first.map { stored($0, of: value) }
      }
      var all = others.flatMap { expanded(.instance($0)) }.map { member(name, of: $0, context) }
      if kind == .reference, let own = found.first { all.append(stored(own, of: value)) }
      if all.isEmpty { return found.first.map { declared(index[$0]) } }
      return .either(all)
    }
    return found.first.map { stored($0, of: value) }
  }

  /// Whether a protocol's extension has the property without requiring it, and a type that conforms has its own.
  private func isChosenByType(_ name: String, of type: TypeReference, _ context: Context) -> Bool {
    let all = types.ancestors(of: type).filter { index.declaration(of: $0)?.kind == .contract }
      .flatMap { index.members(name, of: $0, file: context.unit.file) }
      .filter { index[$0].kind == .property && !index[$0].isStatic }
    guard !all.isEmpty, all.allSatisfy({ index[$0].isExtending }) else { return false }
    return ([type] + implementations(of: type)).contains { one in
      index.declaration(of: one)?.kind != .contract
        && index.members(name, of: one, file: context.unit.file).contains { index[$0].kind == .property }
    }
  }

  /// Any value of a property's declared type.
  private func declared(_ one: Declaration) -> Value {
    guard let type = one.type else { return .unknown("`\(one.name)` is set elsewhere") }
    return value(ofType: type, in: one.owner, file: one.file)
  }

  /// The value of a property.
  func stored(_ number: Int, of receiver: Value?) -> Value {
    let one = index[number]
    let receiver = self.receiver(of: one, reached: receiver)
    let isShared = one.isStatic || one.owner.isEmpty
    let key = MemoKey(declaration: number, receiver: isShared && !one.hasBody ? nil : receiver)
    if let known = memo[key] { return known }
    guard running.insert(key).inserted else { return .unknown("`\(one.name)` needs itself") }
    defer { running.remove(key) }
    let found = isolated { worked(one, receiver, isShared: isShared) }
    memo[key] = found
    return found
  }

  private func worked(_ one: Declaration, _ receiver: Value?, isShared: Bool) -> Value {
    if one.isConditional { return .unknown("`\(one.name)` stands in `#if`") }
    if one.isWrapped { return declared(one) }
    guard one.hasBody || (one.value != nil && one.isConstant) else {
      // A service is known by its type.
      if one.type == nil, let range = one.value, let made = madeType(range, one) { return .instance(made) }
      if one.type == nil, one.value != nil, case .instance(let type) = initial(one, receiver) { return .instance(type) }
      return one.type == nil && one.value != nil
        ? kind(of: initial(one, receiver), one) : declared(one)
    }
    if one.hasBody { return narrowed(getter(one, receiver), to: one) }
    if let range = one.value, let made = madeType(range, one) { return .instance(made) }
    let found = initial(one, receiver)
    if case .unknown = found, one.type != nil { return narrowed(found, to: one) }
    return found
  }

  /// A variable that may have been changed: any value of the type of its initial value.
  private func kind(of value: Value, _ one: Declaration) -> Value {
    switch value {
    case .text, .pattern, .scalar(.string): .scalar(.string)
    case .enumCase(let type, _, _), .object(let type, _), .instance(let type): .instance(type)
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

  private func initial(_ one: Declaration, _ receiver: Value?) -> Value {
    guard let range = one.value, let (unit, node) = units.expression(range, in: one.file) else {
      return .unknown("`\(one.name)` has no value")
    }
    let context = Context(unit: unit, owner: one.owner)
    return quietly { value(node, context, PathState(), expected: one.type) }
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
      if body.count == 1, case .expr(let only)? = body.first?.item, !only.is(IfExprSyntax.self),
        !only.is(SwitchExprSyntax.self)
      {
        return value(only, context, state, expected: context.result)
      }
      let returns = Returns()
      let ends = run(body, context, [state], returns, givesValue: true).next
      let values = returns.values + ends.compactMap { $0.locals[PathState.result] }
      return values.isEmpty ? .unknown("it returns nothing") : .either(values)
    }
  }

  /// Evaluates without the observer, because the expressions are in other code.
  func quietly<Result>(_ work: () -> Result) -> Result {
    let outer = observe
    observe = nil
    defer { observe = outer }
    return work()
  }
}

extension ExprSyntax {
  /// Whether it starts with a dot, so that the context determines its type.
  var isImplicit: Bool {
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.isImplicit }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return false }
    return access.base?.isImplicit ?? true
  }

  /// `A.B.c`: names only.
  var dottedName: String? {
    if let name = self.as(DeclReferenceExprSyntax.self), name.argumentNames == nil {
      return name.baseName.identifierText
    }
    if let special = self.as(GenericSpecializationExprSyntax.self) { return special.expression.dottedName }
    guard let access = self.as(MemberAccessExprSyntax.self), let base = access.base?.dottedName else { return nil }
    return base + "." + access.declName.baseName.identifierText
  }
}
