import SwiftSyntax

/// The line, column, type and function that a call stands in.
struct SourcePosition: Sendable {
  /// Counted from 1.
  let line: Int
  /// In bytes of UTF-8, counted from 1.
  let column: Int
  /// The types around it, dotted; empty outside of any.
  let type: String
  /// The function around it, with its labels; empty outside of any.
  let function: String

  init(_ node: some SyntaxProtocol, _ converter: SourceLocationConverter) {
    let location = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    (line, column) = (location.line, location.column)
    (type, function) = node.surroundings
  }
}
