import SwiftSyntax

/// Finds the calls in a file that may log, and the bodies that they stand in.
final class CallCollector: SyntaxVisitor {
  /// A body that is worked out as a whole: the outermost one that belongs to one declaration, be it a function, an accessor
  /// or an initial value; the file, for code at its top.
  struct Unit {
    let body: Syntax
    /// The calls in it.
    var calls: [FunctionCallExprSyntax] = []
    /// Functions that are named in it without being called: whoever gets them may call them.
    var references: [DeclReferenceExprSyntax] = []
  }

  /// A file, or the members of a type.
  private struct Scope {
    let isFile: Bool
    var body: Syntax?
  }

  private let names: Set<String>
  private(set) var units: [Unit] = []
  private var positions: [SyntaxIdentifier: Int] = [:]
  private var scopes = [Scope(isFile: true)]

  init(names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visitPost(_ node: FunctionCallExprSyntax) {
    guard let name = node.calledName, names.contains(name) else { return }
    units[unit(around: node)].calls.append(node)
  }

  override func visitPost(_ node: DeclReferenceExprSyntax) {
    guard names.contains(node.baseName.identifierText), node.canBeFunctionValue else { return }
    units[unit(around: node)].references.append(node)
  }

  private func unit(around node: some SyntaxProtocol) -> Int {
    let scope = scopes[scopes.count - 1]
    // A binding at the top of a script is one of its statements.
    let body = scope.body.flatMap { scope.isFile && $0.is(PatternBindingSyntax.self) ? nil : $0 } ?? node.root
    if let known = positions[body.id] { return known }
    positions[body.id] = units.count
    units.append(Unit(body: body))
    return units.count - 1
  }

  // MARK: Bodies

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: FunctionDeclSyntax) { leave(node) }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: InitializerDeclSyntax) { leave(node) }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: DeinitializerDeclSyntax) { leave(node) }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: SubscriptDeclSyntax) { leave(node) }
  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: PatternBindingSyntax) { leave(node) }

  override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
    scopes.append(Scope(isFile: false))
    return .visitChildren
  }
  override func visitPost(_ node: MemberBlockSyntax) { scopes.removeLast() }

  private func enter(_ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
    if scopes[scopes.count - 1].body == nil { scopes[scopes.count - 1].body = Syntax(node) }
    return .visitChildren
  }

  private func leave(_ node: some SyntaxProtocol) {
    if scopes[scopes.count - 1].body?.id == node.id { scopes[scopes.count - 1].body = nil }
  }
}

extension FunctionCallExprSyntax {
  /// The name of the function that is called, without labels.
  var calledName: String? {
    if let name = calledExpression.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText }
    return calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
  }
}

extension SyntaxProtocol {
  /// The names of the types around a node, dotted, and of the function with its labels.
  var surroundings: (type: String, function: String) {
    var types: [String] = []
    var function = ""
    var node: Syntax? = Syntax(self).parent
    while let here = node {
      switch here.as(SyntaxEnum.self) {
      case .functionDecl(let declaration):
        function = declaration.name.identifierText + "(" + declaration.signature.labelText + ")"
      case .initializerDecl(let declaration): function = "init(" + declaration.signature.labelText + ")"
      case .deinitializerDecl: function = "deinit"
      case .subscriptDecl: function = "subscript"
      case .patternBinding(let binding) where here.isMember:
        function = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText ?? function
      case .structDecl(let declaration): types.append(declaration.name.identifierText)
      case .classDecl(let declaration): types.append(declaration.name.identifierText)
      case .actorDecl(let declaration): types.append(declaration.name.identifierText)
      case .enumDecl(let declaration): types.append(declaration.name.identifierText)
      case .protocolDecl(let declaration): types.append(declaration.name.identifierText)
      case .extensionDecl(let declaration): types.append(declaration.extendedType.plainName ?? "")
      default: break
      }
      node = here.parent
    }
    return (types.reversed().joined(separator: "."), function)
  }

  /// Whether a binding is a property, and not a local value.
  private var isMember: Bool {
    parent?.parent?.parent?.is(MemberBlockItemSyntax.self) == true
  }
}

extension FunctionSignatureSyntax {
  /// `_:properties:`.
  var labelText: String { labels.map { $0 + ":" }.joined() }
}
