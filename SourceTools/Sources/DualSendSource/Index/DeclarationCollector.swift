import SwiftParser
import SwiftSyntax

/// Finds the declarations of a file, and the names that stand in it.
final class DeclarationCollector: SyntaxVisitor {
  private let file: Int
  private(set) var facts = FileFacts()
  private var owners: [(path: String, isPrivate: Bool, isExtension: Bool, rawType: String?)] = []
  private var conditions = 0

  init(file: Int) {
    self.file = file
    super.init(viewMode: .sourceAccurate)
  }

  private func add(
    _ kind: Declaration.Kind, _ name: String, _ node: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax,
    _ change: (inout Declaration) -> Void = { _ in }
  ) {
    var declaration = Declaration(kind: kind, name: name, owner: owners.last?.path ?? "", file: file, range: node.bytes)
    let words = Set(modifiers.map(\.name.text))
    declaration.isStatic = !words.isDisjoint(with: ["static", "class"])
    declaration.isPrivate = !words.isDisjoint(with: ["private", "fileprivate"]) || owners.last?.isPrivate == true
    declaration.isOverride = words.contains("override")
    declaration.isFinal = words.contains("final")
    declaration.isConditional = conditions > 0
    declaration.isExtending = owners.last?.isExtension == true
    change(&declaration)
    facts.declarations.append(declaration)
  }

  private func enter(
    _ kind: Declaration.Kind, _ name: TokenSyntax, _ node: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax,
    _ clause: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    let inherited = clause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    add(kind, name.identifierText, node, modifiers) { $0.inherited = inherited }
    guard let added = facts.declarations.last else { return .skipChildren }
    owners.append((added.path, added.isPrivate, false, kind == .enumeration ? inherited.first : nil))
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.structure, node.name, node, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: StructDeclSyntax) { owners.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.reference, node.name, node, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ClassDeclSyntax) { owners.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.reference, node.name, node, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ActorDeclSyntax) { owners.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.enumeration, node.name, node, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: EnumDeclSyntax) { owners.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.contract, node.name, node, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { owners.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let path = node.extendedType.plainName ?? node.extendedType.trimmedDescription
    let inherited = node.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    if !inherited.isEmpty { add(.extending, path, node, node.modifiers) { $0.inherited = inherited } }
    let isPrivate = node.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
    owners.append((path, isPrivate, true, nil))
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { owners.removeLast() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    add(.alias, node.name.identifierText, node, node.modifiers) { $0.type = node.initializer.value.trimmedDescription }
    return .skipChildren
  }

  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
    for element in node.elements {
      add(.enumCase, element.name.identifierText, element, node.modifiers) { added in
        added.isStatic = true
        added.isConstant = true
        added.value = element.rawValue?.value.bytes
        added.rawText = element.rawValue.map { $0.value.plainText } ?? element.name.identifierText
        added.type = owners.last?.rawType
        added.parameters =
          element.parameterClause?.parameters.enumerated().map { number, parameter in
            .init(
              label: parameter.firstName?.identifierText ?? "_",
              name: parameter.firstName?.identifierText ?? "\(number)",
              type: parameter.type.trimmedDescription, value: parameter.defaultValue?.value.bytes)
          } ?? []
      }
    }
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let last = node.bindings.last?.typeAnnotation?.type.trimmedDescription
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else { continue }
      add(.property, name, node, node.modifiers) { added in
        added.isConstant = node.bindingSpecifier.text == "let"
        added.type = binding.typeAnnotation?.type.trimmedDescription ?? (binding.initializer == nil ? last : nil)
        added.value = binding.initializer?.value.bytes
        let accessors = binding.accessorBlock.map(\.accessors)
        switch accessors {
        case .getter?: added.hasBody = true
        case .accessors(let all)?:
          let words = Set(all.map(\.accessorSpecifier.text))
          added.hasBody = all.contains { $0.accessorSpecifier.text == "get" && $0.body != nil }
          added.isWrapped = !added.hasBody && !words.isDisjoint(with: ["didSet", "willSet", "_read", "set"])
        case nil: break
        }
        if !node.attributes.isEmpty { added.isWrapped = added.isWrapped || node.attributes.mayWrap }
      }
    }
    scan(Syntax(node))
    return .skipChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    add(.function, node.name.identifierText, node, node.modifiers) { added in
      added.parameters = node.signature.declaredParameters
      added.type = node.signature.returnClause?.type.trimmedDescription
      added.hasBody = node.body != nil
    }
    scan(Syntax(node))
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    add(.initializer, "init", node, node.modifiers) { added in
      added.parameters = node.signature.declaredParameters
      added.type = node.optionalMark == nil ? nil : "?"
      added.hasBody = node.body != nil
    }
    scan(Syntax(node))
    return .skipChildren
  }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    conditions += 1
    return .visitChildren
  }
  override func visitPost(_ node: IfConfigDeclSyntax) { conditions -= 1 }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    facts.mentioned.insert(node.baseName.identifierText)
    return .visitChildren
  }

  /// Names in a body; what is declared there is local.
  private func scan(_ node: Syntax) {
    for token in node.tokens(viewMode: .sourceAccurate) {
      if case .identifier(let text) = token.tokenKind, token.parent?.is(DeclReferenceExprSyntax.self) == true {
        facts.mentioned.insert(text.hasPrefix("`") ? token.identifierText : text)
      }
    }
  }
}

extension FunctionSignatureSyntax {
  var declaredParameters: [Declaration.Parameter] {
    parameterClause.parameters.map { parameter in
      .init(
        label: parameter.firstName.identifierText, name: (parameter.secondName ?? parameter.firstName).identifierText,
        type: parameter.type.trimmedDescription + (parameter.ellipsis == nil ? "" : "..."),
        value: parameter.defaultValue?.value.bytes)
    }
  }

  var labelText: String { parameterClause.parameters.map { $0.firstName.identifierText + ":" }.joined() }
}

extension AttributeListSyntax {
  /// Whether an attribute may be a property wrapper or a macro.
  fileprivate var mayWrap: Bool {
    let plain: Set<String> = [
      "available", "objc", "MainActor", "discardableResult", "inlinable", "usableFromInline", "nonobjc", "IBOutlet",
      "NSCopying", "frozen", "backDeployed", "_spi", "TaskLocal", "Sendable", "preconcurrency",
    ]
    return contains { element in
      element.as(AttributeSyntax.self).map { !plain.contains($0.attributeName.trimmedDescription) } ?? true
    }
  }
}

extension TokenSyntax {
  /// A name without backticks.
  var identifierText: String { identifier?.name ?? text }
}

extension TypeSyntax {
  /// A dotted name without generic arguments; `nil` for any other type.
  var plainName: String? {
    if let name = self.as(IdentifierTypeSyntax.self) { return name.name.identifierText }
    if let member = self.as(MemberTypeSyntax.self) {
      return member.baseType.plainName.map { $0 + "." + member.name.identifierText }
    }
    return nil
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolations.
  var plainText: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}
