import SwiftSyntax

/// What an app declares in place of the standard library.
extension Resolver {
  /// Whether the app declares a function that a call on a text, a collection or an optional may mean.
  func isOwn(_ name: String, _ call: FunctionCallExprSyntax) -> Bool {
    index.functions(name).contains { number in
      Self.standardTypes.contains(index[number].owner) && call.fits(index[number])
    }
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

  /// Whether the code sees an optional here, which a text shows as `Optional(…)`.
  func isShownAsOptional(_ expression: ExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    let access = expression.as(MemberAccessExprSyntax.self)
    let own = access?.base?.localName == "self" ? access?.declName.baseName.identifierText : nil
    guard let name = expression.localName ?? own else { return false }
    if own == nil, state.locals[name] != nil { return state.types[name]?.isOptionalType == true }
    guard let type = index.type(context.owner, in: "", file: context.unit.file) else { return false }
    return [false, true].contains { isStatic in
      property(name, of: type, isStatic: isStatic, context).contains { index[$0].type?.isOptionalType == true }
    }
  }
}
