import SwiftSyntax

/// Walks a file and lists what it declares; bodies are only looked through for names.
final class DeclarationCollector: SyntaxVisitor {
  private let file: Int
  private(set) var declarations = FileDeclarations()
  /// The types around the place, outermost first, by their position in the list.
  private var around: [Int] = []
  /// How many bodies of functions the place is in: what is declared there is local.
  private var depth = 0
  /// Whether something around the place is seen by its file alone.
  private var privacy: [Bool] = []

  init(file: Int) {
    self.file = file
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Types

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.structure, node.name.identifierText, node.inheritanceClause, node.modifiers, Syntax(node))
  }
  override func visitPost(_ node: StructDeclSyntax) { leave() }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.reference, node.name.identifierText, node.inheritanceClause, node.modifiers, Syntax(node))
  }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.reference, node.name.identifierText, node.inheritanceClause, node.modifiers, Syntax(node))
  }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.enumeration, node.name.identifierText, node.inheritanceClause, node.modifiers, Syntax(node))
  }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.interface, node.name.identifierText, node.inheritanceClause, node.modifiers, Syntax(node))
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      .extended, node.extendedType.plainName ?? "", node.inheritanceClause, node.modifiers, Syntax(node),
      isWhole: true)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { leave() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    guard depth == 0 else { return .skipChildren }
    declarations.types.append(
      TypeDeclaration(
        kind: .alias, name: qualified(node.name.identifierText),
        inherited: [node.initializer.value.trimmedDescription], isPrivate: isPrivate(node.modifiers),
        place: place(Syntax(node))))
    return .skipChildren
  }

  private func enter(
    _ kind: TypeDeclaration.Kind, _ name: String, _ inheritance: InheritanceClauseSyntax?,
    _ modifiers: DeclModifierListSyntax, _ node: Syntax, isWhole: Bool = false
  ) -> SyntaxVisitorContinueKind {
    privacy.append(isPrivate(modifiers) || depth > 0)
    around.append(declarations.types.count)
    declarations.types.append(
      TypeDeclaration(
        kind: kind, name: isWhole ? name : qualified(name, without: 1),
        inherited: inheritance?.inheritedTypes.compactMap { $0.type.plainName } ?? [],
        isPrivate: privacy.contains(true), place: place(node)))
    return .visitChildren
  }

  private func leave() {
    around.removeLast()
    privacy.removeLast()
  }

  private func qualified(_ name: String, without inner: Int = 0) -> String {
    guard let type = around.dropLast(inner).last else { return name }
    return declarations.types[type].name + "." + name
  }

  // MARK: Members and globals

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    if depth == 0 {
      for binding in node.bindings { add(binding, of: node) }
    }
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: VariableDeclSyntax) { depth -= 1 }

  private func add(_ binding: PatternBindingSyntax, of node: VariableDeclSyntax) {
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { return }
    let kind: Declaration.Kind =
      binding.accessorBlock.map(\.isComputed) == true
      ? .computed : node.bindingSpecifier.tokenKind == .keyword(.let) ? .constant : .variable
    add(
      Declaration(
        kind: kind, name: pattern.identifier.identifierText, isStatic: node.modifiers.areStatic,
        isPrivate: isPrivate(node.modifiers), isWrapped: !node.attributes.allSatisfy(\.isHarmless),
        place: place(Syntax(binding))))
  }

  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
    for element in node.elements {
      let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
      add(
        Declaration(
          kind: .enumCase, name: element.name.identifierText,
          labels: parameters.map { $0.firstName?.identifierText ?? "_" }, isStatic: true, isPrivate: false,
          isWrapped: false, place: place(Syntax(element))))
    }
    return .skipChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if depth == 0 {
      add(
        Declaration(
          kind: .function, name: node.name.identifierText, labels: node.signature.labels,
          defaults: node.signature.defaults, isStatic: node.modifiers.areStatic,
          isPrivate: isPrivate(node.modifiers), isWrapped: !node.attributes.allSatisfy(\.isHarmless),
          place: place(Syntax(node))))
    }
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: FunctionDeclSyntax) { depth -= 1 }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if depth == 0 {
      add(
        Declaration(
          kind: .initializer, name: "init", labels: node.signature.labels, defaults: node.signature.defaults,
          isStatic: true, isPrivate: isPrivate(node.modifiers), isWrapped: false, place: place(Syntax(node))))
    }
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: InitializerDeclSyntax) { depth -= 1 }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: SubscriptDeclSyntax) { depth -= 1 }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: DeinitializerDeclSyntax) { depth -= 1 }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: ClosureExprSyntax) { depth -= 1 }

  // MARK: Names

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    declarations.mentioned.insert(node.baseName.identifierText)
    return .skipChildren
  }

  private func add(_ declaration: Declaration) {
    if let type = around.last {
      declarations.types[type].members.append(declaration)
    } else {
      declarations.globals.append(declaration)
    }
  }

  private func isPrivate(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
  }

  private func place(_ node: Syntax) -> Place {
    Place(file: file, offset: node.positionAfterSkippingLeadingTrivia.utf8Offset)
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var identifierText: String {
    identifier?.name ?? text
  }
}

extension DeclModifierListSyntax {
  var areStatic: Bool {
    contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }
}

extension FunctionSignatureSyntax {
  var labels: [String] { parameterClause.parameters.map { $0.firstName.identifierText } }

  /// The positions of the parameters that a call may leave out.
  var defaults: Set<Int> {
    Set(
      parameterClause.parameters.enumerated().compactMap { position, parameter in
        parameter.defaultValue != nil || parameter.ellipsis != nil ? position : nil
      })
  }
}

extension AccessorBlockSyntax {
  /// Whether a property with it has no value of its own; observers leave it one.
  var isComputed: Bool {
    switch accessors {
    case .getter: true
    case .accessors(let list):
      !list.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }
  }
}

extension AttributeListSyntax.Element {
  /// Whether an attribute leaves a property's value, or a function's body, alone.
  fileprivate var isHarmless: Bool {
    guard case .attribute(let attribute) = self else { return false }
    return Self.harmless.contains(attribute.attributeName.trimmedDescription)
  }

  private static let harmless: Set<String> = [
    "available", "discardableResult", "inlinable", "inline", "usableFromInline", "objc", "nonobjc", "MainActor",
    "Sendable", "preconcurrency", "warn_unqualified_access", "IBAction", "IBOutlet", "frozen", "unknown", "_spi",
    "escaping", "autoclosure", "concurrent", "GKInspectable", "IBInspectable", "backDeployed", "dynamicCallable",
  ]
}

extension TypeSyntax {
  /// The type's name without its generic arguments, `any` and `some`; `nil` for a type that has none.
  var plainName: String? {
    if let type = self.as(IdentifierTypeSyntax.self) { return type.name.identifierText }
    if let type = self.as(MemberTypeSyntax.self) {
      return type.baseType.plainName.map { $0 + "." + type.name.identifierText }
    }
    if let type = self.as(SomeOrAnyTypeSyntax.self) { return type.constraint.plainName }
    if let type = self.as(AttributedTypeSyntax.self) { return type.baseType.plainName }
    return nil
  }
}
