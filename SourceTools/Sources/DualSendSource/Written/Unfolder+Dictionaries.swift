import SwiftSyntax

extension Unfolder {
  private static let elsewhere = NotWritten("its parameters are put together elsewhere")

  /// An argument that is one dictionary, or an array of some.
  func payloads(
    _ expression: ExprSyntax, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> [LiteralCall.Value] {
    if let array = expression.as(ArrayExprSyntax.self) {
      var payloads: [LiteralCall.Value] = []
      for element in array.elements { payloads.append(try dictionary(element.expression, scope, steps: steps)) }
      return payloads
    }
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
      if case .written(let argument, let outer, _, _)? = scope.bindings[name] {
        return try payloads(argument, outer, steps: steps)
      }
      if let constant = initial(of: name, scope) { return try payloads(constant.initial, scope, steps: steps) }
    }
    return [try dictionary(expression, scope, steps: steps)]
  }

  func dictionary(of body: Body, steps: Int) throws(NotWritten) -> LiteralCall.Value {
    try dictionary(body.expression, body.scope, steps: steps)
  }

  /// A dictionary whose keys are all known, with what stands behind each.
  func dictionary(
    _ expression: ExprSyntax, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> LiteralCall.Value {
    guard steps > 0 else { throw Self.elsewhere }
    switch expression.unparenthesized.as(ExprSyntaxEnum.self) {
    case .dictionaryExpr(let dictionary):
      guard case .elements(let elements) = dictionary.content else { return .object([]) }
      var members: [LiteralCall.Member] = []
      for element in elements {
        var path = scope.path
        let key = evaluator.unobserved { evaluator.key(element.key, scope.context, &path) }
        members.append(LiteralCall.Member(key: key, value: try member(element.value, scope, steps: steps)))
      }
      return .object(members)
    case .asExpr(let cast) where cast.questionOrExclamationMark == nil:
      return try dictionary(cast.expression, scope, steps: steps)
    case .declReferenceExpr(let name):
      let text = name.baseName.identifierText
      if let binding = scope.bindings[text] { return try dictionary(binding, steps: steps) }
      if let constant = initial(of: text, scope) { return try dictionary(constant.initial, scope, steps: steps) }
      guard scope.context.names.ids[text] == nil else { throw Self.elsewhere }
      return try dictionary(of: try ownProperty(text, scope, steps: steps), steps: steps - 1)
    case .memberAccessExpr(let member):
      return try dictionary(of: try property(member, scope, steps: steps), steps: steps - 1)
    case .functionCallExpr(let call):
      // `[String: Any]()`
      if call.calledExpression.is(DictionaryExprSyntax.self), call.arguments.isEmpty {
        unfolded.insert(call.id)
        return .object([])
      }
      if let merged = try merged(call, scope, steps: steps) { return merged }
      return try dictionary(of: try result(of: call, scope, steps: steps), steps: steps - 1)
    default: throw Self.elsewhere
    }
  }

  func dictionary(_ binding: WrittenScope.Binding, steps: Int) throws(NotWritten) -> LiteralCall.Value {
    switch binding {
    case .written(let argument, let outer, _, _): return try dictionary(argument, outer, steps: steps)
    case .standard(let value, _):
      guard case .object(let object) = value.shape, object.members.isEmpty, object.open == nil else {
        throw Self.elsewhere
      }
      return .object([])
    }
  }

  private func member(
    _ expression: ExprSyntax, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> LiteralCall.Value {
    if expression.is(DictionaryExprSyntax.self) { return try dictionary(expression, scope, steps: steps) }
    // A container that says its type is a container all the same.
    if let cast = expression.as(AsExprSyntax.self), cast.questionOrExclamationMark == nil,
      cast.expression.is(DictionaryExprSyntax.self)
    {
      return try dictionary(cast.expression, scope, steps: steps)
    }
    if expression.is(ArrayExprSyntax.self) { return .list }
    return .expression(try self.expression(expression, scope))
  }

  /// `a.merging(b) { … }`; `nil` for another call.
  private func merged(
    _ call: FunctionCallExprSyntax, _ scope: WrittenScope, steps: Int
  ) throws(NotWritten) -> LiteralCall.Value? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "merging", let base = member.base, let first = call.arguments.first,
      first.label == nil
    else { return nil }
    guard let keepsFirst = evaluator.keepsFirst(call),
      case .object(let left) = try dictionary(base, scope, steps: steps),
      case .object(let right) = try dictionary(first.expression, scope, steps: steps)
    else { throw Self.elsewhere }
    var merged = left
    for member in right {
      guard let key = member.key.knownText, left.allSatisfy({ $0.key.knownText != nil }) else { throw Self.elsewhere }
      guard let place = merged.firstIndex(where: { $0.key.knownText == key }) else {
        merged.append(member)
        continue
      }
      if !keepsFirst { merged[place] = member }
    }
    if scope.isSite { unfolded.insert(call.id) }
    return .object(merged)
  }
}
