import DualSendCore
import SwiftSyntax

/// The result of matching a value with a pattern or a condition.
struct Fit {
  /// Whether it matches; `nil` if unknown.
  var isFitting: Bool?
  /// The names that are bound on a match.
  var bound: [String: Value] = [:]
}

extension Resolver {
  func fit(_ pattern: PatternSyntax, _ value: Value, _ context: Context, _ state: PathState) -> Fit {
    switch pattern.as(PatternSyntaxEnum.self) {
    case .wildcardPattern: return Fit(isFitting: true)
    case .identifierPattern(let name): return Fit(isFitting: true, bound: [name.identifier.identifierText: value])
    case .valueBindingPattern(let binding): return fit(binding.pattern, value, context, state)
    case .expressionPattern(let inner): return fit(inner.expression, value, context, state)
    default: return pattern.openFit
    }
  }

  private func fit(_ expression: ExprSyntax, _ value: Value, _ context: Context, _ state: PathState) -> Fit {
    if let inner = expression.as(PatternExprSyntax.self) { return fit(inner.pattern, value, context, state) }
    if expression.is(DiscardAssignmentExprSyntax.self) { return Fit(isFitting: true) }
    if let chained = expression.as(OptionalChainingExprSyntax.self) {
      if value == .null { return Fit(isFitting: false) }
      let inner = fit(chained.expression, value.unwrapped, context, state)
      return value.mayBeNil == false || inner.isFitting == false ? inner : expression.openFit
    }
    if let name = expression.caseName {
      if let type = type(of: value, in: context), !index.cases(of: type).contains(where: { index[$0].name == name }) {
        return expression.openFit
      }
      guard case .enumCase(_, let own, let fields) = value else {
        return value == .null && name != "none" ? Fit(isFitting: false) : expression.openFit
      }
      if own != name { return Fit(isFitting: false) }
      guard let call = expression.as(FunctionCallExprSyntax.self) else { return Fit(isFitting: true) }
      // One name for several values is a tuple.
      guard call.arguments.count == fields.count else { return Fit(isFitting: true, bound: expression.openFit.bound) }
      var all = Fit(isFitting: true)
      for (argument, field) in zip(call.arguments, fields) {
        let one = fit(argument.expression, field.value, context, state)
        if one.isFitting == false { return one }
        if one.isFitting == nil { all.isFitting = nil }
        all.bound.merge(one.bound) { $1 }
      }
      return all
    }
    guard index.functions("~=").isEmpty else { return expression.openFit }
    let wanted = self.value(expression, context, state, expected: type(of: value, in: context)?.path)
    switch (value, wanted) {
    case (.text(let one), .text(let other)): return Fit(isFitting: one == other)
    case (.literal(let one), .literal(let other)):
      return Fit(isFitting: one == other ? true : one == .null || other == .null ? false : nil)
    case (_, .literal(.null)) where value.mayBeNil == false: return Fit(isFitting: false)
    case (.literal(.null), .text): return Fit(isFitting: false)
    default: return expression.openFit
    }
  }
}

extension PatternSyntax {
  /// The case that the pattern matches with any associated values.
  var plainCase: String? {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.plainCase }
    guard let expression = self.as(ExpressionPatternSyntax.self)?.expression, let name = expression.caseName else {
      return nil
    }
    let isPlain = expression.as(FunctionCallExprSyntax.self)?.arguments.allSatisfy { argument in
      argument.expression.is(DiscardAssignmentExprSyntax.self)
        || argument.expression.as(PatternExprSyntax.self)?.pattern.isName == true
    }
    return isPlain == false ? nil : name
  }

  private var isName: Bool {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.isName }
    return self.is(IdentifierPatternSyntax.self) || self.is(WildcardPatternSyntax.self)
  }
}

private final class NameFinder: SyntaxVisitor {
  var names: [String] = []
  override func visitPost(_ node: IdentifierPatternSyntax) { names.append(node.identifier.identifierText) }
}

extension Syntax {
  /// The names that patterns in it bind as variables.
  var variableNames: [String] {
    if let binding = self.as(ValueBindingPatternSyntax.self), binding.bindingSpecifier.text == "var" {
      return binding.pattern.patternNames
    }
    if let binding = self.as(OptionalBindingConditionSyntax.self), binding.bindingSpecifier.text == "var" {
      return binding.pattern.patternNames
    }
    return children(viewMode: .sourceAccurate).flatMap(\.variableNames)
  }
}

extension SyntaxProtocol {
  /// The names that a pattern binds.
  var patternNames: [String] {
    let finder = NameFinder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.names
  }

  /// An unknown result.
  fileprivate var openFit: Fit {
    Fit(bound: patternNames.reduce(into: [:]) { $0[$1] = .unknown("a part of a pattern") })
  }
}

extension ExprSyntax {
  /// `.x`, `T.x` or `.x(…)` in a pattern.
  fileprivate var caseName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
    }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    if let base = access.base, !base.isTypeName { return nil }
    return access.declName.baseName.identifierText
  }
}
