import DualSendCommandLine
import SwiftSyntax

/// Replaces calls of the old logger with calls of the tracker, by the function's name and labels only.
struct CallEdits {
  let trees: SourceTrees
  let tracker: String

  /// Replaces a call of the old logger with one of the tracker.
  func edits(_ place: Origin) throws(NotRewritten) -> [TextEdit] {
    guard let call = trees.node(at: place, as: FunctionCallExprSyntax.self) else {
      throw NotRewritten("the call is not found again")
    }
    let access = call.calledExpression.as(MemberAccessExprSyntax.self)
    guard access.map({ $0.base?.isPlain ?? true }) ?? call.calledExpression.is(DeclReferenceExprSyntax.self) else {
      throw NotRewritten("what it is called on may do more than name a logger, or be nil: write it by hand")
    }
    let callee = call.calledExpression.bytes
    let argument = call.arguments.first { $0.label?.text == "parameters" }
    guard let argument, let label = argument.label else { return [TextEdit(callee, "\(tracker).sendLog")] }
    let list = argument.expression.as(ArrayExprSyntax.self)
    guard let list, list.elements.count == 1, let only = list.elements.first else {
      let closure = argument.expression.as(FunctionCallExprSyntax.self)?.trailingClosure
      if let closure, closure.statements.count > 1,
        closure.all(DictionaryExprSyntax.self).contains(where: { $0.parent?.is(DictionaryElementSyntax.self) == true })
      {
        throw NotRewritten("its dictionaries are put together in a closure, and hold others: write it by hand")
      }
      let types =
        list?.elements.flatMap { Self.types(within: $0.expression) }
        ?? argument.expression.closureResult.map(Self.types(within:)) ?? []
      return [TextEdit(callee, "\(tracker).sendLogs"), TextEdit(label.bytes, "payloads")] + types
    }
    let (inner, outer) = (only.expression.bytes, list.bytes)
    return [
      TextEdit(callee, "\(tracker).sendLog"), TextEdit(label.bytes, "payload"),
      TextEdit(outer.lowerBound..<inner.lowerBound, ""),
      TextEdit(inner.upperBound..<outer.upperBound, ""),
    ] + Self.types(within: only.expression)
  }

  /// Makes dictionaries inside a payload `Sendable`. Without a type, a dictionary of different values would be
  /// `[String: Any]`.
  private static func types(within value: ExprSyntax) -> [TextEdit] {
    if let dictionary = value.as(DictionaryExprSyntax.self) {
      return (dictionary.content.as(DictionaryElementListSyntax.self) ?? []).flatMap { types(of: $0.value) }
    }
    if let array = value.as(ArrayExprSyntax.self) { return array.elements.flatMap { types(of: $0.expression) } }
    if let result = value.closureResult { return types(of: result) }
    return []
  }

  private static func types(of value: ExprSyntax) -> [TextEdit] {
    guard value.is(DictionaryExprSyntax.self) else { return types(within: value) }
    return types(within: value) + [TextEdit(at: value.bytes.upperBound, " as [String: any Sendable]")]
  }
}

extension ExprSyntax {
  /// The result of the single expression of a call's closure: `items.map { ["id": $0.id] }`.
  fileprivate var closureResult: ExprSyntax? {
    guard let body = self.as(FunctionCallExprSyntax.self)?.trailingClosure?.statements, body.count == 1 else {
      return nil
    }
    return body.first?.item.as(ExprSyntax.self) ?? body.first?.item.as(ReturnStmtSyntax.self)?.expression
  }

  /// Names alone.
  fileprivate var isPlain: Bool {
    if self.is(DeclReferenceExprSyntax.self) { return true }
    return self.as(MemberAccessExprSyntax.self)?.base?.isPlain ?? false
  }
}
