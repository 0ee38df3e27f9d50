public import DualSendSource
import SwiftSyntax

/// A condition by which the old logger drops events itself, such as a check of consent. A wrapper of the logger, and
/// the tracker that replaces it, do not run this check.
public struct LoggerDecision: Sendable, Hashable {
  /// The file.
  public let file: String
  /// The line, counted from 1.
  public let line: Int
  /// The type that declares the function; empty if there is none.
  public let type: String
  /// The condition as written.
  public let condition: String

  /// Finds these conditions in `logEvents(name:parameters:)`.
  ///
  /// - Parameter type: the logger's type; `nil` for every type.
  public static func found(in texts: SourceTexts, of type: String? = nil) -> [LoggerDecision] {
    texts.paths.indices.flatMap { file -> [LoggerDecision] in
      guard let text = texts.text(file), text.contains("func logEvents(") else { return [] }
      let finder = Finder(path: texts.paths[file], text: text)
      finder.walk(SourceFileSyntax.folded(text))
      return finder.found.filter { type == nil || $0.type == type }
    }
  }

  private final class Finder: SyntaxVisitor {
    private let path: String
    private let text: String
    private(set) var found: [LoggerDecision] = []

    init(path: String, text: String) {
      (self.path, self.text) = (path, text)
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      let parameters = node.signature.parameterClause.parameters
      guard node.name.text == "logEvents", parameters.first?.firstName.text == "name", let body = node.body else {
        return .visitChildren
      }
      let names = Set(parameters.map { ($0.secondName ?? $0.firstName).text })
      for item in body.statements {
        guard let conditions = item.item.leavingConditions else { continue }
        // A condition on the event is not a user's setting.
        let words = conditions.tokens(viewMode: .sourceAccurate).map(\.text)
        guard names.isDisjoint(with: words) else { continue }
        found.append(
          LoggerDecision(
            file: path, line: text.utf8.prefix(item.bytes.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1,
            type: node.surroundingType, condition: conditions.trimmedDescription))
      }
      return .skipChildren
    }
  }
}

extension CodeBlockItemSyntax.Item {
  /// The conditions of a statement that returns from the function.
  fileprivate var leavingConditions: ConditionElementListSyntax? {
    if let guarded = self.as(GuardStmtSyntax.self) { return guarded.conditions }
    let statement = self.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self) ?? self.as(IfExprSyntax.self)
    guard let statement, statement.body.statements.last?.item.is(ReturnStmtSyntax.self) == true else { return nil }
    return statement.conditions
  }
}

extension FunctionDeclSyntax {
  /// The dotted name of the enclosing types.
  fileprivate var surroundingType: String {
    ancestors.compactMap { node in
      node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
        ?? (node.is(FunctionDeclSyntax.self) ? nil : node.asProtocol((any NamedDeclSyntax).self)?.name.text)
    }.reversed().joined(separator: ".")
  }
}
