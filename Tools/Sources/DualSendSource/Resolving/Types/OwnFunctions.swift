import SwiftSyntax

/// What an app declares in place of the standard library.
extension Resolver {
  /// Whether the app declares a function that a call on a text, a collection or an optional may mean.
  func isOwn(_ name: String, _ call: FunctionCallExprSyntax) -> Bool {
    index.functions(name).contains { standardOwners.contains(index[$0].owner) && call.fits(index[$0]) }
  }

  static let standardTypes: Set<String> = [
    "String", "Substring", "StringProtocol", "Array", "Dictionary", "Optional", "Sequence", "Collection",
    "BidirectionalCollection", "MutableCollection", "RandomAccessCollection", "RangeReplaceableCollection",
  ]

  /// Whether the app declares an operator that may be meant between values of these types, which have no dots.
  func isOwnOperator(_ name: String, of types: Set<String>) -> Bool {
    index.functions(name).contains { number in
      let one = index[number]
      let sides = one.parameters.map { DeclarationIndex.plain($0.type.withoutOptional) } + [one.owner]
      return sides.contains { side in
        types.contains(DeclarationIndex.last(side)) || one.generics.contains(side)
          || (types.contains("Array") && side.hasPrefix("[") && side.topLevelColon == nil)
      }
    }
  }

  /// Whether the app compares values of these types by a function of its own.
  func isOwnEquality(_ values: [Value], _ context: Context) -> Bool {
    guard ["==", "!="].contains(where: { !index.functions($0).isEmpty }) else { return false }
    let found = values.flatMap(\.alternatives).compactMap { type(of: $0, in: context) }.flatMap(types.ancestors)
    let names = Set(found.map { DeclarationIndex.last($0.path) })
    return ["==", "!="].contains { isOwnOperator($0, of: names) }
  }

  /// Whether the code sees or may see an optional here, which a text shows as `Optional(…)`.
  func isShownAsOptional(_ expression: ExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    func isShown(_ part: ExprSyntax) -> Bool { isShownAsOptional(part, context, state) }
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let node):
      let name = node.baseName.identifierText
      if state.locals[name] != nil { return state.types[name]?.isOptionalType == true }
      return index.type(context.owner, in: "", file: context.unit.file).map { hasOptional(name, $0, context) } ?? false
    case .memberAccessExpr(let access):
      guard let base = access.base else { return false }
      let name = access.declName.baseName.identifierText
      let type = namedType(base, context, state) ?? type(of: value(base, context, state), in: context)
      return access.isBehindOptional || (type.map { hasOptional(name, $0, context) } ?? false)
    case .functionCallExpr(let call):
      let all = index.functions(call.calledName?.identifierText ?? "").map { index[$0] }
      return ExprSyntax(call).isBehindOptional
        || all.contains { $0.type?.isOptionalType == true && call.fits($0) }
    case .subscriptCallExpr(let call):
      if case .list = value(call.calledExpression, context, state) { return false }
      return true
    case .asExpr(let cast):
      return cast.questionOrExclamationMark?.text == "?"
        || (cast.questionOrExclamationMark == nil && isShown(cast.expression))
    case .tryExpr(let tried): return tried.questionOrExclamationMark?.text == "?" || isShown(tried.expression)
    case .tupleExpr(let tuple): return tuple.elements.contains { isShown($0.expression) }
    case .awaitExpr(let waited): return isShown(waited.expression)
    case .ternaryExpr(let choice): return isShown(choice.thenExpression) || isShown(choice.elseExpression)
    case .infixOperatorExpr(let infix): return isShown(infix.rightOperand)
    default: return false
    }
  }

  private func hasOptional(_ name: String, _ type: TypeReference, _ context: Context) -> Bool {
    [false, true].contains { isStatic in
      property(name, of: type, isStatic: isStatic, context).contains { index[$0].type?.isOptionalType == true }
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
