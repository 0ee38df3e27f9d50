import SwiftParser
import SwiftSyntax

/// The places that create values of a type.
public struct LoggerCreations: Sendable {
  /// The places of one file, as the byte range of each expression.
  public struct Creation: Sendable {
    /// The file's number.
    public let file: Int
    /// The byte range of each expression, in order.
    public let ranges: [Range<Int>]
    /// The expressions whose variable is declared with the concrete type, so that it cannot hold another type.
    public let typed: [Range<Int>]
  }

  private let type: String
  private let function: String

  /// - Parameters:
  ///   - type: the type; dotted if it is nested.
  ///   - function: values that are already arguments of this function are left out.
  public init(of type: String, except function: String) {
    (self.type, self.function) = (type, function)
  }

  /// Searches files.
  ///
  /// - Returns: the places, and the files that may name the type but are not Swift or cannot be read.
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
        if TypeNesting.isTooDeep(text) {
          return .skipped(.init(file: path, line: nil, reason: TypeNesting.reason))
        }
        let tree = Parser.parse(source: text)
        if let problem = tree.problem {
          return .skipped(.init(file: path, line: problem.line, reason: problem.reason))
        }
        let finder = Finder(type: type, function: function)
        finder.walk(tree)
        let all = Creation(file: number, ranges: finder.ranges, typed: finder.typed)
        return all.ranges.isEmpty && all.typed.isEmpty ? .nothing : .found(all)
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
    private(set) var typed: [Range<Int>] = []
    private var isOwn = false

    init(type: String, function: String) {
      (self.type, self.function) = (type, function)
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let called = node.calledExpression.trimmedDescription
      if called == function { return .skipChildren }
      if called == type || called == type + ".init" || isOwn && (called == "Self" || called == "Self.init") {
        let binding = node.parent?.as(InitializerClauseSyntax.self)?.parent?.as(PatternBindingSyntax.self)
        if binding?.typeAnnotation?.type.trimmedDescription.withoutOptional == type {
          typed.append(node.bytes)
        } else {
          ranges.append(node.bytes)
        }
      }
      return .visitChildren
    }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { own(node.name, node.memberBlock) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { own(node.name, node.memberBlock) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { own(node.name, node.memberBlock) }

    /// A value that its own type creates is a copy, unless it is static.
    private func own(_ name: TokenSyntax, _ members: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
      guard name.identifierText == type else { return .visitChildren }
      isOwn = true
      defer { isOwn = false }
      for member in members.members {
        guard let variable = member.decl.as(VariableDeclSyntax.self),
          variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { continue }
        for value in variable.bindings.compactMap(\.initializer) { walk(value) }
      }
      return .skipChildren
    }
  }
}
