import SwiftOperators
import SwiftParser
import SwiftSyntax

/// One Swift file: its text and its tree, operators in their order.
struct SwiftSource {
  let path: String
  /// The file's number, by which declarations refer to it.
  let number: Int
  let tree: SourceFileSyntax

  /// - Parameter text: UTF-8 that is known to be so.
  init(_ text: String, path: String, number: Int) {
    self.path = path
    self.number = number
    let parsed = Parser.parse(source: text)
    // An operator of the app's own has no order here: its operands are left as they stand, and nothing is known of them.
    let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    tree = folded.as(SourceFileSyntax.self) ?? parsed
  }
}
