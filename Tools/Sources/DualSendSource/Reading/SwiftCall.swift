import SwiftParser
package import SwiftSyntax

extension SourceFileSyntax {
  /// Parses a file and applies the precedence of operators.
  package static func folded(_ text: String) -> SourceFileSyntax { SourceUnit(file: 0, text: text).tree }
}

extension SyntaxProtocol {
  /// The byte range without trivia.
  package var bytes: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }
}

/// Checks Swift that comes from the command line before it is written into a file.
package enum SwiftCall {
  /// Whether a text is exactly one call of a function with one argument.
  package static func isCall(_ text: String) -> Bool {
    let tree = Parser.parse(source: text)
    guard !tree.hasError, tree.statements.count == 1, case .expr(let only)? = tree.statements.first?.item,
      let call = only.as(FunctionCallExprSyntax.self), call.calledName != nil
    else { return false }
    return call.arguments.count == 1 && call.trailingClosure == nil && call.trimmedDescription == text
  }
}
