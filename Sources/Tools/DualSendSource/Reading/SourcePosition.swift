import SwiftParser
import SwiftSyntax

// MARK: - Source position

/// The position of a call: line, column, type and function.
struct SourcePosition: Sendable {
  /// Counted from 1.
  let line: Int
  /// In bytes of UTF-8, counted from 1.
  let column: Int
  /// The enclosing types, dotted; empty if there is none.
  let type: String
  /// The enclosing function with its labels; empty if there is none.
  let function: String

  init(_ node: some SyntaxProtocol, _ converter: SourceLocationConverter) {
    let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    (line, column) = (location.line, location.column)
    (type, function) = node.surroundings
  }
}

// MARK: - Problem

extension SourceFileSyntax {
  /// The first syntax error; `nil` if there is none.
  var problem: SourceFile.Unread? {
    guard hasError else { return nil }
    let first = tokens(viewMode: .all).first { token in
      token.presence == .missing || token.ancestors.contains { $0.is(UnexpectedNodesSyntax.self) }
    }
    let position = first.map { $0.presence == .missing ? $0.position : $0.positionAfterSkippingLeadingTrivia }
    let line = position.map { SourceLocationConverter(fileName: "", tree: self).location(for: $0).line }
    return .init(reason: "it is not Swift", line: line ?? 1)
  }
}
