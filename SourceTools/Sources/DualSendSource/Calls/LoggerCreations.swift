import SwiftParser
import SwiftSyntax

/// The places where a type's values are made.
public struct LoggerCreations: Sendable {
  /// Those of one file, by the bytes of each expression.
  public struct Creation: Sendable {
    /// The file's number.
    public let file: Int
    /// Where each expression stands, in order.
    public let ranges: [Range<Int>]
  }

  private let type: String
  private let function: String

  /// - Parameters:
  ///   - type: the type, dotted where it stands in another.
  ///   - function: what such values are handed to already; those are left out.
  public init(of type: String, except function: String) {
    (self.type, self.function) = (type, function)
  }

  /// Looks through files; those that are not Swift are passed over.
  public func found(in texts: SourceTexts) -> [Creation] {
    texts.paths.indices.compactMap { number in
      guard let text = texts.text(number), text.contains(type.split(separator: ".").last.map(String.init) ?? type)
      else {
        return nil
      }
      let tree = Parser.parse(source: text)
      guard !tree.hasError else { return nil }
      let finder = Finder(type: type, function: function)
      finder.walk(tree)
      return finder.ranges.isEmpty ? nil : Creation(file: number, ranges: finder.ranges)
    }
  }

  private final class Finder: SyntaxVisitor {
    private let type: String
    private let function: String
    private(set) var ranges: [Range<Int>] = []

    init(type: String, function: String) {
      (self.type, self.function) = (type, function)
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let called = node.calledExpression.trimmedDescription
      if called == function { return .skipChildren }
      if called == type || called == type + ".init" {
        ranges.append(
          node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset)
      }
      return .visitChildren
    }

    // A logger that is made in its own type, such as a copy, is nobody else's.
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { own(node.name) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { own(node.name) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { own(node.name) }

    private func own(_ name: TokenSyntax) -> SyntaxVisitorContinueKind {
      name.identifierText == type ? .skipChildren : .visitChildren
    }
  }
}
