import SwiftParser
package import SwiftSyntax

extension SyntaxProtocol {
  /// The byte range without trivia.
  package var bytes: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

  /// The enclosing nodes, from the inside out.
  package var ancestors: some Sequence<Syntax> {
    sequence(state: parent) { node in
      defer { node = node?.parent }
      return node
    }
  }

  /// The nodes of a type within it, in their order.
  package func all<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] {
    let finder = NodeFinder<Node>(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.found
  }

  /// The names of values and functions that the code refers to.
  var mentionedNames: Set<String> { Set(all(DeclReferenceExprSyntax.self).map(\.baseName.identifierText)) }

  /// Every use of a name that is not that of a member.
  package func references(to name: String) -> [DeclReferenceExprSyntax] {
    tokens(viewMode: .sourceAccurate).filter { $0.identifierText == name }
      .compactMap { $0.parent?.as(DeclReferenceExprSyntax.self) }
      .filter { $0.parent?.as(MemberAccessExprSyntax.self)?.declName.id != $0.id }
  }
}

private final class NodeFinder<Node: SyntaxProtocol>: SyntaxAnyVisitor {
  var found: [Node] = []

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if let node = node.as(Node.self) { found.append(node) }
    return .visitChildren
  }
}

extension TokenSyntax {
  /// A name without backticks.
  package var identifierText: String { identifier?.name ?? text }
}

extension TypeSyntax {
  /// A dotted name without generic arguments; `nil` for a type without a name.
  var plainName: String? {
    switch self.as(TypeSyntaxEnum.self) {
    case .identifierType(let type): type.name.identifierText
    case .memberType(let type): type.baseType.plainName.map { $0 + "." + type.name.identifierText }
    case .arrayType: "Array"
    case .dictionaryType: "Dictionary"
    case .optionalType: "Optional"
    default: nil
    }
  }
}

extension ExprSyntax {
  /// Whether this names a type: `Screen`, `Names.Screen`.
  package var isTypeName: Bool {
    dottedName.map { DeclarationIndex.last($0).first?.isUppercase == true } ?? false
  }

  /// The text of a string literal without interpolations.
  var plainText: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}
