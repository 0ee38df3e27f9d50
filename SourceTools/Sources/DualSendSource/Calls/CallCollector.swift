import SwiftSyntax

/// Finds the calls in a file that may log, and the bodies that they stand in.
final class CallCollector: SyntaxVisitor {
  /// A body that is worked out as a whole.
  struct Unit {
    let body: Syntax
    /// The calls in it.
    var calls: [FunctionCallExprSyntax]
  }

  private let names: Set<String>
  private(set) var units: [Unit] = []
  private var positions: [SyntaxIdentifier: Int] = [:]
  /// Functions that are named without being called: whoever gets them may call them.
  private(set) var handedOn: [DeclReferenceExprSyntax] = []

  init(names: Set<String>) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visitPost(_ node: FunctionCallExprSyntax) {
    guard let name = node.calledName, names.contains(name) else { return }
    let body = node.unitBody
    if let known = positions[body.id] {
      units[known].calls.append(node)
    } else {
      positions[body.id] = units.count
      units.append(Unit(body: body, calls: [node]))
    }
  }

  override func visitPost(_ node: DeclReferenceExprSyntax) {
    guard names.contains(node.baseName.identifierText), !node.isCalled else { return }
    handedOn.append(node)
  }
}

extension FunctionCallExprSyntax {
  /// The name of the function that is called, without labels.
  var calledName: String? {
    if let name = calledExpression.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText }
    return calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
  }
}

extension DeclReferenceExprSyntax {
  /// Whether it is what is called, by itself or as the member of something.
  fileprivate var isCalled: Bool {
    if let call = parent?.as(FunctionCallExprSyntax.self) { return call.calledExpression.id == id }
    guard let member = parent?.as(MemberAccessExprSyntax.self), member.declName.id == id else { return false }
    return member.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == member.id
  }
}

extension SyntaxProtocol {
  /// The outermost body around a node that belongs to one declaration: a function, an accessor, an initial value; the
  /// file, for code at its top.
  fileprivate var unitBody: Syntax {
    var unit: Syntax?
    var node: Syntax? = Syntax(self)
    while let here = node {
      if here.is(FunctionDeclSyntax.self) || here.is(InitializerDeclSyntax.self)
        || here.is(DeinitializerDeclSyntax.self) || here.is(SubscriptDeclSyntax.self)
        || here.is(PatternBindingSyntax.self)
      {
        unit = here
      }
      if here.is(MemberBlockSyntax.self) { break }
      if here.is(SourceFileSyntax.self) {
        // A binding at the top of a script is one of its statements.
        if unit == nil || unit?.is(PatternBindingSyntax.self) == true { unit = here }
        break
      }
      node = here.parent
    }
    return unit ?? root
  }

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
