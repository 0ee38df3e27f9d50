import DualSendCore
import DualSendInventory
import SwiftSyntax

extension Resolver {
  enum Match {
    case yes([String: Value])
    case no
    case maybe([String: Value])
  }

  /// Whether a value fits a pattern, and what the pattern's names are then.
  func match(_ pattern: PatternSyntax, _ value: Value, _ context: Context, _ world: World) -> Match {
    let open = Dictionary(uniqueKeysWithValues: Set(pattern.names).map { ($0, Value.unknown("a part of a pattern")) })
    switch pattern.as(PatternSyntaxEnum.self) {
    case .wildcardPattern: return .yes([:])
    case .identifierPattern(let name): return .yes([name.identifier.identifierText: value])
    case .valueBindingPattern(let binding): return match(binding.pattern, value, context, world)
    case .expressionPattern(let inner): return match(inner.expression, value, context, world, open)
    default: return .maybe(open)
    }
  }

  private func match(
    _ expression: ExprSyntax, _ value: Value, _ context: Context, _ world: World, _ open: [String: Value]
  ) -> Match {
    if let inner = expression.as(PatternExprSyntax.self) { return match(inner.pattern, value, context, world) }
    if expression.is(DiscardAssignmentExprSyntax.self) { return .yes([:]) }
    if let chained = expression.as(OptionalChainingExprSyntax.self) {
      if value == .null { return .no }
      let inner = match(chained.expression, value.unwrapped, context, world, open)
      if value.mayBeNil == false { return inner }
      if case .no = inner { return .no }
      return .maybe(open)
    }
    if let name = expression.caseName {
      guard case .enumCase(_, let own, let fields) = value else {
        return value == .null && name != "none" ? .no : .maybe(open)
      }
      if own != name { return .no }
      guard let call = expression.as(FunctionCallExprSyntax.self) else { return .yes([:]) }
      var bound: [String: Value] = [:]
      var isSure = call.arguments.count == fields.count || call.arguments.count == 1
      if call.arguments.count == 1, fields.count > 1, let only = call.arguments.first,
        only.expression.as(PatternExprSyntax.self)?.pattern.is(IdentifierPatternSyntax.self) == true
      {
        return .yes(open)
      }
      for (argument, field) in zip(call.arguments, fields) {
        switch match(
          PatternSyntax(ExpressionPatternSyntax(expression: argument.expression.detached)), field.value, context, world)
        {
        case .yes(let more): bound.merge(more) { $1 }
        case .no: return .no
        case .maybe(let more):
          bound.merge(more) { $1 }
          isSure = false
        }
      }
      return isSure ? .yes(bound) : .maybe(bound)
    }
    let wanted = self.value(expression, context, world, expected: type(of: value, in: context)?.path)
    switch (value, wanted) {
    case (.text(let one, _), .text(let other, _)): return one == other ? .yes([:]) : .no
    case (.literal(let one), .literal(let other)):
      return one == other ? .yes([:]) : one == .null || other == .null ? .no : .maybe([:])
    case (_, .literal(.null)) where value.mayBeNil == false: return .no
    case (.literal(.null), .text): return .no
    default: return .maybe(open)
    }
  }
}

extension PatternSyntax {
  /// The case that it fits whatever is with it.
  var plainCase: String? {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.plainCase }
    guard let expression = self.as(ExpressionPatternSyntax.self)?.expression, let name = expression.caseName else {
      return nil
    }
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return name }
    let isPlain = call.arguments.allSatisfy { argument in
      argument.expression.is(DiscardAssignmentExprSyntax.self)
        || argument.expression.as(PatternExprSyntax.self)?.pattern.isName == true
    }
    return isPlain ? name : nil
  }

  private var isName: Bool {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.isName }
    return self.is(IdentifierPatternSyntax.self) || self.is(WildcardPatternSyntax.self)
  }

  /// The names that it binds.
  var names: [String] {
    final class Finder: SyntaxVisitor {
      var names: [String] = []
      override func visitPost(_ node: IdentifierPatternSyntax) { names.append(node.identifier.identifierText) }
    }
    let finder = Finder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.names
  }
}

extension ExprSyntax {
  /// `.x`, `T.x` or `.x(…)` in a pattern.
  fileprivate var caseName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
    }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    if let base = access.base, base.dottedName?.split(separator: ".").last?.first?.isUppercase != true { return nil }
    return access.declName.baseName.identifierText
  }
}
