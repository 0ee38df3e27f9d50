import SwiftSyntax

/// Parses each edited file once, and finds the syntax at a byte range.
final class SourceTrees {
  private let texts: SourceTexts
  private var trees: [Int: SourceFileSyntax] = [:]

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// The innermost node of a type with exactly this byte range.
  func node<Node: SyntaxProtocol>(at place: Origin, as type: Node.Type) -> Node? {
    token(at: place)?.ancestors.lazy.compactMap { $0.as(type) }.first { $0.bytes == place.range }
  }

  /// The token at the start of a byte range.
  func token(at place: Origin) -> TokenSyntax? {
    tree(place.file)?.token(at: AbsolutePosition(utf8Offset: place.range.lowerBound))
  }

  func tree(_ file: Int) -> SourceFileSyntax? {
    if let known = trees[file] { return known }
    let tree = texts.text(file).map(SourceFileSyntax.folded)
    trees[file] = tree
    return tree
  }
}
