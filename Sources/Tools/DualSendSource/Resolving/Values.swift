import DualSendCore
import SwiftParser
import SwiftSyntax

/// Reads expressions, and the declarations that they name.
///
/// Declarations are evaluated on demand, each once for the same receiver and arguments.
final class ValueReader {
  /// What the value of a declaration depends on.
  struct MemoKey: Hashable {
    let declaration: Int
    var receiver: Value?
    var arguments: [String: Value] = [:]
    /// The member that is read from each case or subtype of the receiver.
    var member = ""
  }

  unowned let resolver: Resolver
  let types: TypeReader
  private var memo: [MemoKey: Value] = [:]
  private var running: Set<MemoKey> = []

  var index: DeclarationIndex { types.index }

  init(_ resolver: Resolver) {
    (self.resolver, types) = (resolver, resolver.types)
  }

  /// The value of a declaration, from memory if it is known; unknown if it needs itself. Each declaration has the full
  /// number of steps, so that its value does not depend on what was evaluated before.
  func remembered(_ key: MemoKey, of name: String, _ work: () -> Value?) -> Value? {
    if let known = memo[key] { return known }
    guard running.insert(key).inserted else { return .unknown("`\(name)` needs itself") }
    let before = (resolver.effort.left, resolver.effort.depth)
    (resolver.effort.left, resolver.effort.depth) = (Effort.perQuestion, 0)
    resolver.effort.nesting += 1
    let found = work()
    (resolver.effort.left, resolver.effort.depth) = before
    resolver.effort.nesting -= 1
    running.remove(key)
    if let found { memo[key] = found }
    return found
  }

  // MARK: expressions

  /// The possible values of an expression. Each form that is read has a row here; any other is unknown, and named with its line.
  ///
  /// - Parameter expected: the type that the context requires, which determines the meaning of `.x`.
  func value(_ expression: ExprSyntax, _ state: PathState, as expected: String? = nil) -> Value {
    guard resolver.effort.descend() else { return Effort.exceeded }
    defer { resolver.effort.depth -= 1 }
    if let expected, let own = ownLiteral(expression, expected, state) { return own }
    return switch expression.as(ExprSyntaxEnum.self) {
    // Literals
    case .stringLiteralExpr(let literal): text(literal, state)
    case .integerLiteralExpr(let literal):
      literal.representedLiteralValue.map { .literal(.int(Int64($0))) } ?? .scalar(.int)
    case .floatLiteralExpr(let literal):
      literal.representedLiteralValue.map { .literal(.double($0)) } ?? .scalar(.double)
    case .booleanLiteralExpr(let literal): .literal(.bool(literal.literal.text == "true"))
    case .nilLiteralExpr: .null
    case .arrayExpr(let array): .list(array.elements.map { value($0.expression, state, as: expected?.elementType) })
    case .dictionaryExpr(let dictionary): self.dictionary(dictionary, state, expected?.dictionaryTypes)
    case .tupleExpr(let tuple) where tuple.elements.count == 1:
      tuple.elements.first.map { value($0.expression, state, as: expected) } ?? .unknown("()")
    // Names and members
    case .declReferenceExpr(let name): reference(name, state)
    case .memberAccessExpr(let access): member(access, state, expected)
    // Calls and operators
    case .functionCallExpr(let call): resolver.calls.result(of: call, state, expected)
    case .infixOperatorExpr(let infix): self.infix(infix, state, expected)
    case .prefixOperatorExpr(let prefix): value(prefix.expression, state, as: expected).after(prefix.operator.text)
    // Choices
    case .ternaryExpr(let choice):
      .either(
        (truth(of: choice.condition, state).map { [$0 ? choice.thenExpression : choice.elseExpression] }
          ?? [choice.thenExpression, choice.elseExpression]).map { value($0, state, as: expected) })
    case .switchExpr: resolver.statements.value(ofSwitch: expression, state, expected)
    // What stands around another expression
    case .tryExpr(let tried) where tried.questionOrExclamationMark?.text == "?":
      .either([value(tried.expression, state, as: expected), .null])
    case .tryExpr(let tried): value(tried.expression, state, as: expected)
    case .asExpr(let cast) where cast.questionOrExclamationMark?.text == "?":
      .either([value(cast.expression, state, as: cast.type.trimmedDescription), .null])
    case .asExpr(let cast): value(cast.expression, state, as: cast.type.trimmedDescription)
    case .isExpr: .scalar(.bool)
    case .awaitExpr(let waited): value(waited.expression, state, as: expected)
    case .forceUnwrapExpr(let forced): value(forced.expression, state, as: expected).unwrapped
    case .optionalChainingExpr(let chained): value(chained.expression, state).chained
    default: .unknown(state.form(expression))
    }
  }

  /// The value of a literal of a type that gives it another meaning: an own type, a floating-point type or a set.
  private func ownLiteral(_ expression: ExprSyntax, _ expected: String, _ state: PathState) -> Value? {
    switch expression.kind {
    case .integerLiteralExpr, .stringLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr, .arrayExpr, .dictionaryExpr,
      .floatLiteralExpr:
      break
    default: return nil
    }
    let plain = DeclarationIndex.plain(expected.withoutOptional)
    if expression.kind == .integerLiteralExpr,
      let type = index.aliased(plain, in: state.owner, file: state.unit.file)
    {
      switch type {
      case "Double", "Float", "Float32", "Float64", "CGFloat", "TimeInterval": return .scalar(.double)
      case "Int", "UInt", "Any", "AnyHashable", "Sendable", "Hashable", "Encodable", "Codable", "Equatable": break
      case _ where type.hasPrefix("Int") || type.hasPrefix("UInt"): break
      // Of a type that these sources do not show, the literal may be anything.
      default: if types.named(type, state) == nil { return .scalar(.unknown) }
      }
    }
    if expression.kind == .arrayExpr, plain == "Set" { return .unknown("a set") }
    let own = types.named(plain, state) ?? .init(path: plain, file: nil)
    let isOwn = types.ancestors(of: own).contains { $0.path.hasPrefix("ExpressibleBy") }
    return isOwn ? .unknown("a literal of `\(plain)`") : nil
  }

  private func dictionary(
    _ literal: DictionaryExprSyntax, _ state: PathState, _ types: (key: String, value: String)?
  ) -> Value {
    var shape = Value.Dictionary()
    guard case .elements(let elements) = literal.content else { return .dictionary(shape) }
    for element in elements {
      let member = Value.Member(value: value(element.value, state, as: types?.value), isOptional: false)
      shape.set(key(element.key, state, as: types?.key, in: &shape), member, text: element.key.shortText)
    }
    return .dictionary(shape)
  }

  /// A key of a dictionary: of a case of an enum, its raw value.
  func key(
    _ expression: ExprSyntax, _ state: PathState, as type: String?, in shape: inout Value.Dictionary
  ) -> Value {
    let found = value(expression, state, as: type)
    let isCase = found.alternatives.contains { if case .enumCase = $0 { true } else { false } }
    shape.isKeyedByCases = shape.isKeyedByCases || isCase
    return isCase ? member("rawValue", of: found, state) : found
  }

  /// Whether a condition holds; `nil` if that is not known.
  func truth(of condition: ExprSyntax, _ state: PathState) -> Bool? {
    switch condition.as(ExprSyntaxEnum.self) {
    case .tupleExpr(let tuple) where tuple.elements.count == 1:
      return tuple.elements.first.flatMap { truth(of: $0.expression, state) }
    case .prefixOperatorExpr(let prefix) where prefix.operator.text == "!":
      return truth(of: prefix.expression, state).map { !$0 }
    case .infixOperatorExpr(let infix):
      let name = infix.operator.trimmedDescription
      guard name == "==" || name == "!=" else { return nil }
      let one = value(infix.leftOperand, state)
      let other = value(infix.rightOperand, state, as: types.type(of: one, state)?.path)
      let found = [one, other].flatMap(\.alternatives).compactMap { types.type(of: $0, state) }
      let names = Set(found.flatMap(types.ancestors).map { DeclarationIndex.last($0.path) })
      if ["==", "!="].contains(where: { types.isOwnOperator($0, of: names) }) { return nil }
      return one.isEqual(to: other).map { $0 == (name == "==") }
    case .declReferenceExpr, .memberAccessExpr, .booleanLiteralExpr:
      if case .literal(.bool(let flag)) = value(condition, state) { return flag }
      return nil
    default: return nil
    }
  }

  /// The operators between two operands.
  private func infix(_ infix: InfixOperatorExprSyntax, _ state: PathState, _ expected: String?) -> Value {
    let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
    switch name {
    case "??"?, "+"?:
      if let name, types.isOwnOperator(name) { return .unknown("the operator `\(name)` is the app's own") }
      let left = value(infix.leftOperand, state, as: expected)
      if name == "+" {
        let right = value(infix.rightOperand, state, as: expected)
        return left.sum(with: right) ?? .unknown(state.form(infix))
      }
      if left.mayBeNil == false { return left }
      let right = value(infix.rightOperand, state, as: expected ?? types.type(of: left, state)?.path)
      return left == .null ? right : .either([left.unwrapped, right])
    case "=="?, "!="?, "<"?, ">"?, "<="?, ">="?, "&&"?, "||"?, "==="?, "!=="?, "~="?: return .scalar(.bool)
    case "-"?, "*"?, "/"?, "%"?: return .scalar(.unknown)
    default: return .unknown(state.form(infix))
    }
  }

  // MARK: texts

  private func text(_ literal: StringLiteralExprSyntax, _ state: PathState) -> Value {
    if let plain = literal.representedLiteralValue { return .text(plain) }
    var all: [Value] = [.text("")]
    for segment in literal.segments {
      switch segment {
      case .stringSegment(let part):
        // The escapes of a part are decoded by parsing it as a literal of its own.
        guard let text = literal.meaning(of: part) else { return .unknown("a text that is not understood") }
        all = all.map { $0.appending(.text(text)) }
      case .expressionSegment(let part):
        guard part.expressions.count == 1, let only = part.expressions.first, only.label == nil,
          index.functions("appendInterpolation").isEmpty
        else {
          all = all.map { $0.appending(.unknown("an interpolation")) }
          continue
        }
        let inner = isShownPlainly(only.expression, state) ? value(only.expression, state) : .scalar(.string)
        let shown = inner.map { self.shown($0, of: only.expression, state) }.alternatives
        guard all.count * shown.count <= max(Value.maximumTexts, shown.count) else { return .unknown("too many texts") }
        all = all.flatMap { left in shown.map(left.appending) }
      }
    }
    return .either(all)
  }

  /// A value in an interpolation.
  private func shown(_ value: Value, of expression: ExprSyntax, _ state: PathState) -> Value {
    switch value {
    case .text, .pattern, .parameter(_, type: "String"): return value
    case .literal(.int(let number)): return .text("\(number)")
    case .literal(.bool(let flag)): return .text("\(flag)")
    case .enumCase(let type, let name, let fields) where fields.isEmpty:
      let all = types.ancestors(of: type)
      if all.contains(where: { !types.own("description", .property, of: $0, state).isEmpty }) {
        return member("description", of: value, state)
      }
      let isShown = all.contains { one in
        one.path.hasSuffix("StringConvertible") || !index.members("debugDescription", of: one, file: -1).isEmpty
      }
      return isShown ? .unknown("what a text shows of `\(type.path)`") : .text(name)
    case .instance(let type) where index.declaration(of: type)?.kind == .enumeration:
      return .either(
        types.expanded(value).map { one in
          if case .instance = one { return .unknown(expression.shortText) }
          return shown(one, of: expression, state)
        })
    case .parameter(let name, _): return .pattern([nil], reason: "any value of `\(name)`", isCallers: false)
    default: return .pattern([nil], reason: "any value of `\(expression.shortText)`", isCallers: false)
    }
  }

  // MARK: what a text shows as `Optional(…)`

  /// Whether a text shows an expression as it is, because it is certainly no optional: a literal, and what is declared with a type.
  func isShownPlainly(_ expression: ExprSyntax, _ state: PathState) -> Bool {
    switch expression.as(ExprSyntaxEnum.self) {
    case .stringLiteralExpr, .integerLiteralExpr, .booleanLiteralExpr: return true
    case .tupleExpr(let tuple):
      return tuple.elements.count == 1 && tuple.elements.allSatisfy { isShownPlainly($0.expression, state) }
    case .ternaryExpr(let choice):
      return [choice.thenExpression, choice.elseExpression].allSatisfy { isShownPlainly($0, state) }
    case .infixOperatorExpr(let infix):
      let name = infix.operator.trimmedDescription
      return name == "+" || name == "??" && isShownPlainly(infix.rightOperand, state)
    case .declReferenceExpr(let node):
      let name = node.baseName.identifierText
      if state.locals[name] != nil { return !types.isOptional(state.types[name]) }
      let own = types.around(state).lazy.map { self.types.anyProperty(name, of: $0, state) }.first { !$0.isEmpty }
      return isPlain(own ?? index.globals(name, file: state.unit.file))
    case .memberAccessExpr(let access) where !access.isBehindOptional:
      let name = access.declName.baseName.identifierText
      guard let base = access.base else { return false }
      let type = types.named(base, state) ?? types.type(of: value(base, state), state)
      let found = type.map { types.anyProperty(name, of: $0, state) } ?? []
      return found.isEmpty ? name == "rawValue" : isPlain(found)
    case .functionCallExpr(let call) where !call.isBehindOptional:
      let name = call.calledName?.identifierText ?? ""
      return name == "String" || isPlain(types.fitting(call, name))
    default: return false
    }
  }

  /// Whether some declarations of a name, if there are any, have a type that is no optional, or a text as their value.
  private func isPlain(_ all: [Int]) -> Bool {
    !all.isEmpty
      && all.map { index[$0] }.allSatisfy { one in
        one.type.map { !types.isOptional($0) }
          ?? one.value.flatMap { resolver.units.expression($0, in: one.file)?.node.is(StringLiteralExprSyntax.self) }
          ?? false
      }
  }
}

extension ExprSyntaxProtocol {
  /// Whether an optional before a `?.` makes it an optional.
  fileprivate var isBehindOptional: Bool {
    switch ExprSyntax(self).as(ExprSyntaxEnum.self) {
    case .optionalChainingExpr: true
    case .memberAccessExpr(let access): access.base?.isBehindOptional ?? false
    case .functionCallExpr(let call): call.calledExpression.isBehindOptional
    case .subscriptCallExpr(let call): call.calledExpression.isBehindOptional
    default: false
    }
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

extension ExprSyntax {
  /// A short form that identifies the expression.
  var shortText: String {
    let line = trimmedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "…" : line
  }

  /// A plain name.
  var localName: String? { self.as(DeclReferenceExprSyntax.self)?.baseName.identifierText }

  /// Whether it starts with a dot, so that the context determines its type.
  var isImplicit: Bool {
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.isImplicit }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return false }
    return access.base?.isImplicit ?? true
  }

  /// `A.B.c`: names only.
  var dottedName: String? {
    if let name = self.as(DeclReferenceExprSyntax.self), name.argumentNames == nil {
      return name.baseName.identifierText
    }
    if let special = self.as(GenericSpecializationExprSyntax.self) { return special.expression.dottedName }
    guard let access = self.as(MemberAccessExprSyntax.self), let base = access.base?.dottedName else { return nil }
    return base + "." + access.declName.baseName.identifierText
  }
}
