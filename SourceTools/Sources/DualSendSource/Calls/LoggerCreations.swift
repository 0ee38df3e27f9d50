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

  /// Looks through files.
  ///
  /// - Returns: the places, and the files that name the type, or may, and are not Swift or cannot be read.
  public func found(
    in texts: SourceTexts, threads: Int = 1
  ) -> (creations: [Creation], skipped: [SourceInventory.Skipped]) {
    let name = type.split(separator: ".").last.map(String.init) ?? type
    let found = Threads.map(threads, texts.paths.count) { number in
      let path = texts.paths[number]
      switch texts.reading(number) {
      case .failure(let unread): return Outcome.skipped(.init(file: path, line: nil, reason: unread.reason))
      case .success(let text):
        guard text.contains(name) else { return .nothing }
        if TypeNesting.isTooDeep( text) {
          return .skipped(.init(file: path, line: nil, reason: TypeNesting.reason))
        }
        let tree = Parser.parse(source: text)
        if let problem = tree.problem {
          return .skipped(.init(file: path, line: problem.line, reason: problem.reason))
        }
        let finder = Finder(type: type, function: function)
        finder.walk(tree)
        return finder.ranges.isEmpty ? .nothing : .found(Creation(file: number, ranges: finder.ranges))
      }
    }
    return (
      found.compactMap { if case .found(let creation) = $0 { creation } else { nil } },
      found.compactMap { if case .skipped(let skipped) = $0 { skipped } else { nil } }
    )
  }

  private enum Outcome {
    case nothing
    case found(Creation)
    case skipped(SourceInventory.Skipped)
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
