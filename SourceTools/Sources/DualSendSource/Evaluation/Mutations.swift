import SwiftSyntax

/// The names that a piece of code may change, as far as can be told from names alone: rather one too many.
final class Mutations: SyntaxVisitor {
  private var names: Set<String> = []

  static func names(in node: some SyntaxProtocol) -> Set<String> {
    let visitor = Mutations(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.names
  }

  override func visitPost(_ node: InfixOperatorExprSyntax) {
    if node.operator.is(AssignmentExprSyntax.self) {
      add(node.leftOperand)
    } else if let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, sign.hasSuffix("="),
      !Self.comparisons.contains(sign)
    {
      add(node.leftOperand)
    }
  }

  override func visitPost(_ node: SequenceExprSyntax) {
    // Not brought into order, because of an operator that nobody knows: whatever it names.
    for element in node.elements { add(element) }
  }

  override func visitPost(_ node: InOutExprSyntax) { add(node.expression) }

  override func visitPost(_ node: FunctionCallExprSyntax) {
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
      !KnownMethods.leaveAlone.contains(member.declName.baseName.text)
    {
      add(base)
    }
  }

  static let comparisons: Set<String> = ["==", "!=", "===", "!==", "<=", ">="]

  private func add(_ expression: ExprSyntax) {
    if let tuple = expression.as(TupleExprSyntax.self) {
      for element in tuple.elements { add(element.expression) }
    } else if let name = expression.rootName {
      names.insert(name)
    }
  }
}

/// The names that a piece of code reads.
final class Mentions: SyntaxVisitor {
  private var names: Set<String> = []

  static func names(in node: some SyntaxProtocol) -> Set<String> {
    let visitor = Mentions(viewMode: .sourceAccurate)
    visitor.walk(node)
    return visitor.names
  }

  override func visitPost(_ node: DeclReferenceExprSyntax) { names.insert(node.baseName.identifierText) }
}

extension ExprSyntax {
  /// The name at the start of `a.b[c]!.d`: `a`, or `b` of `self.b`.
  var rootName: String? {
    if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText }
    if let member = self.as(MemberAccessExprSyntax.self) {
      if member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self) {
        return member.declName.baseName.identifierText
      }
      return member.base?.rootName
    }
    if let call = self.as(SubscriptCallExprSyntax.self) { return call.calledExpression.rootName }
    if let chain = self.as(OptionalChainingExprSyntax.self) { return chain.expression.rootName }
    if let forced = self.as(ForceUnwrapExprSyntax.self) { return forced.expression.rootName }
    if let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.expression.rootName
    }
    if let cast = self.as(AsExprSyntax.self) { return cast.expression.rootName }
    return nil
  }
}

/// Methods of the standard library by name, as far as something is known of them.
enum KnownMethods {
  /// Those that change nothing of what they are called on.
  static let leaveAlone: Set<String> = [
    "merging", "map", "compactMap", "flatMap", "filter", "mapValues", "compactMapValues", "contains", "hasPrefix",
    "hasSuffix", "lowercased", "uppercased", "first", "last", "firstIndex", "prefix", "suffix", "dropFirst",
    "dropLast", "joined", "split", "components", "sorted", "reversed", "allSatisfy", "enumerated", "forEach",
    "trimmingCharacters", "replacingOccurrences", "rounded", "isMultiple", "distance", "timeIntervalSince", "hash",
    "index", "min", "max", "elementsEqual", "starts", "count", "isEqual", "advanced", "addingTimeInterval", "padding",
    "replacing", "formatted", "union", "intersection", "subtracting",
  ]
}
