import DualSendCore
import SwiftParser
import SwiftSyntax

/// Whether a value fits a pattern, and the way on which it does, with what the pattern binds.
enum PatternFit {
  case never
  case perhaps(Path)
  case always(Path)

  var bound: Path? {
    switch self {
    case .never: nil
    case .perhaps(let path), .always(let path): path
    }
  }
}

extension Evaluator {
  /// Declares what a pattern binds, with a value for each way.
  func bind(
    _ pattern: PatternSyntax, isConstant: Bool, _ values: [SourceValue], _ context: inout EvaluationContext,
    _ paths: inout [Path]
  ) {
    if let name = pattern.as(IdentifierPatternSyntax.self) {
      let id = newID()
      context.names.declare(name.identifier.identifierText, id, isConstant: isConstant)
      for (index, value) in zip(paths.indices, values) { paths[index].values[id] = value }
      return
    }
    if let tuple = pattern.as(TuplePatternSyntax.self) {
      for (position, element) in tuple.elements.enumerated() {
        let parts = values.map { value -> SourceValue in
          if case .tuple(let fields) = value.shape, fields.count == tuple.elements.count {
            return fields[position].value.tainted(by: value)
          }
          return .open("a part of a tuple", dependsOnCaller: value.dependsOnCaller)
        }
        bind(element.pattern, isConstant: isConstant, parts, &context, &paths)
      }
      return
    }
    if let binding = pattern.as(ValueBindingPatternSyntax.self) {
      return bind(
        binding.pattern, isConstant: binding.bindingSpecifier.tokenKind == .keyword(.let), values, &context, &paths)
    }
    if let expression = pattern.as(ExpressionPatternSyntax.self)?.expression {
      bindAll(in: expression, &context, &paths)
    }
  }

  /// Holds a value against a `case`.
  func fit(
    _ subject: SourceValue, _ pattern: PatternSyntax, _ context: inout EvaluationContext, _ path: Path
  ) -> PatternFit {
    if pattern.is(WildcardPatternSyntax.self) { return .always(path) }
    if let binding = pattern.as(ValueBindingPatternSyntax.self) {
      if binding.pattern.is(IdentifierPatternSyntax.self) || binding.pattern.is(TuplePatternSyntax.self) {
        var paths = [path]
        bind(binding.pattern, isConstant: true, [subject], &context, &paths)
        return .always(paths[0])
      }
      return fit(subject, binding.pattern, &context, path)
    }
    if let name = pattern.as(IdentifierPatternSyntax.self) {
      var paths = [path]
      bind(PatternSyntax(name), isConstant: true, [subject], &context, &paths)
      return .always(paths[0])
    }
    guard let expression = pattern.as(ExpressionPatternSyntax.self)?.expression else {
      var paths = [path]
      bind(pattern, isConstant: true, [subject], &context, &paths)
      return .perhaps(paths[0])
    }
    return fit(subject, expression, &context, path)
  }

  private func fit(
    _ subject: SourceValue, _ expression: ExprSyntax, _ context: inout EvaluationContext, _ path: Path
  ) -> PatternFit {
    var path = path
    if let chain = expression.as(OptionalChainingExprSyntax.self) {
      // `case .a?`: some value of an optional.
      if subject.isNull { return .never }
      let inner = fit(subject.unwrapped, chain.expression, &context, path)
      if case .always(let bound) = inner, subject.canBeNull { return .perhaps(bound) }
      return inner
    }
    if let (name, arguments) = expression.casePattern {
      guard case .enumCase(_, let actual, let fields) = subject.shape else {
        var paths = [path]
        bindAll(in: expression, &context, &paths)
        return subject.isNull ? .never : .perhaps(paths[0])
      }
      guard actual == name else { return .never }
      guard let arguments, !arguments.isEmpty else { return .always(path) }
      guard arguments.count == fields.count else {
        // All of them as one tuple.
        var paths = [path]
        bindAll(in: expression, &context, &paths)
        return .perhaps(paths[0])
      }
      var isCertain = true
      for (argument, field) in zip(arguments, fields) {
        let inner: PatternFit
        if let pattern = argument.expression.as(PatternExprSyntax.self)?.pattern {
          inner = fit(field.value.tainted(by: subject), pattern, &context, path)
        } else if argument.expression.is(DiscardAssignmentExprSyntax.self) {
          inner = .always(path)
        } else {
          inner = fit(field.value, argument.expression, &context, path)
        }
        guard let bound = inner.bound else { return .never }
        if case .perhaps = inner { isCertain = false }
        path = bound
      }
      return isCertain ? .always(path) : .perhaps(path)
    }
    if expression.isPlainLiteral {
      let wanted = value(expression, context, &path)
      if case .literal(let one) = wanted.shape, case .literal(let other) = subject.shape {
        return one == other ? .always(path) : .never
      }
      return .perhaps(path)
    }
    var paths = [path]
    bindAll(in: expression, &context, &paths)
    return .perhaps(paths[0])
  }

  /// Declares every name that a pattern of an unknown form binds, all of them open.
  private func bindAll(in expression: ExprSyntax, _ context: inout EvaluationContext, _ paths: inout [Path]) {
    final class Names: SyntaxVisitor {
      var found: [String] = []
      override func visitPost(_ node: IdentifierPatternSyntax) { found.append(node.identifier.identifierText) }
    }
    let names = Names(viewMode: .sourceAccurate)
    names.walk(expression)
    for name in names.found {
      let id = newID()
      context.names.declare(name, id, isConstant: true)
      for index in paths.indices { paths[index].values[id] = .open("`\(name)`, which a pattern binds") }
    }
  }
}

extension ExprSyntax {
  /// The case's name and its values' patterns, of `.name`, `.name(…)`, `Type.name(…)`.
  fileprivate var casePattern: (name: String, arguments: LabeledExprListSyntax?)? {
    if let call = self.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self)
    {
      return (member.declName.baseName.identifierText, call.arguments)
    }
    if let member = self.as(MemberAccessExprSyntax.self) {
      return (member.declName.baseName.identifierText, nil)
    }
    return nil
  }

  fileprivate var isPlainLiteral: Bool {
    if let text = self.as(StringLiteralExprSyntax.self) { return text.representedLiteralValue != nil }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
      || self.is(NilLiteralExprSyntax.self)
  }
}
