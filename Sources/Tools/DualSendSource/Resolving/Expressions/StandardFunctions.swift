import DualSendCore
import SwiftSyntax

/// A call of a function of the standard library or Foundation.
final class StandardCall {
  let resolver: Resolver
  let call: FunctionCallExprSyntax
  let context: Context
  let state: PathState
  private(set) lazy var arguments = call.arguments.map { resolver.value($0.expression, context, state) }

  init(_ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState, _ resolver: Resolver) {
    (self.call, self.context, self.state, self.resolver) = (call, context, state, resolver)
  }

  /// Whether the code calls it on an optional.
  var isOnOptional: Bool { call.receiver.map { resolver.isShownAsOptional($0, context, state) } ?? false }

  /// Whether the type of a value has a function of this name.
  func isOnOwnType(_ base: Value) -> Bool {
    !resolver.candidates(call.calledName?.identifierText ?? "", base, context).isEmpty
  }

  /// The function that is the only argument, applied to a value; `nil` if it is not followed.
  func applied(to value: Value) -> Value? {
    let mayBeOptional = call.receiver.map { resolver.holdsOptionals($0, context, state) } ?? false
    return resolver.applied(call.functionArgument, to: value, mayBeOptional: mayBeOptional, context, state)
  }
}

/// The functions of the standard library and Foundation that build names and dictionaries. What has no row is unknown.
///
/// A row gives the result for one receiver, or `nil` for a receiver or an argument that it does not read.
enum StandardFunctions {
  typealias Row = (labels: [[String]], read: @Sendable (Value, StandardCall) -> Value?)

  /// The functions that give a result, by name.
  static let results: [String: Row] = [
    "lowercased": ([[]], { base, _ in base.ofText { .text($0.lowercased()) } }),
    "uppercased": ([[]], { base, _ in base.ofText { .text($0.uppercased()) } }),
    "appending": ([["_"]], { base, call in base.isText ? call.resolver.joined(base, call.arguments[0]) : nil }),
    "replacingOccurrences": ([["of", "with"]], replaced),
    "replacing": ([["_", "with"]], replaced),
    "joined": ([[], ["separator"]], joined),
    "enumerated": ([[]], enumerated),
    "map": ([[], ["_"]], mapped),
    "compactMap": ([[], ["_"]], mapped),
    "flatMap": ([[], ["_"]], { base, call in base.isCollection ? nil : mapped(base, call) }),
    "merging": ([["_"], ["_", "uniquingKeysWith"]], merged),
    "filter": ([[], ["_"]], { base, _ in base.ofDictionary { .dictionary($0.opened("`filter`")) } }),
    "mapValues": ([[], ["_"]], { base, call in base.ofDictionary { .dictionary($0.mapValues(call.applied)) } }),
    "compactMapValues": (
      [[], ["_"]], { base, call in base.ofDictionary { .dictionary($0.compactMapValues(call.applied)) } }
    ),
    "reduce": (
      [["into"]],
      { base, call in
        guard case .dictionary(let shape) = base, call.arguments.first == .dictionary(.init()) else { return nil }
        return call.resolver.collected(shape, by: call)
      }
    ),
  ]

  /// The functions that change what they are called on, by name: the rows give the changed value.
  static let changes: [String: Row] = [
    "merge": ([["_"], ["_", "uniquingKeysWith"]], merged),
    "updateValue": (
      [["_", "forKey"]],
      { base, call in
        base.ofDictionary { shape in
          var shape = shape
          shape.set(call.arguments[1], .init(value: call.arguments[0], isOptional: false), text: "updateValue")
          return .dictionary(shape)
        }
      }
    ),
    "removeValue": (
      [["forKey"]],
      { base, call in
        base.ofDictionary { shape in
          var shape = shape
          shape.remove(call.arguments[0])
          return .dictionary(shape)
        }
      }
    ),
    "append": ([["_"]], { base, call in if case .list(let all) = base { .list(all + call.arguments) } else { nil } }),
  ]

  @Sendable private static func replaced(_ base: Value, _ call: StandardCall) -> Value? {
    let arguments = call.arguments
    return base.ofText { text in
      guard let old = arguments[0].plain, let new = arguments[1].plain, !old.isEmpty else { return .scalar(.string) }
      return .text(text.replacing(old, with: new))
    }
  }

  @Sendable private static func merged(_ base: Value, _ call: StandardCall) -> Value? {
    base.ofDictionary { shape in
      call.arguments[0].map { added in
        switch added {
        case .dictionary(let added): .dictionary(shape.merged(with: added, call.chosen))
        case .literal(.null): .dictionary(shape)
        default: .dictionary(shape.opened(added.reason("a dictionary that is merged")))
        }
      }
    }
  }

  /// The texts of an array in one, with a separator between them.
  @Sendable private static func joined(_ base: Value, _ call: StandardCall) -> Value? {
    guard case .list(let all) = base else { return nil }
    let separator = call.arguments.first ?? .text("")
    var texts = [Value.text("")]
    for (number, element) in all.enumerated() {
      let parts = element.alternatives
      guard parts.allSatisfy(\.isText), texts.count * parts.count <= Value.maximumTexts else { return nil }
      texts = texts.flatMap { text in
        parts.map { call.resolver.joined(number == 0 ? text : call.resolver.joined(text, separator), $0) }
      }
    }
    return separator.isText ? .either(texts) : nil
  }

  /// The elements of an array with their positions.
  @Sendable private static func enumerated(_ base: Value, _ call: StandardCall) -> Value? {
    func pair(_ offset: Value, _ element: Value) -> Value {
      .object(.init(type: .tuple, fields: ["0": offset, "offset": offset, "1": element, "element": element]))
    }
    return switch base {
    case .list(let all): .list(all.enumerated().map { pair(.literal(.int(Int64($0.offset))), $0.element) })
    case .elements(let one): .elements(pair(.scalar(.int), one))
    default: nil
    }
  }

  /// The results of a function for the elements of an array, or for the value of an optional.
  @Sendable private static func mapped(_ base: Value, _ call: StandardCall) -> Value? {
    switch base {
    case .list(let all): .elements(call.applied(to: .either(all)) ?? .scalar(.unknown))
    case .elements(let one): .elements(call.applied(to: one) ?? .unknown("a closure"))
    case .dictionary, .text, .pattern, .oneOf, .parameter, .type: nil
    // Of an optional, which may be nil.
    case .unknown, .scalar(.unknown):
      call.isOnOptional ? call.applied(to: base).map { .either([$0, .null]) } : nil
    default: call.isOnOwnType(base) ? nil : call.applied(to: base)
    }
  }
}

extension Resolver {
  /// The result of a function of the standard library; `nil` if it is none, or not read.
  func standardResult(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value? {
    if call.arguments.isEmpty, let rule = rules[name], base.isText {
      return base.plain.map { .text(rule.text($0)) } ?? .scalar(.string)
    }
    return standard(StandardFunctions.results[name], name, base, call, context, state)
  }

  /// What a value is after a call of a function of the standard library; `nil` if it is none, or not read.
  func standardChange(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value? {
    standard(StandardFunctions.changes[name], name, base, call, context, state)
  }

  private func standard(
    _ row: StandardFunctions.Row?, _ name: String, _ base: Value, _ call: FunctionCallExprSyntax, _ context: Context,
    _ state: PathState
  ) -> Value? {
    guard let row, row.labels.contains(call.labels), !isOwn(name, call) else { return nil }
    return row.read(base, StandardCall(call, context, state, self))
  }

  /// The result of a function for a value: of a closure, a key path, or a function of these sources; `nil` if it is not
  /// followed.
  func applied(
    _ function: ExprSyntax?, to value: Value, mayBeOptional: Bool = false, _ context: Context, _ state: PathState
  ) -> Value? {
    guard let function else { return nil }
    if let closure = function.as(ClosureExprSyntax.self) {
      guard let bound = closure.bound([value]) else { return nil }
      var inner = context
      inner.result = nil
      return result(of: closure.statements, inner, state.binding(bound, mayBeOptional: mayBeOptional))
    }
    if let path = function.as(KeyPathExprSyntax.self) {
      let names = path.components.map { $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName }
      guard !names.contains(where: { $0 == nil }) else { return nil }
      return names.compactMap { $0 }.reduce(value) { member($1.baseName.identifierText, of: $0, context) }
    }
    return result(of: function, for: value, context, state)
  }

  // MARK: initializers

  /// `String(…)` and the like.
  func standardValue(
    _ name: String, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value? {
    guard index.type(name, in: context.owner, file: context.unit.file) == nil, !index.isAmbiguous(name) else {
      return nil
    }
    let first = call.arguments.first?.expression
    switch name {
    case "String": return text(call, context, state)
    case "Int", "Int64", "UInt":
      guard let first else { return .literal(.int(0)) }
      return value(first, context, state).map { given in
        switch given {
        case .text, .scalar(.string): .either([.scalar(.int), .null])
        case .unknown: .unknown("`\(ExprSyntax(call).shortText)`")
        default: .scalar(.int)
        }
      }
    case "Date": return .scalar(.date)
    case "Dictionary":
      // Each key and value is turned into another one.
      guard call.labels == ["uniqueKeysWithValues"], let made = first?.as(FunctionCallExprSyntax.self),
        made.calledName?.text == "map", let base = made.receiver, !isOwn("map", made)
      else { return nil }
      return value(base, context, state).map { given in
        guard case .dictionary(let shape) = given, shape.open == nil else {
          return .unknown("a dictionary that is put together")
        }
        var result = Value.Dictionary()
        for (pair, isOptional) in pairs(of: shape) {
          guard case .object(let one)? = applied(made.functionArgument, to: pair, context, state),
            let key = one.fields["0"], let value = one.fields["1"]
          else { return .unknown("a dictionary that is put together") }
          result.set(key, .init(value: value, isOptional: isOptional), text: "map")
        }
        return .dictionary(result)
      }
    default: return nil
    }
  }

  /// `String(x)` and `String(describing: x)`.
  private func text(_ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> Value {
    let own = index.members("init", of: .init(path: "String", file: nil), file: context.unit.file)
    guard [["_"], ["describing"]].contains(call.labels), let only = call.arguments.first, call.trailingClosure == nil,
      !own.contains(where: { call.fits(index[$0]) }), !isShownAsOptional(only.expression, context, state)
    else { return .scalar(.string) }
    return value(only.expression, context, state).map { one in
      switch one {
      case .text(let text): .text(text)
      case .pattern, .scalar(.string): one
      case .literal(.int), .literal(.bool): .text((one.textParts?.first ?? "") ?? "")
      case .parameter(let parameter, _): .pattern([nil], reason: "any value of `\(parameter)`", isCallers: false)
      default: .scalar(.string)
      }
    }
  }
}

extension StandardCall {
  /// Which of two values its closure takes: the first or the second; `nil` if it is another one, or not known.
  fileprivate var chosen: Int? {
    guard let closure = call.functionArgument?.as(ClosureExprSyntax.self), closure.statements.count == 1,
      case .expr(let only)? = closure.statements.first?.item, let name = only.localName
    else { return nil }
    return closure.argumentNames(2)?.lastIndex(of: name)
  }
}

extension Value {
  /// Whether it is a text, possibly with unknown parts.
  fileprivate var isText: Bool {
    switch self {
    case .text, .pattern, .scalar(.string), .parameter(_, type: "String"): true
    default: false
    }
  }

  fileprivate var isCollection: Bool {
    switch self {
    case .list, .elements, .dictionary: true
    default: false
    }
  }

  /// The result for a text; of a text with unknown parts, only the type is known.
  fileprivate func ofText(_ change: (String) -> Value) -> Value? {
    switch self {
    case .text(let text): change(text)
    case .pattern, .scalar(.string): .scalar(.string)
    default: nil
    }
  }

  fileprivate func ofDictionary(_ change: (Value.Dictionary) -> Value) -> Value? {
    if case .dictionary(let shape) = self { change(shape) } else { nil }
  }
}

extension FunctionCallExprSyntax {
  /// The closure behind the call, or the last argument.
  var functionArgument: ExprSyntax? { trailingClosure.map { ExprSyntax($0) } ?? arguments.last?.expression }
}

extension ClosureExprSyntax {
  /// The names of a number of arguments; `nil` if they are not understood.
  func argumentNames(_ count: Int) -> [String]? {
    guard let signature, signature.parameterClause != nil else { return (0..<count).map { "$\($0)" } }
    let names = signature.parameterNames
    return names.count == count ? names : nil
  }

  /// The arguments by their names. A pair may have a name for each part. `nil` if the names are not understood.
  func bound(_ arguments: [Value]) -> [String: Value]? {
    guard signature?.capture == nil else { return nil }
    if let names = argumentNames(arguments.count),
      signature?.parameterClause != nil || !mentionedNames.contains("$\(names.count)")
    {
      return Dictionary(zip(names, arguments)) { $1 }
    }
    guard arguments.count == 1, case .object(let pair)? = arguments.first, let names = argumentNames(2),
      let first = pair.fields["0"], let second = pair.fields["1"]
    else { return nil }
    return [names[0]: first, names[1]: second]
  }
}
