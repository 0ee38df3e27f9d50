import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// An operator between two operands, or an assignment.
  func infix(
    _ infix: InfixOperatorExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    if infix.operator.is(AssignmentExprSyntax.self) {
      let assigned = value(infix.rightOperand, context, &path, expected: declaredType(infix.leftOperand, context, path))
      assign(assigned, to: infix.leftOperand, context, &path)
      return SourceValue(.tuple([]))
    }
    guard let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .open("`\(infix.excerpt)`")
    }
    let left = value(infix.leftOperand, context, &path, expected: expected)
    if sign == "??" {
      let right = unobservedChanges(infix.rightOperand, context, &path, expected: expected ?? left.unwrapped.typeID)
      if left.isNull { return right }
      return left.canBeNull ? .oneOf([left.unwrapped, right]) : left
    }
    if sign == "&&" || sign == "||" {
      _ = unobservedChanges(infix.rightOperand, context, &path, expected: nil)
      return .scalar(.bool)
    }
    let right = value(infix.rightOperand, context, &path)
    if Self.comparisons.contains(sign) { return SourceValue.scalar(.bool).tainted(false) }
    if sign == "..." || sign == "..<" {
      return left.range(to: right, isClosed: sign == "...")
    }
    if sign.hasSuffix("=") {
      let name = infix.leftOperand.rootName.map { Set([$0]) } ?? []
      if sign == "+=", let only = infix.leftOperand.as(DeclReferenceExprSyntax.self),
        let id = context.names.ids[only.baseName.identifierText]
      {
        path.values[id] = left.adding(right)
      } else {
        forget(name, context, &path, "`\(sign)` changes it")
      }
      return SourceValue(.tuple([]))
    }
    return sign == "+" ? left.adding(right) : left.reckoned(with: right, sign)
  }

  private static let comparisons: Set<String> = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "~="]

  /// An expression that may not be worked out at all: what it changes is open afterwards.
  func unobservedChanges(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path, expected: TypeID?
  ) -> SourceValue {
    var aside = path
    let result = value(expression, context, &aside, expected: expected)
    forget(mutated(in: expression), context, &path, "it is changed only sometimes")
    return result
  }

  /// `condition ? a : b`.
  func branches(
    _ condition: ExprSyntax, _ results: [ExprSyntax], _ context: EvaluationContext, _ path: inout Path,
    expected: TypeID?
  ) -> SourceValue {
    let decision = value(condition, context, &path)
    if case .literal(.bool(let flag)) = decision.shape {
      return value(flag ? results[0] : results[1], context, &path, expected: expected)
    }
    return .oneOf(results.map { unobservedChanges($0, context, &path, expected: expected) })
  }

  func prefix(
    _ prefix: PrefixOperatorExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    let operand = value(prefix.expression, context, &path)
    switch (prefix.operator.text, operand.shape) {
    case ("-", .literal(.int(let number))): return SourceValue(.literal(.int(0 &- number))).tainted(by: operand)
    case ("-", .literal(.double(let number))): return SourceValue(.literal(.double(-number))).tainted(by: operand)
    case ("-", .scalar), ("+", _): return operand
    case ("!", .literal(.bool(let flag))): return SourceValue(.literal(.bool(!flag))).tainted(by: operand)
    case ("!", _): return .scalar(.bool)
    default: return .open("`\(prefix.excerpt)`")
    }
  }

  func cast(_ cast: AsExprSyntax, _ context: EvaluationContext, _ path: inout Path) -> SourceValue {
    let declared = value(of: cast.type, typeName: context.typeName, file: context.file)
    let whole = value(cast.expression, context, &path, expected: declared.typeID)
    let mark = cast.questionOrExclamationMark?.tokenKind
    if mark == nil { return whole.isOpenShape ? declared.tainted(by: whole) : whole.converted(to: declared) }
    let known = declared.isOpenShape ? whole : declared.tainted(by: whole)
    return mark == .postfixQuestionMark ? .oneOf([known, .null]) : known
  }

  /// The type of the local value or member that is assigned to, for `.name` on the other side.
  private func declaredType(
    _ target: ExprSyntax, _ context: EvaluationContext, _ path: Path
  ) -> TypeID? {
    guard let name = target.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
      let id = context.names.ids[name]
    else { return nil }
    return path.values[id]?.unwrapped.typeID
  }

  /// `name = …`, `name[key] = …`, `name.property = …`.
  func assign(_ assigned: SourceValue, to target: ExprSyntax, _ context: EvaluationContext, _ path: inout Path) {
    if let name = target.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
      if let id = context.names.ids[name] { path.values[id] = assigned }
      return
    }
    if let place = target.as(SubscriptCallExprSyntax.self),
      let name = place.calledExpression.unchained.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
      let id = context.names.ids[name], let whole = path.values[id], place.arguments.count == 1,
      let only = place.arguments.first, only.label == nil
    {
      let key = key(only.expression, context, &path)
      path.values[id] = whole.assigning(assigned, at: key)
      return
    }
    if let tuple = target.as(TupleExprSyntax.self) {
      let parts: [SourceValue]
      if case .tuple(let fields) = assigned.shape { parts = fields.map(\.value) } else { parts = [] }
      for (position, element) in tuple.elements.enumerated() {
        assign(
          position < parts.count ? parts[position] : .open("a part of a tuple"), to: element.expression, context, &path)
      }
      return
    }
    if target.is(DiscardAssignmentExprSyntax.self) { return }
    forget(target.rootName.map { [$0] } ?? [], context, &path, "a part of it is assigned")
  }
}

extension ExprSyntax {
  /// `a` of `a?` and `a!`.
  var unchained: ExprSyntax {
    if let chain = self.as(OptionalChainingExprSyntax.self) { return chain.expression.unchained }
    if let forced = self.as(ForceUnwrapExprSyntax.self) { return forced.expression.unchained }
    return self
  }
}

extension SourceValue {
  var isOpenShape: Bool {
    if case .open = shape { true } else { false }
  }

  /// A dictionary after `dictionary[key] = value`: `nil` takes a key away.
  func assigning(_ assigned: SourceValue, at key: SourceValue) -> SourceValue {
    .oneOf(
      alternatives.flatMap { whole -> [SourceValue] in
        guard case .object = whole.shape else {
          return [.open("an element of it is assigned", dependsOnCaller: whole.dependsOnCaller)]
        }
        if assigned.isNull { return [whole.removing(key)] }
        if assigned.canBeNull {
          // Either it is there afterwards, or it is gone.
          let set = whole.setting(key, to: assigned.unwrapped)
          return set + [whole.removing(key)]
        }
        return whole.setting(key, to: assigned)
      })
  }

  /// The numbers from this one to another.
  func range(to end: SourceValue, isClosed: Bool) -> SourceValue {
    guard kind == .int, end.kind == .int else { return .open("a range") }
    guard case .literal(.int(let first)) = shape, case .literal(.int(let last)) = end.shape, first <= last,
      last.subtractingReportingOverflow(first).partialValue < 1_000, last < .max
    else { return SourceValue(.elements(.scalar(.int))) }
    return SourceValue(.list((first..<(isClosed ? last + 1 : last)).map { SourceValue(.literal(.int($0))) }))
  }

  /// `+`.
  func adding(_ other: SourceValue) -> SourceValue {
    .oneOf(
      alternatives.flatMap { left in
        other.alternatives.map { right -> SourceValue in
          let isTainted = left.dependsOnCaller || right.dependsOnCaller
          switch (left.shape, right.shape) {
          case (.list(let first), .list(let second)): return SourceValue(.list(first + second)).tainted(isTainted)
          case (.elements, .list), (.elements, .elements), (.list, .elements):
            return SourceValue(.elements(.oneOf(left.elementValues + right.elementValues))).tainted(isTainted)
          default:
            if left.isText || right.isText { return left.concatenated(with: right) }
            return left.reckoned(with: right, "+")
          }
        }
      })
  }

  /// Every value that an array can have as an element.
  var elementValues: [SourceValue] {
    switch shape {
    case .list(let elements): elements
    case .elements(let element): [element]
    default: [.open("an element", dependsOnCaller: dependsOnCaller)]
    }
  }

  private var isText: Bool {
    switch shape {
    case .literal(.string), .text, .scalar(.string): true
    default: false
    }
  }

  /// A number that is worked out of two; only its kind is known.
  func reckoned(with other: SourceValue, _ sign: String) -> SourceValue {
    let isTainted = dependsOnCaller || other.dependsOnCaller
    guard ["+", "-", "*", "/", "%", "&+", "&-", "&*", "&", "|", "^", "<<", ">>"].contains(sign) else {
      return .open("`\(sign)` between two values", dependsOnCaller: isTainted)
    }
    switch (kind, other.kind) {
    case (.int?, .int?): return SourceValue.scalar(.int).tainted(isTainted)
    case (.double?, .double?), (.double?, .int?), (.int?, .double?):
      return SourceValue.scalar(.double).tainted(isTainted)
    case (.date?, .double?), (.date?, .int?): return SourceValue.scalar(.date).tainted(isTainted)
    default: return .open("`\(sign)` between two values", dependsOnCaller: isTainted)
    }
  }

  /// The kind of a value without parts.
  var kind: ScalarKind? {
    switch shape {
    case .literal(.string), .text: return .string
    case .literal(.int): return .int
    case .literal(.double): return .double
    case .literal(.bool): return .bool
    case .scalar(let kind): return kind
    case .oneOf(let values):
      let kinds = Set(values.map(\.kind))
      return kinds.count == 1 ? kinds.first ?? nil : nil
    default: return nil
    }
  }
}
