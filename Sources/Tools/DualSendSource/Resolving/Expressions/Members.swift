import DualSendCore
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
    if let own = state.ownProperty(name) { return own }
    // Members of the enclosing types: all members of the innermost one, only static members of the others.
    var owner = context.owner
    var isInnermost = true
    while !owner.isEmpty {
      if let type = index.type(owner, in: "", file: context.unit.file) {
        if isInnermost, let own = state.locals["self"] {
          if case .unknown = own {
            if isReplaced(name, of: type, context) { return .unknown("which type's `\(name)` it is") }
          } else if let found = memberIfAny(name, of: own, context) {
            return found
          }
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
    let own: TypeReference?
    switch state.locals["self"] {
    case .type(let type)?, .instance(let type)?, .enumCase(let type, _, _)?: own = type
    case .object(let object)?: own = object.type
    default: own = index.type(context.owner, in: "", file: context.unit.file)
    }
    return own.flatMap { type in
      if case .type? = state.locals["self"] { return type }
      return hasSubtypes(type) ? nil : type
    }
  }

  /// Whether a value of the type may be one of another type: of a protocol, or of a class with subclasses.
  func hasSubtypes(_ type: TypeReference) -> Bool {
    switch index.declaration(of: type)?.kind {
    case .contract?: true
    case .reference?: !implementations(of: type).isEmpty
    default: false
    }
  }

  /// Whether a type that conforms to a protocol, or a subclass, has a static member of this name.
  private func isReplaced(_ name: String, of type: TypeReference, _ context: Context) -> Bool {
    hasSubtypes(type)
      && implementations(of: type).contains { other in
        index.members(name, of: other, file: context.unit.file).contains { index[$0].isStatic }
      }
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
      state.ownProperty(path.prefix { $0 != "." }.description) == nil
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
    guard effort.descend() else { return Effort.exceeded }
    defer { effort.depth -= 1 }
    switch value {
    case .oneOf(let all):
      let each = all.map { memberIfAny(name, of: $0, context) }
      return each.contains(nil) ? nil : .either(each.compactMap { $0 })
    case .literal(.null):
      return index.members(name, of: .optional, file: -1).isEmpty ? .null : .unknown("`\(name)` of nil")
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
    case .object(let object):
      return object.fields[name] ?? ownMember(name, of: value, object.type, context)
    case .instance(let type):
      return remembered(.init(declaration: -1, receiver: value, member: name), of: name) {
        let all = expanded(value)
        guard case .enumCase? = all.first else { return ownMember(name, of: value, type, context) }
        return .either(all.map { member(name, of: $0, context) })
      }
    case .type(let type):
      let own = index.members(name, of: type, file: context.unit.file)
      if let one = own.first(where: { index[$0].kind == .enumCase }) {
        return .enumCase(type, index[one].name, [])
      }
      let all = property(name, of: type, isStatic: true, context)
      if all.count > 1 { return .unknown("there are several `\(name)`") }
      if let one = all.first { return stored(one, of: value) }
      if name == "allCases", let all = allCases(of: type) { return all }
      return index.type(type.path + "." + name, in: "", file: context.unit.file).map { .type($0) }
    case .text, .pattern, .scalar(.string):
      if let rule = rules[name] { return value.plain.map { .text(rule.text($0)) } ?? .scalar(.string) }
      switch name {
      case "count": return value.plain.map { .literal(.int(Int64($0.count))) } ?? .scalar(.int)
      case "isEmpty": return value.plain.map { .literal(.bool($0.isEmpty)) } ?? .scalar(.bool)
      case "description": return value
      default: return ownMember(name, of: value, .init(path: "String", file: nil), context)
      }
    case .dictionary, .list, .elements:
      return name == "count" ? .scalar(.int) : name == "isEmpty" ? .scalar(.bool) : nil
    case .literal, .scalar: return name == "description" ? .scalar(.string) : .scalar(.unknown)
    }
  }

  /// The cases of an enum, in order, if it is one without associated values.
  private func allCases(of type: TypeReference) -> Value? {
    let cases = index.cases(of: type).map { index[$0] }
    guard types.isSubtype(type, of: "CaseIterable"), cases.allSatisfy({ $0.parameters.isEmpty && !$0.isConditional })
    else { return nil }
    return .list(cases.map { .enumCase(type, $0.name, []) })
  }

  /// The raw value of a case.
  private func rawValue(_ name: String, of type: TypeReference, _ context: Context) -> Value? {
    guard index.members("rawValue", of: type, file: context.unit.file).isEmpty,
      let number = index.members(name, of: type, file: context.unit.file).first(where: { index[$0].kind == .enumCase }),
      let inherited = index.declaration(of: type)?.inherited, inherited.contains("String")
    else { return nil }
    let one = index[number]
    guard let text = one.rawText else { return .scalar(.string) }
    return .text(text)
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
