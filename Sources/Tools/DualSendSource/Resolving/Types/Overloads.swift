import SwiftSyntax

/// Tells functions of the same name and labels apart by the types of the arguments, as the code writes them: what a value is
/// at run time selects no function.
extension Resolver {
  private enum Match {
    case same, possible, none
  }

  private static let simpleTypes: Set<String> = ["String", "Int", "Double", "Float", "Bool", "Date"]
  /// Protocols and classes of libraries that add no values and no members which start with a dot.
  static let plainTypes: Set<String> = [
    "String", "Int", "Sendable", "Hashable", "Equatable", "Comparable", "Codable", "Decodable", "Encodable", "Error",
    "CaseIterable", "Identifiable", "RawRepresentable", "CustomStringConvertible", "AnyObject", "NSObject",
  ]

  /// The functions that a call may mean. If all argument types of exactly one are those of the call, it is that one.
  func narrowed(_ all: [Int], by call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> [Int] {
    guard all.count > 1 else { return all }
    let matches = all.map { number -> (number: Int, match: Match) in
      let one = index[number]
      let each = zip(one.parameters, call.pairs(with: one) ?? []).map { parameter, argument -> Match in
        guard case .given(let expression) = argument else { return .same }
        return match(expression, parameter.type, of: one, context, state)
      }
      return (number, each.contains(.none) ? .none : each.allSatisfy { $0 == .same } ? .same : .possible)
    }
    let same = matches.filter { $0.match == .same }
    return (same.count == 1 ? same : matches.filter { $0.match != .none }).map(\.number)
  }

  private func match(
    _ expression: ExprSyntax, _ type: String, of one: Declaration, _ context: Context, _ state: PathState
  ) -> Match {
    let wanted = DeclarationIndex.plain(type.withoutOptional)
    let own = index.type(wanted, in: one.owner, file: one.file)
    if expression.isImplicit {
      guard let name = expression.implicitName, name != "init", let own else { return .possible }
      let ancestors = types.ancestors(of: own)
      if ancestors.contains(where: { !index.members(name, of: $0, file: one.file).isEmpty }) { return .same }
      let isKnown = ancestors.allSatisfy { index.declaration(of: $0) != nil || Self.plainTypes.contains($0.path) }
      return isKnown ? .none : .possible
    }
    if expression.is(IntegerLiteralExprSyntax.self) {
      return wanted == "Int" ? .same : ["String", "Bool", "Date"].contains(wanted) ? .none : .possible
    }
    guard let given = writtenType(expression, context, state) else { return .possible }
    if given == wanted { return .same }
    let type = index.type(given, in: context.owner, file: context.unit.file)
    switch (type, own) {
    case (let type?, let own?):
      return type == own ? .same : types.ancestors(of: type).contains(own) ? .possible : .none
    case (nil, let own?):
      let isLiteral = types.ancestors(of: own).contains { $0.path.hasPrefix("ExpressibleBy") }
      let isExtended = index.declaration(of: own)?.kind == .contract
      return Self.simpleTypes.contains(given) && !isLiteral && !isExtended ? .none : .possible
    default:
      return Self.simpleTypes.contains(wanted) && (type != nil || Self.simpleTypes.contains(given)) ? .none : .possible
    }
  }

  /// The type of an expression as the code writes it; `nil` if it is not written where the expression is read.
  private func writtenType(_ expression: ExprSyntax, _ context: Context, _ state: PathState) -> String? {
    func plain(_ type: String?) -> String? { type.map { DeclarationIndex.plain($0.withoutOptional) } }
    if expression.is(StringLiteralExprSyntax.self) { return "String" }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      if let made = namedType(call.calledExpression, context, state) { return made.path }
      guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else { return nil }
      return caseType(access, context, state)
    }
    func own(_ name: String) -> String? {
      state.locals["self"].flatMap { type(of: $0, in: context) }.flatMap { plain(declaredType(name, of: $0, context)) }
    }
    if let name = expression.localName {
      if let type = state.types[name] { return plain(type) }
      return state.locals[name] == nil ? own(name) : nil
    }
    guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base else { return nil }
    let name = access.declName.baseName.identifierText
    if base.localName == "self" { return own(name) }
    if let type = writtenType(base, context, state).flatMap({
      index.type($0, in: context.owner, file: context.unit.file)
    }) {
      return plain(declaredType(name, of: type, context))
    }
    if name == "rawValue" { return quietly { value(expression, context, state) }.plain == nil ? nil : "String" }
    return caseType(access, context, state)
  }

  /// The enum of `T.x`.
  private func caseType(_ access: MemberAccessExprSyntax, _ context: Context, _ state: PathState) -> String? {
    guard let base = access.base, let type = namedType(base, context, state) else { return nil }
    let found = index.members(access.declName.baseName.identifierText, of: type, file: context.unit.file)
    return found.contains { index[$0].kind == .enumCase } ? type.path : nil
  }

  private func declaredType(_ name: String, of type: TypeReference, _ context: Context) -> String? {
    let found = property(name, of: type, isStatic: false, context).map { index[$0] }
    guard found.count == 1, let one = found.first, let type = one.type else { return nil }
    return type.isOptionalType ? type : fullType(type, in: one.owner, file: one.file)
  }

  /// The type of a local without a declared one, if its first value shows it.
  func shownType(of initial: ExprSyntax, _ context: Context, _ state: PathState) -> String? {
    if isShownAsOptional(initial, context, state) { return "Any?" }
    guard let type = writtenType(initial, context, state) else { return nil }
    if let call = initial.as(FunctionCallExprSyntax.self), let made = namedType(call.calledExpression, context, state) {
      let mayFail = index.members("init", of: made, file: context.unit.file).contains { index[$0].type != nil }
      return mayFail || call.labels == ["rawValue"] ? nil : type
    }
    let isCase = initial.as(MemberAccessExprSyntax.self).map { caseType($0, context, state) != nil } ?? false
    return isCase || initial.is(StringLiteralExprSyntax.self) ? type : nil
  }
}

extension ExprSyntax {
  /// The first name after the dot.
  fileprivate var implicitName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.implicitName }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    return access.base?.implicitName ?? access.declName.baseName.identifierText
  }
}
