import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// What a declaration stands for.
  ///
  /// - Parameters:
  ///   - selfValue: what it is a member of, if it is one.
  ///   - typeName: the type that it stands in.
  func value(of declaration: Declaration, selfValue: SourceValue?, typeName: String?) -> SourceValue {
    let file = declaration.place.file
    if declaration.isWrapped { return .open("`\(declaration.name)` has a wrapper or a macro") }
    switch declaration.kind {
    case .enumCase:
      guard let type = selfValue?.typeID else { return .open("`.\(declaration.name)`") }
      guard declaration.labels.isEmpty else { return .open("the case `\(declaration.name)` without its values") }
      return SourceValue(.enumCase(type: type, name: declaration.name, values: []))
    case .function, .initializer: return .open("the function `\(declaration.name)` itself")
    case .computed: return computed(declaration, selfValue, typeName)
    case .constant, .variable:
      guard let binding = syntax(declaration.place, as: PatternBindingSyntax.self) else {
        return .open("`\(declaration.name)`")
      }
      if let given = given(declaration, selfValue) { return given }
      let context = EvaluationContext(file: file, typeName: typeName, selfValue: selfValue.map(Self.typeItself))
      let declared = binding.typeAnnotation.map { value(of: $0.type, typeName: typeName, file: file) }
      let isTainted = !declaration.isStatic && selfValue?.dependsOnCaller == true
      guard declaration.kind == .constant, let initial = binding.initializer?.value else {
        // A variable keeps its type, if not its value.
        if let declared { return declared.tainted(isTainted) }
        guard let initial = binding.initializer?.value else {
          return .open("`\(declaration.name)` is set elsewhere", dependsOnCaller: isTainted)
        }
        var path = Path()
        return value(initial, context, &path).kindOnly("`\(declaration.name)` can change").tainted(isTainted)
      }
      var path = Path()
      let found = value(initial, context, &path, expected: declared?.typeID)
      if let declared, case .open = found.shape { return declared.tainted(isTainted) }
      return found.converted(to: declared)
    }
  }

  /// Initial values are worked out before there is a `self`.
  private static func typeItself(_ value: SourceValue) -> SourceValue {
    value.typeID.map { SourceValue(.type($0)) } ?? value
  }

  private func computed(
    _ declaration: Declaration, _ selfValue: SourceValue?, _ typeName: String?
  ) -> SourceValue {
    guard let binding = syntax(declaration.place, as: PatternBindingSyntax.self),
      let body = binding.accessorBlock?.getterBody
    else { return .open("`\(declaration.name)`") }
    let file = declaration.place.file
    let declared = binding.typeAnnotation.map { value(of: $0.type, typeName: typeName, file: file) }
    let context = EvaluationContext(file: file, typeName: typeName, selfValue: selfValue)
    let found = returned(by: body, context, Path(), expected: declared?.typeID)
    let result = found.converted(to: declared)
    let isOpen = if case .oneOf = result.shape { true } else { false }
    return result.tainted(isOpen && selfValue?.dependsOnCaller == true && !declaration.isStatic)
  }

  /// The value that an initializer was given for a property.
  private func given(_ declaration: Declaration, _ selfValue: SourceValue?) -> SourceValue? {
    guard !declaration.isStatic, case .instance(_, let fields?)? = selfValue?.shape else { return nil }
    return fields.first { $0.label == declaration.name }?.value
  }

  /// What a body returns: one of the values that its ways bring back.
  func returned(
    by body: CodeBlockItemListSyntax, _ context: EvaluationContext, _ path: Path, expected: TypeID?
  ) -> SourceValue {
    var context = context
    if body.count == 1, let only = body.first?.expression,
      !(only.is(IfExprSyntax.self) || only.is(SwitchExprSyntax.self)) || !only.containsReturn
    {
      var path = path
      return value(only, context, &path, expected: expected)
    }
    let flow = run(body, &context, [path], returning: expected)
    guard !flow.returned.isEmpty else { return .open("it returns nothing") }
    return .oneOf(flow.returned.map(\.value))
  }

  /// Some value of a type, as far as its name says.
  func value(of type: TypeSyntax, typeName: String?, file: Int) -> SourceValue {
    switch type.as(TypeSyntaxEnum.self) {
    case .optionalType(let optional):
      return .oneOf([value(of: optional.wrappedType, typeName: typeName, file: file), .null])
    case .implicitlyUnwrappedOptionalType(let optional):
      return .oneOf([value(of: optional.wrappedType, typeName: typeName, file: file), .null])
    case .arrayType(let array):
      return SourceValue(.elements(value(of: array.element, typeName: typeName, file: file)))
    case .dictionaryType: return SourceValue(.object(.init(open: "the dictionary comes from elsewhere")))
    case .tupleType(let tuple):
      if tuple.elements.count == 1, let only = tuple.elements.first {
        return value(of: only.type, typeName: typeName, file: file)
      }
      return SourceValue(
        .tuple(
          tuple.elements.map {
            .init(
              label: $0.firstName?.identifierText ?? "", value: value(of: $0.type, typeName: typeName, file: file))
          }))
    case .attributedType(let attributed): return value(of: attributed.baseType, typeName: typeName, file: file)
    case .identifierType(let named) where named.genericArgumentClause != nil:
      return generic(named, typeName: typeName, file: file)
    default:
      guard let name = type.plainName else { return .open("a value of the type `\(type.excerpt)`") }
      if let id = index.type(name, in: typeName, file: file) { return SourceValue(.instance(type: id, fields: nil)) }
      if let kind = Self.scalarTypes[name] { return .scalar(kind) }
      return .open("a value of the type `\(name)`")
    }
  }

  private func generic(_ named: IdentifierTypeSyntax, typeName: String?, file: Int) -> SourceValue {
    let arguments =
      named.genericArgumentClause?.arguments.compactMap { argument -> TypeSyntax? in
        if case .type(let type) = argument.argument { type } else { nil }
      } ?? []
    switch (named.name.identifierText, arguments.count) {
    case ("Optional", 1): return .oneOf([value(of: arguments[0], typeName: typeName, file: file), .null])
    case ("Array", 1): return SourceValue(.elements(value(of: arguments[0], typeName: typeName, file: file)))
    case ("Dictionary", 2): return SourceValue(.object(.init(open: "the dictionary comes from elsewhere")))
    default: return .open("a value of the type `\(named.excerpt)`")
    }
  }

  /// Types that the tracker sends as a value without parts; `UUID` and `URL` as their text.
  static let scalarTypes: [String: SourceValue.ScalarKind] = [
    "String": .string, "Substring": .string, "Character": .string, "UUID": .string, "URL": .string,
    "NSString": .string, "StaticString": .string,
    "Int": .int, "Int8": .int, "Int16": .int, "Int32": .int, "Int64": .int, "UInt": .int, "UInt8": .int,
    "UInt16": .int, "UInt32": .int, "UInt64": .int,
    "Double": .double, "Float": .double, "CGFloat": .double, "TimeInterval": .double, "Float32": .double,
    "Float64": .double,
    "Bool": .bool, "Date": .date,
  ]
}

extension SourceValue {
  /// A literal's kind, where the value itself can change.
  func kindOnly(_ reason: String) -> SourceValue {
    switch shape {
    case .literal(.string), .text: SourceValue.scalar(.string).tainted(by: self)
    case .literal(.int): SourceValue.scalar(.int).tainted(by: self)
    case .literal(.double): SourceValue.scalar(.double).tainted(by: self)
    case .literal(.bool): SourceValue.scalar(.bool).tainted(by: self)
    case .scalar: self
    case .enumCase(let type, _, _), .instance(let type, _):
      SourceValue(.instance(type: type, fields: nil), dependsOnCaller: dependsOnCaller)
    case .object: SourceValue(.object(.init(open: reason)), dependsOnCaller: dependsOnCaller)
    default: .open(reason, dependsOnCaller: dependsOnCaller)
    }
  }

  /// A literal as the type that it is assigned to makes it: `1` as a `Double`.
  func converted(to declared: SourceValue?) -> SourceValue {
    guard let declared else { return self }
    if case .open = shape {
      if case .open = declared.shape { return self }
      return declared.tainted(by: self)
    }
    if case .literal(.int(let number)) = shape, declared.alternatives.contains(where: { $0.shape == .scalar(.double) })
    {
      return SourceValue(.literal(.double(Double(number))), dependsOnCaller: dependsOnCaller)
    }
    return self
  }
}

extension AccessorBlockSyntax {
  /// The statements that make a computed property's value.
  var getterBody: CodeBlockItemListSyntax? {
    switch accessors {
    case .getter(let body): body
    case .accessors(let list):
      list.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }?.body?.statements
    }
  }
}

extension CodeBlockItemSyntax {
  /// The expression that a statement is; `if` and `switch` are some, too.
  var expression: ExprSyntax? {
    switch item {
    case .expr(let expression): expression
    case .stmt(let statement): statement.as(ExpressionStmtSyntax.self)?.expression
    case .decl: nil
    }
  }
}

extension ExprSyntax {
  /// Whether an `if` or `switch` is a statement that leaves the function, not a value.
  var containsReturn: Bool {
    final class Finder: SyntaxVisitor {
      var isFound = false
      override func visitPost(_ node: ReturnStmtSyntax) { isFound = true }
      override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
      override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    }
    let finder = Finder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.isFound
  }
}
