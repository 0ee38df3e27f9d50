import DualSendSource
import SwiftSyntax

/// Parses each edited file once, and finds the syntax at a byte range.
final class SourceTrees {
  private let texts: SourceTexts
  private var trees: [Int: SourceFileSyntax] = [:]

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// The innermost node of a type with exactly this byte range.
  func node<Node: SyntaxProtocol>(_ range: Range<Int>, in file: Int, as type: Node.Type) -> Node? {
    var node = tree(file)?.token(at: AbsolutePosition(utf8Offset: range.lowerBound))?.parent
    while let here = node {
      if let found = here.as(type), here.bytes == range { return found }
      node = here.parent
    }
    return nil
  }

  func tree(_ file: Int) -> SourceFileSyntax? {
    if let known = trees[file] { return known }
    let tree = texts.text(file).map(SourceFileSyntax.folded)
    trees[file] = tree
    return tree
  }
}
