import SwiftSyntax

extension SourceFileSyntax {
  /// The first syntax error; `nil` if there is none.
  var problem: (line: Int, reason: String)? {
    hasError ? (firstErrorLine, "it is not Swift") : nil
  }

  /// The line of the first syntax error, counted from 1.
  private var firstErrorLine: Int {
    final class Finder: SyntaxVisitor {
      var first: AbsolutePosition?
      override func visit(_ node: UnexpectedNodesSyntax) -> SyntaxVisitorContinueKind {
        first = first ?? node.positionAfterSkippingLeadingTrivia
        return .skipChildren
      }
      override func visit(_ node: TokenSyntax) -> SyntaxVisitorContinueKind {
        if node.presence == .missing { first = first ?? node.position }
        return .skipChildren
      }
    }
    let finder = Finder(viewMode: .all)
    finder.walk(self)
    guard let first = finder.first else { return 1 }
    return SourceLocationConverter(fileName: "", tree: self).location(for: first).line
  }
}
