import SwiftSyntax

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
