import DualSendCore
import SwiftSyntax

/// Names and members, and the values of their declarations.
extension ValueReader {
  /// The value of a plain name.
  func reference(_ node: DeclReferenceExprSyntax, _ state: PathState) -> Value {
    let name = node.baseName.identifierText
    if let local = state.locals[name] { return local }
    if name == "Self" { return types.ownType(state).map { .type($0) } ?? .unknown("which type `Self` is") }
    if name == "self" { return .unknown("`self` is not known here") }
    if let own = state.ownProperty(name) { return own }
    // Members of the enclosing types: all members of the innermost one, only static members of the others.
    for (depth, type) in types.around(state).enumerated() {
      if depth == 0, let own = state.locals["self"] {
        if case .unknown = own {
          if isReplaced(name, of: type, state) { return .unknown("which type's `\(name)` it is") }
        } else if let found = memberIfAny(name, of: own, state) {
          return found
        }
      }
      if let found = memberIfAny(name, of: .type(type), state) { return found }
    }
    let globals = index.globals(name, file: state.unit.file).filter { index[$0].kind == .property }
    if globals.count == 1 { return stored(globals[0], of: nil) }
    if globals.count > 1 { return .unknown("there are several `\(name)`") }
    if let type = types.named(name, state) { return .type(type) }
    if index.isAmbiguous(name) { return .unknown("there are several types `\(name)`") }
    if ["String", "Int", "Double", "Bool", "Date"].contains(name) { return .type(.init(path: name, file: nil)) }
    return .unknown("`\(name)` is not found in these sources")
  }

  /// Whether a type that conforms to a protocol, or a subclass, has a static member of this name.
  private func isReplaced(_ name: String, of type: TypeReference, _ state: PathState) -> Bool {
    types.hasSubtypes(type)
      && types.implementations(of: type).contains { other in
        index.members(name, of: other, file: state.unit.file).contains { index[$0].isStatic }
      }
  }

  /// `x.y`.
  func member(_ access: MemberAccessExprSyntax, _ state: PathState, _ expected: String?) -> Value {
    let name = access.declName.baseName.identifierText
    guard let base = access.base else {
      guard let type = types.implicit(expected, state) else { return .unknown("what `.\(name)` is of") }
      return memberIfAny(name, of: .type(type), state)
        ?? .unknown("`\(type.path)` has no `\(name)` in these sources")
    }
    // A full type name, possibly after that of its module.
    if let path = base.dottedName, !state.isLocal(path),
      state.ownProperty(String(path.prefix { $0 != "." })) == nil
    {
      let type = types.named(path, state)
      if let type, let found = memberIfAny(name, of: .type(type), state) { return found }
      if type == nil, index.isAmbiguous(path) { return .unknown("there are several types `\(path)`") }
      if let inner = types.named(path + "." + name, state) { return .type(inner) }
    }
    return value(base, state, as: base.isImplicit ? expected : nil).map { member(name, of: $0, state) }
  }

  /// A member of a value.
  func member(_ name: String, of value: Value, _ state: PathState) -> Value {
    if name == "self" { return value }
    if let found = memberIfAny(name, of: value, state) { return found }
    if case .parameter(let parameter, _) = value { return .parameter("\(parameter).\(name)", type: "") }
    return .unknown("`\(name)` is not found in these sources")
  }

  private func memberIfAny(_ name: String, of value: Value, _ state: PathState) -> Value? {
    guard resolver.effort.descend() else { return Effort.exceeded }
    defer { resolver.effort.depth -= 1 }
    switch value {
    case .oneOf(let all):
      let each = all.map { memberIfAny(name, of: $0, state) }
      return each.contains(nil) ? nil : .either(each.compactMap { $0 })
    case .literal(.null):
      return index.members(name, of: .optional, file: -1).isEmpty ? .null : .unknown("`\(name)` of nil")
    case .unknown(let reason): return .unknown(reason)
    case .parameter(let parameter, let type): return member(name, ofParameter: parameter, type, value, state)
    case .enumCase(let type, let caseName, _):
      if name == "rawValue", let raw = rawValue(caseName, of: type, state) { return raw }
      return ownMember(name, of: value, type, state)
    case .object(let object): return object.fields[name] ?? ownMember(name, of: value, object.type, state)
    case .instance(let type):
      return remembered(.init(declaration: -1, receiver: value, member: name), of: name) {
        let all = types.expanded(value)
        guard case .enumCase? = all.first else { return ownMember(name, of: value, type, state) }
        return .either(all.map { member(name, of: $0, state) })
      }
    case .type(let type):
      if !types.own(name, .enumCase, of: type, state).isEmpty { return .enumCase(type, name, []) }
      let all = types.property(name, of: type, isStatic: true, state)
      if all.count > 1 { return .unknown("there are several `\(name)`") }
      if let one = all.first { return stored(one, of: value) }
      if name == "allCases", types.isSubtype(type, of: "CaseIterable") { return .elements(.instance(type)) }
      return index.type(type.path + "." + name, in: "", file: state.unit.file).map { .type($0) }
    case .text, .pattern, .scalar(.string):
      if let rule = resolver.rules[name] { return value.plain.map { .text(rule.text($0)) } ?? .scalar(.string) }
      switch name {
      case "count": return .scalar(.int)
      case "isEmpty": return value.plain.map { .literal(.bool($0.isEmpty)) } ?? .scalar(.bool)
      case "description": return value
      default: return ownMember(name, of: value, .string, state)
      }
    case .dictionary, .list, .elements:
      return name == "count" ? .scalar(.int) : name == "isEmpty" ? .scalar(.bool) : nil
    case .literal, .scalar: return name == "description" ? .scalar(.string) : .scalar(.unknown)
    }
  }

  private func member(
    _ name: String, ofParameter parameter: String, _ type: String, _ value: Value, _ state: PathState
  ) -> Value? {
    guard let declared = types.named(type.withoutOptional.trimmingTypeWords, state) else { return nil }
    let found = types.property(name, of: declared, isStatic: false, state)
    guard let number = found.first else {
      return name == "rawValue" ? .parameter("\(parameter).\(name)", type: "String") : nil
    }
    let one = index[number]
    let isKnown = one.hasBody || (one.isConstant && one.value != nil)
    if found.count == 1, index.declaration(of: declared)?.kind == .structure, isKnown {
      return stored(number, of: value)
    }
    return .parameter("\(parameter).\(name)", type: one.type ?? "")
  }

  /// The raw value of a case.
  private func rawValue(_ name: String, of type: TypeReference, _ state: PathState) -> Value? {
    guard index.members("rawValue", of: type, file: state.unit.file).isEmpty,
      let number = types.own(name, .enumCase, of: type, state).first,
      index.declaration(of: type)?.inherited.contains("String") == true
    else { return nil }
    return index[number].rawText.map { .text($0) } ?? .scalar(.string)
  }

  /// A member that a type declares, read from one of its values.
  private func ownMember(_ name: String, of value: Value, _ type: TypeReference, _ state: PathState) -> Value? {
    let found = types.property(name, of: type, isStatic: false, state)
    if found.count > 1 { return .unknown("there are several `\(name)`") }
    if isChosenByType(name, of: type, state) {
      return .unknown("which `\(name)` is read depends on the type that the code sees")
    }
    let kind = index.declaration(of: type)?.kind
    let own = found.first.map { stored($0, of: value) }
    // For a protocol or a class that is not final, it may be the member of any conforming type or subclass.
    guard case .instance = value, kind == .contract || kind == .reference else { return own }
    let others = types.implementations(of: type).filter { other in
      kind == .contract || !types.own(name, .property, of: other, state).isEmpty
    }
    guard kind == .contract || !others.isEmpty else { return own }
    var all = others.flatMap { types.expanded(.instance($0)) }.map { member(name, of: $0, state) }
    if kind == .reference, let own { all.append(own) }
    if all.isEmpty { return found.first.map { declared(index[$0]) } }
    return .either(all)
  }

  /// Whether a protocol's extension has the property without requiring it, and a type that conforms has its own.
  private func isChosenByType(_ name: String, of type: TypeReference, _ state: PathState) -> Bool {
    let all = types.ancestors(of: type).filter { index.declaration(of: $0)?.kind == .contract }
      .flatMap { types.own(name, .property, of: $0, state) }.filter { !index[$0].isStatic }
    guard !all.isEmpty, all.allSatisfy({ index[$0].isExtending }) else { return false }
    return ([type] + types.implementations(of: type)).contains { one in
      index.declaration(of: one)?.kind != .contract && !types.own(name, .property, of: one, state).isEmpty
    }
  }

  // MARK: declarations

  /// Any value of a property's declared type.
  private func declared(_ one: Declaration) -> Value {
    one.type.map { types.value($0, one) } ?? .unknown("`\(one.name)` is set elsewhere")
  }

  /// What `Self` is in a declaration: by a requirement, or by how it is reached.
  func receiver(of one: Declaration, reached receiver: Value?) -> Value? {
    one.selfType.flatMap { index.type($0, in: one.owner, file: one.file) }.map { .type($0) } ?? receiver
  }

  /// The value of a property.
  private func stored(_ number: Int, of receiver: Value?) -> Value {
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
    if one.isConstant { return narrowed(initial(range, one), to: one) }
    return one.type == nil ? kind(of: initial(range, one), one) : declared(one)
  }

  /// A variable that may have been changed: any value of the type of its initial value.
  private func kind(of value: Value, _ one: Declaration) -> Value {
    value.map { value in
      switch value {
      case .text, .pattern, .scalar(.string): .scalar(.string)
      case .enumCase(let type, _, _), .instance(let type): .instance(type)
      case .object(let object): .instance(object.type)
      case .literal(.null): .null
      default: .unknown("`\(one.name)` can be changed")
      }
    }
  }

  /// Any value of the declared type, if the body was not understood.
  private func narrowed(_ value: Value, to one: Declaration) -> Value {
    guard case .unknown = value, one.type != nil else { return value }
    let declared = declared(one)
    switch declared {
    case .scalar(.string), .dictionary, .unknown: return value
    default: return declared
    }
  }

  /// The value of an expression that stands in a declaration: a first value or a default.
  func initial(_ range: Range<Int>?, _ one: Declaration, as type: String? = nil) -> Value {
    guard let range, let (unit, node) = resolver.units.expression(range, in: one.file) else {
      return .unknown("`\(one.name)` is not understood")
    }
    let state = PathState(unit, owner: one.owner)
    return resolver.statements.quietly { value(node, state, as: type ?? one.type) }
  }

  private func getter(_ one: Declaration, _ receiver: Value?) -> Value {
    guard let (unit, node) = resolver.units.unit(one),
      let accessors = node.as(VariableDeclSyntax.self)?.bindings.first?.accessorBlock?.accessors
    else { return .unknown("`\(one.name)` is not understood") }
    let body: CodeBlockItemListSyntax? =
      switch accessors {
      case .getter(let items): items
      case .accessors(let all): all.first { $0.accessorSpecifier.text == "get" }?.body?.statements
      }
    var state = PathState(unit, owner: one.owner, result: one.type)
    if let receiver { state.locals["self"] = receiver }
    return body.map { resolver.statements.result(of: $0, state) } ?? .unknown("`\(one.name)` is not understood")
  }
}
