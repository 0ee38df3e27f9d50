import SwiftSyntax

extension SyntaxProtocol {
  var surroundings: (type: String, function: String) {
    var (types, function): ([String], String) = ([], "")
    for node in ancestors {
      switch node.as(SyntaxEnum.self) {
      case .functionDecl(let declaration):
        function = declaration.name.identifierText + "(" + declaration.signature.labelText + ")"
      case .initializerDecl(let declaration): function = "init(" + declaration.signature.labelText + ")"
      case .deinitializerDecl: function = "deinit"
      case .subscriptDecl: function = "subscript"
      case .patternBinding(let binding) where node.isMember:
        function = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText ?? function
      case .structDecl, .classDecl, .actorDecl, .enumDecl, .protocolDecl:
        types.append(node.asProtocol((any NamedDeclSyntax).self)?.name.identifierText ?? "")
      case .extensionDecl(let declaration): types.append(declaration.extendedType.plainName ?? "")
      default: break
      }
    }
    return (types.reversed().joined(separator: "."), function)
  }
}

extension Syntax {
  /// Whether a binding is a property, and not a local value.
  fileprivate var isMember: Bool { parent?.parent?.parent?.is(MemberBlockItemSyntax.self) == true }

  /// The enclosing code that runs as a whole: a function, a property, or the statements of a script.
  var root: Syntax {
    var root: Syntax?
    var here = self
    while let parent = here.parent {
      switch here.as(SyntaxEnum.self) {
      case .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl: root = here
      case .variableDecl where parent.is(MemberBlockItemSyntax.self): root = here
      case .structDecl, .classDecl, .enumDecl, .actorDecl, .extensionDecl, .protocolDecl:
        if let root { return root }
      default: break
      }
      here = parent
    }
    return root ?? here
  }
}
