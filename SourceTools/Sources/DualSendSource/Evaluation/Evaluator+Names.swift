import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// What a name means: a local value, a member of the type around it, something of the file or of any other.
  func named(_ name: DeclReferenceExprSyntax, _ context: EvaluationContext, _ path: inout Path) -> SourceValue {
    let text = name.baseName.identifierText
    switch name.baseName.tokenKind {
    case .keyword(.self): return context.selfValue ?? .open("`self`", dependsOnCaller: true)
    case .keyword(.Self):
      return context.typeName.flatMap { index.type($0, in: nil, file: context.file) }
        .map { SourceValue(.type($0)) } ?? .open("`Self`")
    case .keyword(.super): return .open("`super`")
    default: break
    }
    if let id = context.names.ids[text] {
      if path.pinned.contains(id) { return .open("a closure may change `\(text)` at any time") }
      return path.values[id] ?? .open("`\(text)` has no value yet")
    }
    if context.names.functions[text] != nil { return .open("the function `\(text)` itself") }
    if let own = context.selfValue, let found = ownMember(text, of: own, context) { return found }
    if let found = outerMember(text, context) { return found }
    let globals = index.globals(text, file: context.file).filter { $0.kind != .function }
    if Set(globals.map(\.place.file)).count > 1 { return .open("several files declare `\(text)`") }
    if !globals.isEmpty { return oneOf(globals, selfValue: nil, typeName: nil) }
    if let type = index.type(text, in: context.typeName, file: context.file) { return SourceValue(.type(type)) }
    if let builtIn = Self.builtInTypes[text] { return SourceValue(.type(TypeID(name: builtIn, file: nil))) }
    return .open("`\(text)` is not declared in these sources")
  }

  /// A member that is named without `self.`; members of the type itself only where `self` is the type, or it has one.
  private func ownMember(_ name: String, of own: SourceValue, _ context: EvaluationContext) -> SourceValue? {
    guard let type = own.typeID,
      !index.members(name, of: type, file: context.file).isEmpty
        || index.isRequirement(name, of: type, file: context.file)
    else { return nil }
    return property(name, of: own, file: context.file)
  }

  /// What a type around the type around a place declares for all its values.
  private func outerMember(_ name: String, _ context: EvaluationContext) -> SourceValue? {
    var around = context.typeName
    while let here = around {
      if let type = index.type(here, in: nil, file: context.file),
        index.members(name, of: type, file: context.file).contains(where: { $0.isStatic && $0.kind != .function })
      {
        return property(name, of: SourceValue(.type(type)), file: context.file)
      }
      around = here.lastIndex(of: ".").map { String(here[..<$0]) }
    }
    return nil
  }

  static let builtInTypes = [
    "String": "String", "Int": "Int", "Double": "Double", "Bool": "Bool", "Float": "Double", "CGFloat": "Double",
    "Date": "Date",
  ]

  /// `a.b`, `.b`, `A.b`.
  func member(
    _ member: MemberAccessExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    let name = member.declName.baseName.identifierText
    guard let base = member.base else {
      guard let expected else { return .open("`.\(name)`, of a type that is not known here") }
      return property(name, of: SourceValue(.type(expected)), file: context.file)
    }
    if let type = typeNamed(base, context, path) {
      if name == "self" { return SourceValue(.type(type)) }
      return property(name, of: SourceValue(.type(type)), file: context.file)
    }
    let whole = value(base, context, &path)
    return .oneOf(whole.alternatives.map { property(name, of: $0.tainted(by: whole), file: context.file) })
  }

  /// The type that an expression names, dotted or not, unless a value has that name.
  func typeNamed(_ expression: ExprSyntax, _ context: EvaluationContext, _ path: Path) -> TypeID? {
    if let name = expression.as(DeclReferenceExprSyntax.self) {
      let text = name.baseName.identifierText
      if name.baseName.tokenKind == .keyword(.Self) {
        return context.typeName.flatMap { index.type($0, in: nil, file: context.file) }
      }
      guard name.baseName.tokenKind != .keyword(.self), context.names.ids[text] == nil else { return nil }
      return index.type(text, in: context.typeName, file: context.file)
    }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base,
      let outer = typeNamed(base, context, path)
    else { return nil }
    return index.type(outer.name + "." + member.declName.baseName.identifierText, in: nil, file: context.file)
  }

  /// A property of a value, or a member of a type.
  func property(_ name: String, of whole: SourceValue, file: Int) -> SourceValue {
    switch whole.shape {
    case .oneOf: return .oneOf(whole.alternatives.map { property(name, of: $0, file: file) })
    case .tuple(let fields):
      let field =
        fields.first { $0.label == name } ?? Int(name).flatMap { fields.indices.contains($0) ? fields[$0] : nil }
      return field?.value.tainted(by: whole) ?? .open("`.\(name)` of a tuple")
    case .enumCase where name == "rawValue" && index.members(name, of: whole.typeID, file: file).isEmpty:
      return rawValue(of: whole, file: file)
    case .instance(let type, _) where name == "rawValue" && index.declaration(of: type)?.kind == .enumeration:
      return .oneOf(cases(of: type, file: file).map { rawValue(of: $0, file: file).tainted(by: whole) })
    case .enumCase(let type, _, _), .instance(let type, _): return member(name, of: type, whole, file: file)
    case .type(let type):
      if name == "allCases", index.members(name, of: type, file: file).isEmpty {
        return SourceValue(.list(cases(of: type, file: file)))
      }
      return member(name, of: type, whole, file: file)
    default: return SourceValue.standardProperty(name, of: whole)
    }
  }

  private func member(_ name: String, of type: TypeID, _ whole: SourceValue, file: Int) -> SourceValue {
    let isType = if case .type = whole.shape { true } else { false }
    let found = index.members(name, of: type, file: file).filter { $0.isStatic == isType && $0.kind != .function }
    guard !found.isEmpty else {
      if name == "description" || name == "debugDescription" { return .scalar(.string).tainted(by: whole) }
      if name == "hashValue" { return .scalar(.int).tainted(by: whole) }
      return .open("`\(type.name)` has no `\(name)` in these sources", dependsOnCaller: whole.dependsOnCaller)
    }
    // A declaration is not the last word where a subclass, or another type of the protocol, may have its own.
    if !isType, whole.isOfUnknownSubtype, index.isRedeclared(name, below: type) {
      return .open("which `\(name)` is meant is up to the type of the value", dependsOnCaller: true)
    }
    return oneOf(found, selfValue: whole, typeName: type.name)
  }

  /// What one of several declarations of one name stands for: several where `#if` has them.
  private func oneOf(_ found: [Declaration], selfValue: SourceValue?, typeName: String?) -> SourceValue {
    .oneOf(
      found.map { declaration in
        deeper { unobserved { self.value(of: declaration, selfValue: selfValue, typeName: typeName) } }
      })
  }

  /// All cases of an enum, with values of which only the types are known.
  func cases(of type: TypeID, file: Int) -> [SourceValue] {
    index.parts(of: type, file: file).flatMap(\.members).filter { $0.kind == .enumCase }.map { declaration in
      let values = syntax(declaration.place, as: EnumCaseElementSyntax.self)?.parameterClause.map { clause in
        clause.parameters.map { parameter in
          SourceValue.Field(
            label: parameter.firstName?.identifierText ?? "_",
            value: value(of: parameter.type, typeName: type.name, file: declaration.place.file))
        }
      }
      return SourceValue(.enumCase(type: type, name: declaration.name, values: values ?? []))
    }
  }

  /// The raw value of an enum's case: the one that is written, or the one that follows.
  func rawValue(of value: SourceValue, file: Int) -> SourceValue {
    guard case .enumCase(let type, let name, _) = value.shape,
      let element = index.members(name, of: type, file: file).first(where: { $0.kind == .enumCase }),
      let declared = syntax(element.place, as: EnumCaseElementSyntax.self)
    else { return .open("a raw value") }
    if let raw = declared.rawValue {
      var path = Path()
      return self.value(
        raw.value, EvaluationContext(file: element.place.file, typeName: type.name, selfValue: nil), &path
      ).tainted(by: value)
    }
    let kinds = index.parts(of: type, file: file).flatMap(\.inherited)
    if kinds.contains("String") { return SourceValue.text(name).tainted(by: value) }
    if kinds.contains("Int") { return SourceValue.scalar(.int).tainted(by: value) }
    return .open("the raw value of `\(name)`", dependsOnCaller: value.dependsOnCaller)
  }

  /// The node that a declaration was read from.
  func syntax<Node: SyntaxProtocol>(_ place: Place, as kind: Node.Type) -> Node? {
    guard let tree = sources.source(place.file)?.tree,
      let token = tree.token(at: AbsolutePosition(utf8Offset: place.offset))
    else { return nil }
    var node: Syntax? = Syntax(token)
    while let here = node {
      if let found = here.as(Node.self), found.positionAfterSkippingLeadingTrivia.utf8Offset == place.offset {
        return found
      }
      node = here.parent
    }
    return nil
  }
}

extension SourceValue {
  /// The type of the sources that the value is of, or that it is.
  var typeID: TypeID? {
    switch shape {
    case .enumCase(let type, _, _), .instance(let type, _), .type(let type): type
    default: nil
    }
  }

  /// Whether it may be of a type that is made of the one that is known.
  var isOfUnknownSubtype: Bool {
    if case .instance(_, nil) = shape { true } else { false }
  }

  /// A property of a value of the standard library.
  static func standardProperty(_ name: String, of whole: SourceValue) -> SourceValue {
    switch (name, whole.shape) {
    case ("count", .list), ("count", .elements), ("count", .object), ("count", .literal(.string)), ("count", .text),
      ("count", .scalar(.string)), ("hashValue", _):
      return SourceValue.scalar(.int).tainted(by: whole)
    case ("isEmpty", .list), ("isEmpty", .elements), ("isEmpty", .object), ("isEmpty", .literal(.string)),
      ("isEmpty", .text), ("isEmpty", .scalar(.string)):
      return SourceValue.scalar(.bool).tainted(by: whole)
    case ("description", .literal), ("description", .scalar), ("description", .text):
      let text = whole.described(as: "description")
      if case .open = text.shape { return SourceValue.scalar(.string).tainted(by: whole) }
      return text
    case ("timeIntervalSince1970", .scalar(.date)), ("timeIntervalSinceNow", .scalar(.date)):
      return SourceValue.scalar(.double).tainted(by: whole)
    case ("first", .elements(let element)), ("last", .elements(let element)):
      return SourceValue.oneOf([element, .null]).tainted(by: whole)
    case ("first", .list(let elements)): return (elements.first ?? .null).tainted(by: whole)
    case ("last", .list(let elements)): return (elements.last ?? .null).tainted(by: whole)
    default:
      return .open("`.\(name)` of a value that is not known", dependsOnCaller: whole.dependsOnCaller)
    }
  }
}
