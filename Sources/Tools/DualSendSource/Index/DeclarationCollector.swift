import SwiftParser
package import SwiftSyntax

/// Finds the declarations of a file and the names that it uses. Declarations inside functions are local, and left out.
struct DeclarationCollector {
  private let file: Int
  private(set) var facts = FileFacts()

  /// The context of a declaration.
  private struct Owner {
    var path = ""
    var isPrivate = false
    var isExtension = false
    var isConditional = false
    /// Whether Objective-C sees all members.
    var isObjectiveC = false
    /// For an enum, the first type that it inherits from.
    var rawType: String?
    /// The type that `Self` is by a requirement.
    var selfType: String?
  }

  init(_ tree: SourceFileSyntax, file: Int) {
    self.file = file
    facts.mentioned = tree.mentionedNames
    add(tree.statements, Owner())
  }

  private mutating func add(_ items: CodeBlockItemListSyntax, _ owner: Owner) {
    for item in items { if case .decl(let declaration) = item.item { add(declaration, owner) } }
  }

  private mutating func add(_ members: MemberBlockItemListSyntax, _ owner: Owner) {
    for member in members { add(member.decl, owner) }
  }

  private mutating func add(_ declaration: DeclSyntax, _ owner: Owner) {
    switch declaration.as(DeclSyntaxEnum.self) {
    case .structDecl(let node): add(.structure, node, owner)
    case .classDecl(let node): add(.reference, node, owner)
    case .actorDecl(let node): add(.reference, node, owner)
    case .enumDecl(let node): add(.enumeration, node, owner)
    case .protocolDecl(let node): add(.contract, node, owner)
    case .extensionDecl(let node): add(node, owner)
    case .enumCaseDecl(let node): add(node, owner)
    case .variableDecl(let node): add(node, owner)
    case .typeAliasDecl(let node):
      add(.alias, node.name, node, node.modifiers, owner) { $0.type = node.initializer.value.trimmedDescription }
    case .functionDecl(let node):
      add(.function, node.name, node, node.modifiers, owner) { added in
        added.parameters = node.declaredParameters
        added.type = node.signature.returnClause?.type.trimmedDescription
        added.hasBody = node.body != nil
        added.isWrapped = node.attributes.mayWrap
        added.objectiveCName =
          node.attributes.selector(of: added.name) ?? (owner.isObjectiveC ? added.name : nil)
      }
    case .initializerDecl(let node):
      add(.initializer, node.initKeyword, node, node.modifiers, owner) { added in
        added.parameters = node.declaredParameters
        added.type = node.optionalMark == nil ? nil : "?"
        added.hasBody = node.body != nil
      }
    case .ifConfigDecl(let node):
      var owner = owner
      owner.isConditional = true
      for clause in node.clauses {
        switch clause.elements {
        case .decls(let members)?: add(members, owner)
        case .statements(let items)?: add(items, owner)
        default: break
        }
      }
    default: break
    }
  }

  /// Adds one declaration.
  ///
  /// - Returns: the context of its members.
  @discardableResult
  private mutating func add(
    _ kind: Declaration.Kind, _ name: TokenSyntax, _ node: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax,
    _ owner: Owner, _ change: (inout Declaration) -> Void
  ) -> Owner {
    var added = Declaration(kind: kind, name: name.identifierText, owner: owner.path, file: file, range: node.bytes)
    let words = Set(modifiers.map(\.name.text))
    added.isStatic = !words.isDisjoint(with: ["static", "class"])
    added.isPrivate = !words.isDisjoint(with: ["private", "fileprivate"]) || owner.isPrivate
    added.isFinal = words.contains("final")
    added.isMutating = words.contains("mutating")
    added.isPublic = !words.isDisjoint(with: ["public", "open", "package"])
    added.isConditional = owner.isConditional
    added.isExtending = owner.isExtension
    added.selfType = owner.selfType
    added.generics = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause?.names ?? []
    change(&added)
    facts.declarations.append(added)
    return Owner(path: added.path, isPrivate: added.isPrivate, isConditional: owner.isConditional)
  }

  private mutating func add(_ kind: Declaration.Kind, _ node: some NamedDeclSyntax & DeclGroupSyntax, _ owner: Owner) {
    let inherited = node.inheritedNames
    let associated = node.memberBlock.members.compactMap { member in
      member.decl.as(AssociatedTypeDeclSyntax.self)?.name.identifierText
    }
    var inner = add(kind, node.name, node, node.modifiers, owner) { added in
      added.inherited = inherited
      added.generics += associated
      added.hasObjectiveCMembers = node.attributes.named("objcMembers") != nil
    }
    inner.isObjectiveC = node.attributes.named("objc") != nil && kind == .contract
    inner.rawType = kind == .enumeration ? inherited.first : nil
    add(node.memberBlock.members, inner)
  }

  private mutating func add(_ node: ExtensionDeclSyntax, _ owner: Owner) {
    let path = node.extendedType.plainName ?? node.extendedType.trimmedDescription
    let inherited = node.inheritedNames
    var inner = owner
    inner.isPrivate = node.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
    (inner.path, inner.isExtension) = (path, true)
    inner.isObjectiveC = node.attributes.named("objc") != nil
    inner.selfType =
      node.genericWhereClause?.requirements.lazy
      .compactMap { $0.requirement.as(SameTypeRequirementSyntax.self) }
      .first { $0.leftType.trimmedDescription == "Self" }?.rightType.trimmedDescription
    if !inherited.isEmpty {
      let name = TokenSyntax.identifier(path)
      add(.extending, name, node, node.modifiers, owner) { $0.inherited = inherited }
    }
    add(node.memberBlock.members, inner)
  }

  private mutating func add(_ node: EnumCaseDeclSyntax, _ owner: Owner) {
    for element in node.elements {
      add(.enumCase, element.name, element, node.modifiers, owner) { added in
        added.isStatic = true
        added.isConstant = true
        added.value = element.rawValue?.value.bytes
        added.rawText = element.rawValue.map { $0.value.plainText } ?? element.name.identifierText
        added.type = owner.rawType
        added.parameters =
          element.parameterClause?.parameters.enumerated().map { number, parameter in
            .init(
              label: parameter.firstName?.identifierText ?? "_",
              name: parameter.firstName?.identifierText ?? "\(number)",
              type: parameter.type.trimmedDescription, value: parameter.defaultValue?.value.bytes)
          } ?? []
      }
    }
  }

  private mutating func add(_ node: VariableDeclSyntax, _ owner: Owner) {
    let last = node.bindings.last?.typeAnnotation?.type.trimmedDescription
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { continue }
      add(.property, name, node, node.modifiers, owner) { added in
        added.isConstant = node.bindingSpecifier.text == "let"
        added.type = binding.typeAnnotation?.type.trimmedDescription ?? (binding.initializer == nil ? last : nil)
        added.value = binding.initializer?.value.bytes
        switch binding.accessorBlock?.accessors {
        case .getter?: added.hasBody = true
        case .accessors(let all)?:
          let words = Set(all.map(\.accessorSpecifier.text))
          added.hasBody = all.contains { $0.accessorSpecifier.text == "get" && $0.body != nil }
          added.isWrapped = !added.hasBody && !words.isDisjoint(with: ["didSet", "willSet", "_read", "set"])
        case nil: break
        }
        added.isWrapped =
          added.isWrapped || node.attributes.mayWrap || node.modifiers.contains { $0.name.text == "lazy" }
      }
    }
  }
}

extension DeclGroupSyntax {
  /// The types that it inherits from and conforms to, as written.
  package var inheritedNames: [String] { inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? [] }
}

extension GenericParameterClauseSyntax {
  var names: [String] { parameters.map(\.name.identifierText) }
}

extension WithGenericParametersSyntax {
  /// The parameters of a function, an initializer or a subscript. In place of a type that the caller chooses stands what it
  /// must conform to.
  var declaredParameters: [Declaration.Parameter] {
    let required = genericWhereClause?.requirements.compactMap { $0.requirement.as(ConformanceRequirementSyntax.self) }
    let chosen = (genericParameterClause?.parameters ?? []).reduce(into: [String: String]()) { chosen, one in
      let name = one.name.identifierText
      let type = one.inheritedType ?? required?.first { $0.leftType.trimmedDescription == name }?.rightType
      chosen[name] = type?.trimmedDescription ?? "Any"
    }
    return parameterList.map { parameter in
      let words = parameter.type.trimmed.tokens(viewMode: .sourceAccurate).map { token in
        chosen[token.identifierText].map { $0 + token.trailingTrivia.description } ?? token.description
      }
      return .init(
        label: parameter.firstName.identifierText, name: (parameter.secondName ?? parameter.firstName).identifierText,
        type: words.joined() + (parameter.ellipsis == nil ? "" : "..."), value: parameter.defaultValue?.value.bytes)
    }
  }
}

extension SyntaxProtocol {
  fileprivate var parameterList: [FunctionParameterSyntax] {
    switch Syntax(self).as(SyntaxEnum.self) {
    case .functionDecl(let function): Array(function.signature.parameterClause.parameters)
    case .initializerDecl(let initializer): Array(initializer.signature.parameterClause.parameters)
    case .subscriptDecl(let part): Array(part.parameterClause.parameters)
    default: []
    }
  }
}

extension FunctionSignatureSyntax {
  var labelText: String { parameterClause.parameters.map { $0.firstName.identifierText + ":" }.joined() }
}

extension AttributeListSyntax {
  fileprivate func named(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.attributeName.trimmedDescription == name }
  }

  /// The first part of the selector that `@objc` or `@objc(…)` gives to a function; `nil` without the attribute.
  fileprivate func selector(of name: String) -> String? {
    named("objc").map { one in one.arguments.map { String($0.trimmedDescription.prefix { $0 != ":" }) } ?? name }
  }

  /// Whether an attribute may be a property wrapper, a result builder or a macro.
  fileprivate var mayWrap: Bool {
    let plain: Set<String> = [
      "available", "objc", "MainActor", "discardableResult", "inlinable", "usableFromInline", "nonobjc", "IBOutlet",
      "NSCopying", "frozen", "backDeployed", "_spi", "TaskLocal", "Sendable", "preconcurrency",
      "inline", "IBAction", "concurrent", "warn_unqualified_access",
    ]
    return contains { element in
      guard let name = element.as(AttributeSyntax.self)?.attributeName.trimmedDescription else { return true }
      return !plain.contains(name) && !name.hasSuffix("Actor")
    }
  }
}
