import DualSendSource
import SwiftParser
import SwiftSyntax

/// Makes calls of the old logger calls of the tracker, by the function's name and labels alone.
final class CallEdits {
  private let texts: SourceTexts
  private let tracker: String
  private var trees: [Int: SourceFileSyntax] = [:]

  init(_ texts: SourceTexts, tracker: String) {
    (self.texts, self.tracker) = (texts, tracker)
  }

  func edits(_ site: WrittenSite, _ function: LoggingFunction) throws(NotRewritten) -> [SourceEdit] {
    guard let call = call(site) else { throw NotRewritten("the call is not found again") }
    guard let access = call.calledExpression.as(MemberAccessExprSyntax.self),
      access.base?.isPlain == true
        || access.base == nil
    else {
      if call.calledExpression.is(DeclReferenceExprSyntax.self) { return try edits(call) }
      throw NotRewritten("what it is called on may do more than name a logger, or be nil: write it by hand")
    }
    return try edits(call)
  }

  private func edits(_ call: FunctionCallExprSyntax) throws(NotRewritten) -> [SourceEdit] {
    let callee = call.calledExpression.bytes
    guard
      let argument = call.arguments.first(where: { ["parameters", "sendableParameters"].contains($0.label?.text) }),
      let label = argument.label
    else {
      guard let end = call.arguments.last?.expression.bytes.upperBound else { throw NotRewritten("it has no name") }
      return [SourceEdit(callee, "\(tracker).sendLog"), SourceEdit(end..<end, ", payload: [:]")]
    }
    guard argument.expression.isWritten else {
      throw NotRewritten(
        "its dictionary is put together before: the tracker takes [String: any Sendable], write it by hand")
    }
    if let list = argument.expression.as(ArrayExprSyntax.self), list.elements.count != 1 {
      let types = list.elements.flatMap { Self.types(within: $0.expression) }
      return [SourceEdit(callee, "\(tracker).sendLogs"), SourceEdit(label.bytes, "payloads")] + types
    }
    var edits = [SourceEdit(callee, "\(tracker).sendLog"), SourceEdit(label.bytes, "payload")]
    if let list = argument.expression.as(ArrayExprSyntax.self), let only = list.elements.first {
      let (inner, outer) = (only.expression.bytes, list.bytes)
      edits.append(SourceEdit(outer.lowerBound..<inner.lowerBound, ""))
      edits.append(SourceEdit(inner.upperBound..<outer.upperBound, ""))
      return edits + Self.types(within: only.expression)
    }
    return edits + Self.types(within: argument.expression)
  }

  /// What makes dictionaries inside a payload `Sendable`: without a type, one of different values would be `[String: Any]`.
  private static func types(within value: ExprSyntax) -> [SourceEdit] {
    if let dictionary = value.as(DictionaryExprSyntax.self), case .elements(let elements) = dictionary.content {
      return elements.flatMap { types(of: $0.value) }
    }
    if let array = value.as(ArrayExprSyntax.self) { return array.elements.flatMap { types(of: $0.expression) } }
    // `items.map { ["id": $0.id] }`
    if let call = value.as(FunctionCallExprSyntax.self), let body = call.trailingClosure?.statements, body.count == 1,
      let result = body.first?.item.as(ExprSyntax.self)
    {
      return types(of: result)
    }
    return []
  }

  private static func types(of value: ExprSyntax) -> [SourceEdit] {
    guard value.is(DictionaryExprSyntax.self) else { return types(within: value) }
    let end = value.bytes.upperBound
    return types(within: value) + [SourceEdit(end..<end, " as [String: any Sendable]")]
  }

  private func call(_ site: WrittenSite) -> FunctionCallExprSyntax? {
    if trees[site.file] == nil {
      trees = texts.text(site.file).map { [site.file: Parser.parse(source: $0)] } ?? [:]
    }
    guard let tree = trees[site.file],
      let token = tree.token(at: AbsolutePosition(utf8Offset: site.range.lowerBound))
    else { return nil }
    var node = token.parent
    while let here = node {
      if let call = here.as(FunctionCallExprSyntax.self), call.bytes == site.range { return call }
      node = here.parent
    }
    return nil
  }
}

extension SyntaxProtocol {
  fileprivate var bytes: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }
}

extension ExprSyntax {
  /// Names alone.
  fileprivate var isPlain: Bool {
    if self.is(DeclReferenceExprSyntax.self) { return true }
    return self.as(MemberAccessExprSyntax.self)?.base?.isPlain ?? false
  }

  /// A dictionary literal, or an array of such.
  fileprivate var isWritten: Bool {
    if self.is(DictionaryExprSyntax.self) { return true }
    return self.as(ArrayExprSyntax.self)?.elements.allSatisfy { $0.expression.is(DictionaryExprSyntax.self) } ?? false
  }
}
