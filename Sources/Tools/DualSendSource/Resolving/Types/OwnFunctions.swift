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
      let sides = one.parameters.map { DeclarationIndex.plain($0.type.withoutOptional) }
      return sides.map { $0 == "Self" ? one.owner : $0 }.allSatisfy { side in
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
}

/// What a text shows as `Optional(…)`.
extension Resolver {
  /// Functions of the standard library that give an optional.
  private static let optionalResults: Set<String> = [
    "map", "flatMap", "first", "last", "randomElement", "popFirst", "popLast", "removeValue", "updateValue", "min",
    "max",
  ]

  /// Whether the code sees or may see an optional here, which a text shows as `Optional(…)`.
  func isShownAsOptional(_ expression: ExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    guard effort.descend() else { return true }
    defer { effort.depth -= 1 }
    func isShown(_ part: ExprSyntax) -> Bool { isShownAsOptional(part, context, state) }
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let node): return isOptional(declared(node.baseName.identifierText, context, state))
    case .memberAccessExpr(let access):
      guard let base = access.base else { return false }
      let name = access.declName.baseName.identifierText
      let type = namedType(base, context, state) ?? type(of: value(base, context, state), in: context)
      return access.isBehindOptional || isOptional(type.flatMap { declared(name, of: $0, context) })
    case .functionCallExpr(let call):
      let name = call.calledName?.identifierText ?? ""
      return ExprSyntax(call).isBehindOptional || Self.optionalResults.contains(name)
        || index.functions(name).contains { isOptional(index[$0].type) && call.fits(index[$0]) }
    case .subscriptCallExpr: return true
    case .forceUnwrapExpr(let forced): return holdsOptionals(forced.expression, context, state)
    case .asExpr(let cast):
      return cast.questionOrExclamationMark?.text == "?"
        || (cast.questionOrExclamationMark == nil && isShown(cast.expression))
    case .tryExpr(let tried): return tried.questionOrExclamationMark?.text == "?" || isShown(tried.expression)
    case .tupleExpr(let tuple): return tuple.elements.contains { isShown($0.expression) }
    case .awaitExpr(let waited): return isShown(waited.expression)
    case .ternaryExpr(let choice): return isShown(choice.thenExpression) || isShown(choice.elseExpression)
    case .infixOperatorExpr(let infix): return infix.operator.trimmedDescription == "??" && isShown(infix.rightOperand)
    default: return false
    }
  }

  /// Whether an element of an array or a dictionary may be an optional, as far as its declared type shows.
  func holdsOptionals(_ collection: ExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    if let array = collection.as(ArrayExprSyntax.self) {
      return array.elements.contains { isShownAsOptional($0.expression, context, state) }
    }
    if let element = collection.as(SubscriptCallExprSyntax.self) {
      return holdsOptionals(element.calledExpression, context, state)
    }
    guard let name = collection.rootName, let type = declared(name, context, state) else { return false }
    return type.dropLast().contains("?") || type.contains("Any") || type.contains { "<(".contains($0) }
  }

  private func isOptional(_ type: String?) -> Bool {
    guard let type else { return false }
    return type.isOptionalType || type == "Any" || index.optionalAliases.contains(type)
  }

  /// The declared type of a name, or `Any?` if its first value may be an optional.
  private func declared(_ name: String, _ context: Context, _ state: PathState) -> String? {
    if state.locals[name] != nil { return state.types[name] }
    var owner = context.owner
    while !owner.isEmpty {
      if let type = index.type(owner, in: "", file: context.unit.file), let found = declared(name, of: type, context) {
        return found
      }
      owner = owner.lastIndex(of: ".").map { String(owner[..<$0]) } ?? ""
    }
    return index.globals(name, file: context.unit.file).compactMap(declared).first
  }

  private func declared(_ name: String, of type: TypeReference, _ context: Context) -> String? {
    [false, true].lazy.flatMap { self.property(name, of: type, isStatic: $0, context) }.compactMap(declared).first
  }

  private func declared(_ number: Int) -> String? {
    let one = index[number]
    guard one.type == nil, let range = one.value, let (unit, node) = units.expression(range, in: one.file) else {
      return one.type
    }
    let isShown = quietly { isShownAsOptional(node, Context(unit: unit, owner: one.owner), PathState()) }
    return isShown ? "Any?" : nil
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
