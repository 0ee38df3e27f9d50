import DualSendCore
import SwiftSyntax

extension Evaluator {
  /// A method of a dictionary or an array that is known by name; `nil` if what it is called on is neither.
  func standardCall(
    _ call: FunctionCallExprSyntax, _ name: String, _ base: ExprSyntax, _ context: EvaluationContext,
    _ path: inout Path
  ) -> SourceValue? {
    guard Self.known.contains(name) else { return nil }
    var aside = path
    let whole = unobserved { value(base, context, &aside) }
    guard whole.alternatives.allSatisfy(\.isCollection) else { return nil }
    _ = value(base, context, &path)
    let result = standardResult(of: call, name, whole, context, &path)
    if let after = result.after { store(after, in: base, context, &path) }
    return result.value
  }

  private static let known: Set<String> = [
    "merging", "merge", "map", "mapValues", "filter", "updateValue", "removeValue", "removeAll", "append", "compactMap",
    "compactMapValues", "forEach", "reversed", "sorted", "enumerated",
  ]

  private func standardResult(
    of call: FunctionCallExprSyntax, _ name: String, _ whole: SourceValue, _ context: EvaluationContext,
    _ path: inout Path
  ) -> (value: SourceValue, after: SourceValue?) {
    let first = call.arguments.first?.expression
    let nothing = SourceValue(.tuple([]))
    switch name {
    case "merging", "merge":
      guard let first else { break }
      let other = value(first, context, &path)
      let keepsFirst = keepsFirst(call)
      for argument in call.arguments.dropFirst() { _ = value(argument.expression, context, &path) }
      runTrailingClosures(of: call, context, &path)
      let merged = whole.merging(other, keepsFirst: keepsFirst)
      return name == "merge" ? (nothing, merged) : (merged, nil)
    case "updateValue":
      guard call.arguments.count == 2, let first, let last = call.arguments.last?.expression else { break }
      let value = value(first, context, &path)
      let key = key(last, context, &path)
      return (.open("the value before"), .oneOf(whole.alternatives.flatMap { $0.setting(key, to: value) }))
    case "removeValue":
      guard let first else { break }
      return (.open("the value that was removed"), whole.removing(key(first, context, &path)))
    case "removeAll":
      guard call.arguments.isEmpty, call.trailingClosure == nil else { break }
      return (nothing, whole.emptied)
    case "append":
      guard call.arguments.count == 1, let only = call.arguments.first else { break }
      let isMany = only.label?.identifierText == "contentsOf"
      let added = value(only.expression, context, &path, expected: whole.elementValues.first?.typeID)
      return (nothing, whole.adding(isMany ? added : SourceValue(.list([added]))))
    case "map", "compactMap":
      guard whole.alternatives.allSatisfy({ !$0.isObject }), let closure = call.onlyClosure else { break }
      let changed = mutated(in: closure)
      if name == "map", changed.isEmpty, case .list(let elements) = whole.shape, elements.count <= 16 {
        return (SourceValue(.list(elements.map { applied(closure, to: [$0], context, path) })).tainted(by: whole), nil)
      }
      let made = SourceValue.oneOf(
        whole.alternatives.flatMap(\.elementValues).map { applied(closure, to: [$0], context, path) })
      forget(changed, context, &path, "a closure changes it")
      let elements = name == "compactMap" ? made.unwrapped : made
      return (SourceValue(.elements(elements)).tainted(by: whole), nil)
    case "reversed", "sorted":
      guard whole.alternatives.allSatisfy({ !$0.isObject }) else { break }
      runTrailingClosures(of: call, context, &path)
      for argument in call.arguments { _ = value(argument.expression, context, &path) }
      return (SourceValue(.elements(.oneOf(whole.alternatives.flatMap(\.elementValues)))).tainted(by: whole), nil)
    case "enumerated":
      guard whole.alternatives.allSatisfy({ !$0.isObject }) else { break }
      let element = SourceValue.oneOf(whole.alternatives.flatMap(\.elementValues))
      if case .list(let elements) = whole.shape {
        let pairs = elements.enumerated().map { offset, element in
          SourceValue(
            .tuple([
              .init(label: "offset", value: SourceValue(.literal(.int(Int64(offset))))),
              .init(label: "element", value: element),
            ]))
        }
        return (SourceValue(.list(pairs)).tainted(by: whole), nil)
      }
      let pair = SourceValue(
        .tuple([.init(label: "offset", value: .scalar(.int)), .init(label: "element", value: element)]))
      return (SourceValue(.elements(pair)).tainted(by: whole), nil)
    case "forEach":
      guard whole.alternatives.allSatisfy({ !$0.isObject }), let closure = call.onlyClosure else { break }
      let changed = mutated(in: closure)
      forget(changed, context, &path, "a closure changes it")
      for element in whole.alternatives.flatMap(\.elementValues) { _ = applied(closure, to: [element], context, path) }
      return (nothing, nil)
    default: break
    }
    // Called in a way that is not known.
    _ = arguments(of: call, context, &path)
    let isChange = !KnownMethods.leaveAlone.contains(name)
    let reason = "`\(name)` is called in a way that is not understood"
    let open = SourceValue.open(reason, dependsOnCaller: whole.dependsOnCaller)
    return (open, isChange ? open : nil)
  }

  /// Writes a changed collection back to where it stands.
  private func store(
    _ changed: SourceValue, in base: ExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) {
    if let name = base.unchained.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
      let id = context.names.ids[name], path.values[id] != nil
    {
      path.values[id] = changed
    } else {
      forget(base.rootName.map { [$0] } ?? [], context, &path, "a part of it is changed")
    }
  }

  /// Whether `merging` keeps the value that is there; `nil` if nobody knows.
  func keepsFirst(_ call: FunctionCallExprSyntax) -> Bool? {
    guard let closure = call.onlyClosure ?? call.arguments.last?.expression.as(ClosureExprSyntax.self),
      closure.statements.count == 1, case .expr(let only)? = closure.statements.first?.item,
      let result = only.as(DeclReferenceExprSyntax.self)?.baseName.identifierText
    else { return nil }
    if result == "$0" { return true }
    if result == "$1" { return false }
    let names: [String] =
      switch closure.signature?.parameterClause {
      case .simpleInput(let names): names.map(\.name.identifierText)
      case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).identifierText }
      case nil: []
      }
    return names.firstIndex(of: result).map { $0 == 0 }
  }
}

extension FunctionCallExprSyntax {
  /// The one closure that it is called with.
  fileprivate var onlyClosure: ClosureExprSyntax? {
    if let trailingClosure,
      arguments.isEmpty || calledExpression.trimmedDescription.hasSuffix("merging")
        || calledExpression.trimmedDescription.hasSuffix("merge")
    {
      return trailingClosure
    }
    return arguments.count == 1 ? arguments.first?.expression.as(ClosureExprSyntax.self) : nil
  }
}

extension SourceValue {
  var isObject: Bool {
    if case .object = shape { true } else { false }
  }

  fileprivate var isCollection: Bool {
    switch shape {
    case .object, .list, .elements: true
    default: false
    }
  }

  fileprivate var emptied: SourceValue {
    .oneOf(alternatives.map { $0.isObject ? SourceValue(.object(.init())) : SourceValue(.list([])) })
  }

  /// Two dictionaries as one.
  ///
  /// - Parameter keepsFirst: whose value stays where both have a key; `nil` if nobody knows.
  fileprivate func merging(_ other: SourceValue, keepsFirst: Bool?) -> SourceValue {
    .oneOf(
      alternatives.flatMap { left in
        other.alternatives.map { right -> SourceValue in
          let isTainted = left.dependsOnCaller || right.dependsOnCaller
          guard case .object(var merged) = left.shape else { return left }
          guard case .object(let added) = right.shape else {
            merged.open = merged.open ?? right.openReason("what is merged")
            return SourceValue(.object(merged)).tainted(isTainted)
          }
          merged.open = merged.open ?? added.open
          for (key, member) in added.members {
            guard let there = merged.members[key] else {
              merged.members[key] = member
              continue
            }
            let isOptional = there.isOptional && member.isOptional
            let winner: SourceValue =
              switch keepsFirst {
              case true? where !there.isOptional: there.value
              case false? where !member.isOptional: member.value
              case nil: .open("two values of `\(key)` are merged")
              default: there.value.joined(with: member.value)
              }
            merged.members[key] = .init(value: winner, isOptional: isOptional)
          }
          return SourceValue(.object(merged)).tainted(isTainted)
        }
      })
  }
}
