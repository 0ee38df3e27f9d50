import SwiftSyntax

/// The constants right before a call's statement that nothing else reads: with the call, they can go.
struct LocalConstants {
  /// One of them.
  struct Constant {
    let name: String
    let initial: ExprSyntax
    let declared: TypeSyntax?
    /// The bytes from its first to those of the statement behind it.
    let range: Range<Int>
    /// Whether it is the call that reads it, and nothing happens if it goes.
    let isSpare: Bool
  }

  /// In order.
  let all: [Constant]

  init() { all = [] }

  init(before call: FunctionCallExprSyntax) {
    guard let statement = call.ownStatement, let list = statement.parent?.as(CodeBlockItemListSyntax.self) else {
      all = []
      return
    }
    let statements = Array(list)
    guard let place = statements.firstIndex(where: { $0.id == statement.id }) else {
      all = []
      return
    }
    var found: [Constant] = []
    for index in statements[..<place].indices.reversed() {
      guard let constant = statements[index].constant, Self.isReadOnce(constant.name, around: statement),
        !statements[index].isCommented, !statements[index + 1].isCommented
      else { break }
      let start = statements[index].positionAfterSkippingLeadingTrivia.utf8Offset
      let end = statements[index + 1].positionAfterSkippingLeadingTrivia.utf8Offset
      found.append(
        Constant(
          name: constant.name, initial: constant.initial, declared: constant.declared, range: start..<end,
          isSpare: constant.initial.isPure && Mentions.names(in: call).contains(constant.name)))
    }
    all = found.reversed()
  }

  /// Whether a name is declared once in a function, and read once.
  private static func isReadOnce(_ name: String, around statement: CodeBlockItemSyntax) -> Bool {
    var body = Syntax(statement)
    while let parent = body.parent, !body.is(FunctionDeclSyntax.self), !body.is(InitializerDeclSyntax.self),
      !body.is(AccessorBlockSyntax.self)
    {
      body = parent
    }
    let named = body.tokens(viewMode: .sourceAccurate).filter { $0.identifier?.name == name }
    return named.count { !$0.isLabelOrMember && !$0.isInClosure(of: name) } == 2
  }
}

extension CodeBlockItemSyntax {
  /// The constant that a statement declares, if that is all it does.
  var constant: (name: String, initial: ExprSyntax, declared: TypeSyntax?)? {
    guard case .decl(let declaration) = item, let variable = declaration.as(VariableDeclSyntax.self),
      variable.bindingSpecifier.tokenKind == .keyword(.let), variable.attributes.isEmpty, variable.modifiers.isEmpty,
      variable.bindings.count == 1, let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText,
      let initial = binding.initializer?.value
    else { return nil }
    return (name, initial, binding.typeAnnotation?.type)
  }

  /// Whether a comment stands before it, in it, or behind it on its line.
  var isCommented: Bool {
    tokens(viewMode: .sourceAccurate).contains { token in
      token.leadingTrivia.contains(where: \.isComment) || token.trailingTrivia.contains(where: \.isComment)
    }
  }
}

extension TokenSyntax {
  /// Whether it stands in a closure that calls one of its own parameters so.
  fileprivate func isInClosure(of name: String) -> Bool {
    var node = parent
    while let here = node {
      if let closure = here.as(ClosureExprSyntax.self), closure.parameterNames.contains(where: { $0.name == name }) {
        return true
      }
      node = here.parent
    }
    return false
  }
}

extension FunctionCallExprSyntax {
  /// The statement that is this call and nothing else.
  fileprivate var ownStatement: CodeBlockItemSyntax? {
    parent?.as(CodeBlockItemSyntax.self)
  }
}
