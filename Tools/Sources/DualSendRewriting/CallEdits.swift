import DualSendRemapping
import DualSendSource
import SwiftSyntax

/// Replaces calls of the old logger with calls of the tracker, by the function's name and labels only, and adds the
/// constants of a table.
struct CallEdits {
  let trees: SourceTrees
  let types: DictionaryTypes
  let tracker: String

  /// The edits of one call.
  ///
  /// - Parameter constants: the additional elements of its event: `"schema": 2`.
  func edits(
    _ site: WrittenSite, _ function: LoggingFunction, adding constants: [String]
  ) throws(NotRewritten) -> [SourceEdit] {
    if constants.isEmpty, !function.isOldLogger { return [] }
    let edits = function.isOldLogger ? try self.edits(site.place) : []
    if constants.isEmpty { return edits }
    let call = try call(site.place)
    return edits + (try additions(constants, call, call.parameters(of: function), function))
  }

  /// Replaces a call of the old logger with one of the tracker.
  func edits(_ place: WrittenSite.Entry) throws(NotRewritten) -> [SourceEdit] {
    let call = try call(place)
    let access = call.calledExpression.as(MemberAccessExprSyntax.self)
    guard access.map({ $0.base?.isPlain ?? true }) ?? call.calledExpression.is(DeclReferenceExprSyntax.self) else {
      throw NotRewritten("what it is called on may do more than name a logger, or be nil: write it by hand")
    }
    let callee = call.calledExpression.bytes
    let argument = call.arguments.first { ["parameters", "sendableParameters"].contains($0.label?.text) }
    guard let argument, let label = argument.label else { return [SourceEdit(callee, "\(tracker).sendLog")] }
    let list = argument.expression.as(ArrayExprSyntax.self)
    guard let list, list.elements.count == 1, let only = list.elements.first else {
      let closure = argument.expression.as(FunctionCallExprSyntax.self)?.trailingClosure
      if let closure, closure.statements.count > 1,
        closure.tokens(viewMode: .sourceAccurate).contains(where: \.opensInnerDictionary)
      {
        throw NotRewritten("its dictionaries are put together in a closure, and hold others: write it by hand")
      }
      let types =
        list?.elements.flatMap { Self.types(within: $0.expression) }
        ?? argument.expression.closureResult.map(Self.types(within:)) ?? []
      return [SourceEdit(callee, "\(tracker).sendLogs"), SourceEdit(label.bytes, "payloads")] + types
    }
    let (inner, outer) = (only.expression.bytes, list.bytes)
    // The lines of an inner bracket move to the indentation of the outer one.
    let isBroken = only.expression.startsLine && list.rightSquare.startsLine && !only.description.contains("\"\"\"")
    let columns =
      isBroken ? only.expression.leadingTrivia.indentation.count - list.rightSquare.leadingTrivia.indentation.count : 0
    return [
      SourceEdit(callee, "\(tracker).sendLog"), SourceEdit(label.bytes, "payload"),
      SourceEdit(outer.lowerBound..<inner.lowerBound, "").outdenting(by: max(columns, 0), to: inner.upperBound),
      SourceEdit(inner.upperBound..<outer.upperBound, ""),
    ] + Self.types(within: only.expression)
  }

  private func call(_ place: WrittenSite.Entry) throws(NotRewritten) -> FunctionCallExprSyntax {
    guard let call = trees.node(place.range, in: place.file, as: FunctionCallExprSyntax.self) else {
      throw NotRewritten("the call is not found again")
    }
    return call
  }

  /// Makes dictionaries inside a payload `Sendable`. Without a type, a dictionary of different values would be
  /// `[String: Any]`.
  private static func types(within value: ExprSyntax) -> [SourceEdit] {
    if let dictionary = value.as(DictionaryExprSyntax.self) {
      return dictionary.elementList.flatMap { types(of: $0.value) }
    }
    if let array = value.as(ArrayExprSyntax.self) { return array.elements.flatMap { types(of: $0.expression) } }
    if let result = value.closureResult { return types(of: result) }
    return []
  }

  private static func types(of value: ExprSyntax) -> [SourceEdit] {
    guard value.is(DictionaryExprSyntax.self) else { return types(within: value) }
    let end = value.bytes.upperBound
    return types(within: value) + [SourceEdit(end..<end, " as [String: any Sendable]")]
  }

  // MARK: additions

  private func additions(
    _ constants: [String], _ call: FunctionCallExprSyntax, _ argument: LabeledExprSyntax?, _ function: LoggingFunction
  ) throws(NotRewritten) -> [SourceEdit] {
    let byHand = NotRewritten("the table adds `\(constants.joined(separator: ", "))`: write it by hand")
    guard let argument else {
      guard let last = call.arguments.last, call.trailingClosure == nil, let label = function.parametersLabel else {
        throw byHand
      }
      let written = function.isOldLogger ? "payload: " : label == "_" ? "" : label + ": "
      let end = last.expression.bytes.upperBound
      return [SourceEdit(end..<end, ", \(written)[\(constants.joined(separator: ", "))]")]
    }
    let list = argument.expression.as(ArrayExprSyntax.self)?.elements
    let value = list?.count == 1 ? list?.first?.expression : argument.expression
    guard let dictionary = value?.as(DictionaryExprSyntax.self), types.values(of: ExprSyntax(dictionary)) != nil else {
      throw byHand
    }
    guard let last = dictionary.elementList.last else {
      let inside = dictionary.leftSquare.bytes.upperBound..<dictionary.rightSquare.bytes.lowerBound
      return [SourceEdit(inside, constants.joined(separator: ", "))]
    }
    if last.hasComment { throw byHand }
    let end = last.core.upperBound
    let separator = last.ownIndent.map { ",\n" + $0 } ?? ", "
    return [SourceEdit(end..<end, constants.map { separator + $0 }.joined()).last()]
  }
}

extension LoggingFunction {
  /// The label of the parameters; `nil` if the function has no such argument.
  fileprivate var parametersLabel: String? {
    guard case .parts(_, let place?) = content else { return nil }
    switch place {
    case .label(let label): return label
    case .position(let number): return labels.indices.contains(number) ? labels[number] : nil
    case .receiver: return nil
    }
  }
}

extension FunctionCallExprSyntax {
  /// The argument with the parameters; `nil` if the call omits it.
  fileprivate func parameters(of function: LoggingFunction) -> LabeledExprSyntax? {
    guard case .parts(_, let place?) = function.content, let label = function.parametersLabel else { return nil }
    let all = Array(arguments)
    if case .position(let number) = place, label == "_" {
      return all.indices.contains(number) && all[number].label == nil ? all[number] : nil
    }
    return all.first { $0.label?.text == label }
  }
}

extension TokenSyntax {
  /// Whether a dictionary starts here that is inside another one.
  fileprivate var opensInnerDictionary: Bool {
    parent?.as(DictionaryExprSyntax.self)?.parent?.is(DictionaryElementSyntax.self) == true && tokenKind == .leftSquare
  }
}

extension ExprSyntax {
  /// The result of the single expression of a call's closure: `items.map { ["id": $0.id] }`.
  fileprivate var closureResult: ExprSyntax? {
    guard let body = self.as(FunctionCallExprSyntax.self)?.trailingClosure?.statements, body.count == 1 else {
      return nil
    }
    return body.first?.item.as(ExprSyntax.self) ?? body.first?.item.as(ReturnStmtSyntax.self)?.expression
  }

  /// Names alone.
  fileprivate var isPlain: Bool {
    if self.is(DeclReferenceExprSyntax.self) { return true }
    return self.as(MemberAccessExprSyntax.self)?.base?.isPlain ?? false
  }
}
