import DualSendCore
import DualSendInventory
import SwiftParser
import SwiftSyntax

extension Resolver {
  /// The possible values of an expression.
  ///
  /// - Parameter expected: the type that the context requires, which determines the meaning of `.x`.
  func value(_ expression: ExprSyntax, _ context: Context, _ state: PathState, expected: String? = nil) -> Value {
    guard mayWork(), depth < Self.maximumDepth else { return .unknown(Self.tooMuch) }
    depth += 1
    defer { depth -= 1 }
    switch expression.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr(let literal): return text(literal, context, state)
    case .integerLiteralExpr(let literal):
      return literal.representedLiteralValue.map { .literal(.int(Int64($0))) } ?? .scalar(.int)
    case .floatLiteralExpr(let literal):
      return literal.representedLiteralValue.map { .literal(.double($0)) } ?? .scalar(.double)
    case .booleanLiteralExpr(let literal): return .literal(.bool(literal.literal.text == "true"))
    case .nilLiteralExpr: return .null
    case .arrayExpr(let array):
      let type = expected?.elementType
      return .list(array.elements.map { value($0.expression, context, state, expected: type) })
    case .dictionaryExpr(let dictionary): return self.dictionary(dictionary, context, state, expected)
    case .tupleExpr(let tuple):
      guard tuple.elements.count == 1, let only = tuple.elements.first else { return .scalar(.unknown) }
      return value(only.expression, context, state, expected: expected)
    case .asExpr(let cast):
      let inner = value(cast.expression, context, state, expected: cast.type.trimmedDescription)
      return cast.questionOrExclamationMark?.text == "?" ? .either([inner, .null]) : inner
    case .tryExpr(let tried):
      let inner = value(tried.expression, context, state, expected: expected)
      return tried.questionOrExclamationMark?.text == "?" ? .either([inner, .null]) : inner
    case .awaitExpr(let waited): return value(waited.expression, context, state, expected: expected)
    case .forceUnwrapExpr(let forced): return value(forced.expression, context, state, expected: expected).unwrapped
    case .optionalChainingExpr(let chained):
      // A member of nil is nil.
      let base = value(chained.expression, context, state)
      return base.mayBeNil == false ? base : .either([base.unwrapped, .null])
    case .ternaryExpr, .ifExpr, .switchExpr:
      return .either(values(expression, context, state, expected: expected).map(\.0))
    case .infixOperatorExpr(let infix): return self.infix(infix, context, state, expected)
    case .prefixOperatorExpr(let prefix):
      switch (prefix.operator.text, value(prefix.expression, context, state, expected: expected)) {
      case ("-", .literal(.int(let number))): return .literal(.int(-number))
      case ("-", .literal(.double(let number))): return .literal(.double(-number))
      case ("!", _): return .scalar(.bool)
      case ("-", .scalar(let type)): return .scalar(type)
      default: return .scalar(.unknown)
      }
    case .declReferenceExpr(let name): return reference(name, context, state)
    case .memberAccessExpr(let access): return member(access, context, state, expected)
    case .functionCallExpr(let call): return self.call(call, context, state, expected)
    case .subscriptCallExpr(let call): return element(call, context, state)
    case .isExpr: return .scalar(.bool)
    case .superExpr: return .unknown("`super` is not followed")
    case .closureExpr: return .unknown("a closure")
    default: return .unknown("`\(expression.shortText)` is not followed")
    }
  }

  /// The type of a ternary's branches, if one of them shows it.
  func sharedType(
    _ choice: TernaryExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> String? {
    guard expected == nil, choice.thenExpression.isImplicit != choice.elseExpression.isImplicit else { return expected }
    let known = choice.thenExpression.isImplicit ? choice.elseExpression : choice.thenExpression
    return type(of: quietly { value(known, context, state) }, in: context)?.path
  }

  private func text(_ literal: StringLiteralExprSyntax, _ context: Context, _ state: PathState) -> Value {
    if let plain = literal.representedLiteralValue { return .text(plain, context.unit.origin(literal)) }
    var all: [Value] = [.text("", nil)]
    for segment in literal.segments {
      switch segment {
      case .stringSegment(let part):
        // The escapes of a part are decoded by parsing it as a literal of its own.
        guard let text = literal.meaning(of: part) else { return .unknown("a text that is not understood") }
        all = all.map { joined($0, .text(text, nil)) }
      case .expressionSegment(let part):
        guard part.expressions.count == 1, let only = part.expressions.first, only.label == nil else {
          all = all.map { joined($0, .unknown("an interpolation")) }
          continue
        }
        let isOptional = isShownAsOptional(only.expression, context, state)
        let inner = isOptional ? .scalar(.string) : value(only.expression, context, state)
        let shown = inner.map { self.shown($0, of: only.expression, context) }.alternatives
        guard all.count * shown.count <= max(Value.maximumTexts, shown.count) else { return .unknown("too many texts") }
        all = all.flatMap { left in shown.map { joined(left, $0) } }
      }
    }
    return .either(all)
  }

  /// A value in an interpolation.
  private func shown(_ value: Value, of expression: ExprSyntax, _ context: Context) -> Value {
    switch value {
    case .text(let text, _): return .text(text, nil)
    case .pattern: return value
    case .literal(.int), .literal(.bool): return .text(value.textParts?.first.flatMap { $0 } ?? "", nil)
    case .enumCase(let type, let name, let fields) where fields.isEmpty:
      let isCustom =
        !index.members("description", of: type, file: context.unit.file).isEmpty
        || index.inherited(by: type).contains { $0.contains("CustomStringConvertible") }
      return isCustom ? member("description", of: value, context) : .text(name, nil)
    case .instance(let type) where index.declaration(of: type)?.kind == .enumeration:
      return .either(
        expanded(value).map { one in
          if case .instance = one { return .unknown(expression.shortText) }
          return shown(one, of: expression, context)
        })
    case .parameter(_, type: "String"): return value
    case .parameter(let name, _):
      return .pattern([nil], reason: "any value of `\(name)`", isCallers: false)
    default: return .pattern([nil], reason: "any value of `\(expression.shortText)`", isCallers: false)
    }
  }

  /// The concatenation of two texts.
  func joined(_ left: Value, _ right: Value) -> Value {
    if case .text(let one, let first) = left, case .text(let other, let second) = right {
      return .text(one + other, one.isEmpty ? second : other.isEmpty ? first : nil)
    }
    func parts(_ value: Value) -> (parts: [String?], reason: String, isCallers: Bool) {
      switch value {
      case .text(let text, _): ([text], "", false)
      case .pattern(let parts, let reason, let isCallers): (parts, reason, isCallers)
      case .parameter(let name, let type):
        // A wrapper may build the name from a parameter, but not from a property of it.
        ([nil], value.reason("a part of it"), type == "String" && !name.contains("."))
      default: ([nil], value.reason("a part of it"), false)
      }
    }
    let (first, second) = (parts(left), parts(right))
    var all: [String?] = []
    for part in first.parts + second.parts {
      if let part, let last = all.last ?? nil {
        all[all.count - 1] = last + part
      } else if part != nil || all.isEmpty || all[all.count - 1] != nil {
        all.append(part)
      }
    }
    return .pattern(
      all.filter { $0 != "" }, reason: first.reason.isEmpty ? second.reason : first.reason,
      isCallers: first.isCallers || second.isCallers)
  }

  private func infix(
    _ infix: InfixOperatorExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> Value {
    guard let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .unknown("`\(infix.operator.trimmedDescription)` is not followed")
    }
    if name == "??" || name == "+", isOwnOperator(name, of: Self.standardTypes) {
      return .unknown("the operator `\(name)` is the app's own")
    }
    switch name {
    case "??":
      let left = value(infix.leftOperand, context, state, expected: expected)
      if left.mayBeNil == false { return left }
      let wanted = expected ?? type(of: left, in: context)?.path
      let right = value(infix.rightOperand, context, state, expected: wanted)
      return left == .null ? right : .either([left.unwrapped, right])
    case "+":
      let left = value(infix.leftOperand, context, state, expected: expected)
      let right = value(infix.rightOperand, context, state, expected: expected)
      if case .list(let one) = left, case .list(let other) = right { return .list(one + other) }
      let isText = (left.alternatives + right.alternatives).contains { one in
        switch one {
        case .text, .pattern, .scalar(.string): true
        default: false
        }
      }
      guard isText,
        left.alternatives.count * right.alternatives.count
          <= max(Value.maximumTexts, left.alternatives.count, right.alternatives.count)
      else {
        return .unknown("`\(ExprSyntax(infix).shortText)` is not followed")
      }
      return .either(left.alternatives.flatMap { one in right.alternatives.map { joined(one, $0) } })
    case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": return .scalar(.bool)
    case "-", "*", "/", "%":
      let sides = [infix.leftOperand, infix.rightOperand].map { value($0, context, state) }
      return sides.allSatisfy { [.scalar(.int), .literal(.int(0))].contains($0) } ? .scalar(.int) : .scalar(.unknown)
    default: return .unknown("the operator `\(name)` is not followed")
    }
  }

  private func dictionary(
    _ literal: DictionaryExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> Value {
    var shape = Value.Dictionary()
    guard case .elements(let elements) = literal.content else { return .dictionary(shape) }
    let types = expected?.dictionaryTypes
    for element in elements {
      let key = value(element.key, context, state, expected: types?.key)
      let value = value(element.value, context, state, expected: types?.value)
      set(key, .init(value: value, isOptional: false), in: &shape, element.key, context)
    }
    return .dictionary(shape)
  }

  /// Sets the value of a key. The case of an enum stands for its raw value.
  func set(
    _ key: Value, _ member: Value.Member, in shape: inout Value.Dictionary, _ written: ExprSyntax, _ context: Context
  ) {
    let texts = key.map { one in
      guard case .enumCase = one else { return one }
      shape.hasCaseKeys = true
      return self.member("rawValue", of: one, context)
    }
    shape.set(texts, member, text: written.shortText)
  }

  /// `x[…]`.
  private func element(_ call: SubscriptCallExprSyntax, _ context: Context, _ state: PathState) -> Value {
    let base = value(call.calledExpression, context, state)
    guard call.arguments.count == 1, let only = call.arguments.first, only.label == nil else {
      return .unknown("`\(ExprSyntax(call).shortText)` is not followed")
    }
    let key = value(only.expression, context, state)
    switch (base, key) {
    case (.list(let all), .literal(.int(let place))) where all.indices.contains(Int(place)): return all[Int(place)]
    case (.dictionary(let shape), .text(let text, _)) where shape.open == nil:
      guard let member = shape.members[text] else { return .null }
      return member.isOptional ? .either([member.value, .null]) : member.value
    case (.parameter(let name, _), _): return .parameter("\(name)[…]", type: "")
    default: return .unknown("`\(ExprSyntax(call).shortText)` is not followed")
    }
  }
}

extension ExprSyntax {
  /// A short form that identifies the expression.
  var shortText: String {
    let line = trimmedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "…" : line
  }
}

extension StringLiteralExprSyntax {
  /// The text of a part without interpolations.
  fileprivate func meaning(of part: StringSegmentSyntax) -> String? {
    if !part.content.text.contains("\\") && openingQuote.tokenKind != .multilineStringQuote { return part.content.text }
    var alone = self
    alone.segments = [.stringSegment(part)]
    return alone.representedLiteralValue
  }
}
