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
    children(viewMode: .sourceAccurate).flatMap { ($0.as(type).map { [$0] } ?? []) + $0.all(type) }
  }

  /// Every use of a name that is not that of a member.
  package func references(to name: String) -> [DeclReferenceExprSyntax] {
    tokens(viewMode: .sourceAccurate).filter { $0.identifierText == name }
      .compactMap { $0.parent?.as(DeclReferenceExprSyntax.self) }
      .filter { $0.parent?.as(MemberAccessExprSyntax.self)?.declName.id != $0.id }
  }
}

extension TokenSyntax {
  /// A name without backticks.
  package var identifierText: String { identifier?.name ?? text }
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
