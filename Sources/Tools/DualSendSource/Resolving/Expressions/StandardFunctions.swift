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
}

/// The functions of the standard library and Foundation that build names and dictionaries. What has no row is unknown.
///
/// A row gives the result for one receiver, or `nil` for a receiver or an argument that it does not read.
enum StandardFunctions {
  typealias Row = (labels: [[String]], read: @Sendable (Value, StandardCall) -> Value?)

  /// The functions that give a result, by name.
  static let results: [String: Row] = [
    "joined": ([[], ["separator"]], joined),
    "merging": ([["_"], ["_", "uniquingKeysWith"]], merged),
    "filter": ([[], ["_"]], { base, _ in base.ofDictionary { .dictionary($0.thinned) } }),
    "compactMapValues": ([[], ["_"]], { base, _ in base.ofDictionary { .dictionary($0.thinned) } }),
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
  ]

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
}

extension Resolver {
  /// The result of a function of the standard library; `nil` if it is none, or not read.
  func standardResult(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value? {
    if call.arguments.isEmpty, let rule = rules[name], base.isText {
      return base.plain.map { .text(rule.text($0)) } ?? .scalar(.string)
    }
    if base.isText, Self.textFunctions.contains(name), !isOwn(name, call) {
      return .pattern([nil], reason: "`\(name)` in \(context.place(of: call))", isCallers: base.isCallers)
    }
    return standard(StandardFunctions.results[name], name, base, call, context, state)
  }

  /// What a value is after a call of a function of the standard library; `nil` if it is none, or not read.
  func standardChange(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value? {
    standard(StandardFunctions.changes[name], name, base, call, context, state)
  }

  /// Functions that give another text, which is not read.
  private static let textFunctions: Set<String> = [
    "lowercased", "uppercased", "capitalized", "appending", "replacingOccurrences", "replacing", "trimmingCharacters",
  ]

  private func standard(
    _ row: StandardFunctions.Row?, _ name: String, _ base: Value, _ call: FunctionCallExprSyntax, _ context: Context,
    _ state: PathState
  ) -> Value? {
    guard let row, row.labels.contains(call.labels), !isOwn(name, call) else { return nil }
    return row.read(base, StandardCall(call, context, state, self))
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
}
