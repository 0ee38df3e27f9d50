import SwiftSyntax

extension Unfolder {
  private static let elsewhere = NotWritten("its parameters are put together elsewhere")

  /// An argument that is one dictionary, or an array of some.
  func payloads(
    _ expression: ExprSyntax, _ scope: WrittenScope, numbers: NumberContext = .any, steps: Int
  ) throws(NotWritten) -> [LiteralCall.Value] {
    if let array = expression.as(ArrayExprSyntax.self) {
      var payloads: [LiteralCall.Value] = []
      for element in array.elements {
        payloads.append(try dictionary(element.expression, scope, numbers: numbers, steps: steps))
      }
      return payloads
    }
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
      if case .written(let argument, let outer, let declared, _)? = scope.bindings[name] {
        return try payloads(argument, outer, numbers: NumberContext(declared), steps: steps)
      }
      if let constant = initial(of: name, scope) {
        return try payloads(constant.initial, scope, numbers: NumberContext(constant.declared), steps: steps)
      }
    }
    return [try dictionary(expression, scope, numbers: numbers, steps: steps)]
  }

  func dictionary(of body: Body, steps: Int) throws(NotWritten) -> LiteralCall.Value {
    try dictionary(body.expression, body.scope, numbers: NumberContext(body.declared), steps: steps)
  }

  /// A dictionary whose keys are all known, with what stands behind each.
  func dictionary(
    _ expression: ExprSyntax, _ scope: WrittenScope, numbers: NumberContext = .any, steps: Int
  ) throws(NotWritten) -> LiteralCall.Value {
    guard steps > 0 else { throw Self.elsewhere }
    switch expression.unparenthesized.as(ExprSyntaxEnum.self) {
    case .dictionaryExpr(let dictionary):
      guard case .elements(let elements) = dictionary.content else { return .object([]) }
      var members: [LiteralCall.Member] = []
      let kinds = elements.map { value($0.value, scope).kind }
      for element in elements {
        guard numbers.keeps(element.value, among: kinds) || element.value.is(DictionaryExprSyntax.self) else {
          throw NotWritten("`\(element.value.excerpt)` gets its type from where it is declared")
        }
        var path = scope.path
        let key = evaluator.unobserved { evaluator.key(element.key, scope.context, &path) }
        members.append(LiteralCall.Member(key: key, value: try member(element.value, scope, steps: steps)))
      }
      return .object(members)
    case .asExpr(let cast) where cast.questionOrExclamationMark == nil:
      return try dictionary(cast.expression, scope, numbers: NumberContext(cast.type), steps: steps)
    case .declReferenceExpr(let name):
      let text = name.baseName.identifierText
      if let binding = scope.bindings[text] { return try dictionary(binding, steps: steps) }
      if let constant = initial(of: text, scope) {
        return try dictionary(constant.initial, scope, numbers: NumberContext(constant.declared), steps: steps)
      }
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
    case .written(let argument, let outer, let declared, _):
      return try dictionary(argument, outer, numbers: NumberContext(declared), steps: steps)
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
    if expression.is(DictionaryExprSyntax.self) {
      return try dictionary(expression, scope, numbers: .inferred, steps: steps)
    }
    // A container that says its type is a container all the same.
    if let cast = expression.as(AsExprSyntax.self), cast.questionOrExclamationMark == nil,
      cast.expression.is(DictionaryExprSyntax.self)
    {
      return try dictionary(cast.expression, scope, numbers: NumberContext(cast.type), steps: steps)
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
      case .object(let left) = try dictionary(base, scope, numbers: .inferred, steps: steps),
      case .object(let right) = try dictionary(first.expression, scope, numbers: .inferred, steps: steps)
    else { throw Self.elsewhere }
    // Both are of one type.
    for (literal, others) in [(base, right), (first.expression, left)] where literal.is(DictionaryExprSyntax.self) {
      guard NumberContext.inferred.keeps(literal, among: others.map(\.kind)) else {
        throw NotWritten("`\(literal.excerpt)` gets its type from where it is declared")
      }
    }
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

extension LiteralCall.Member {
  /// What stands behind it, as far as that is known; a dictionary is no number.
  fileprivate var kind: SourceValue.ScalarKind? {
    switch value {
    case .expression(let expression): expression.value.kind
    case .object: .string
    case .list: nil
    }
  }
}
