import SwiftSyntax

extension FunctionCallExprSyntax {
  /// Why what stands around it cannot do with a call that brings nothing back.
  var surroundingObstacle: String? {
    switch parent?.kind {
    case .codeBlockItem, .returnStmt, .expressionStmt: nil
    case .awaitExpr: "it is awaited"
    case .tryExpr: "it may throw"
    default: "something is done with what it brings back"
    }
  }

  /// Why what it is made on cannot go with it.
  var receiverObstacle: String? {
    guard let base = calledExpression.as(MemberAccessExprSyntax.self)?.base else { return nil }
    if base.isConditional { return "it logs only if `\(base.excerpt)` is there" }
    return base.isPure ? nil : "`\(base.excerpt)` may do more than name a logger"
  }
}

extension ExprSyntax {
  /// Whether a part of it may be missing: `a?.b`.
  fileprivate var isConditional: Bool {
    if self.is(OptionalChainingExprSyntax.self) { return true }
    return self.as(MemberAccessExprSyntax.self)?.base?.isConditional ?? false
  }
}
