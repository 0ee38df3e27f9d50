import SwiftSyntax

/// Objects of classes with variables. Their changes are followed while no other code knows the object.
extension Resolver {
  /// A new object of a class that only this name stands for; `nil` for another value.
  func localObject(_ initial: ExprSyntax, _ context: Context, _ state: PathState) -> Value? {
    guard let call = initial.as(FunctionCallExprSyntax.self),
      let type = namedType(call.calledExpression, context, state), index.declaration(of: type)?.kind == .reference
    else { return nil }
    let made = made(type, call, context, state, isLocal: true)
    return made.isOwned ? made : nil
  }

  /// Whether code that gets an object here may keep it or change it.
  func isGivenAway(_ node: DeclReferenceExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    node.call.map { keeps(node.baseName.identifierText, $0, context, state) } ?? node.isWhole
  }

  /// Whether a function may keep or change an object that a call gives it, instead of reading its properties at once.
  func keeps(_ name: String, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> Bool {
    guard let called = call.calledName?.identifierText, state.locals[called] == nil else { return true }
    var owners: Set<String> = [""]
    if let receiver = call.receiver {
      guard let type = namedType(receiver, context, state) ?? type(of: value(receiver, context, state), in: context),
        index.declaration(of: type) != nil
      else { return true }
      owners = Set(relatives(of: type))
    } else if let own = state.locals["self"].flatMap({ type(of: $0, in: context) }) {
      owners.formUnion(relatives(of: own))
    }
    return keeps(name, call) { owners.contains($0.owner) }
  }

  private func keeps(
    _ name: String, _ call: FunctionCallExprSyntax, depth: Int = 0, _ isPossible: (Declaration) -> Bool
  ) -> Bool {
    let all = index.functions(call.calledName?.identifierText ?? "").map { index[$0] }
      .filter { call.fits($0) && $0.hasBody && isPossible($0) }
    return all.isEmpty || depth > 3
      || all.contains { one in
        guard let body = units.unit(one)?.node.as(FunctionDeclSyntax.self)?.body, let pairs = call.pairs(with: one)
        else { return true }
        let effects = Effects(Syntax(body))
        return zip(one.parameters, pairs).contains { parameter, argument in
          guard case .given(let expression) = argument, expression.localName == name else { return false }
          return effects.whole.contains(parameter.name)
            || effects.closures.contains { $0.mentionedNames.contains(parameter.name) }
            || effects.changes.contains { change in
              let isRead = change.changed.isRead && !index.computed.contains(change.changed.member ?? "")
              return change.changed.name == parameter.name && !isRead && !change.changed.isByOwnCode
            }
            || effects.given.contains {
              $0.name == parameter.name && keeps($0.name, $0.call, depth: depth + 1) { _ in true }
            }
        }
      }
  }
}

extension CodeBlockItemListSyntax {
  /// Whether code may keep `self` or give it to other code.
  var handsOnSelf: Bool {
    let effects = Effects(Syntax(self))
    return !effects.closures.isEmpty || effects.whole.contains("self") || effects.given.contains { $0.name == "self" }
  }
}
