import DualSendCore
import DualSendInventory
import SwiftSyntax

/// Functions of the standard library that commonly build names and dictionaries.
extension Resolver {
  /// `String(…)` and the like.
  func builtIn(_ name: String, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState) -> Value? {
    guard index.type(name, in: context.owner, file: context.unit.file) == nil, !index.isAmbiguous(name) else {
      return nil
    }
    switch name {
    case "String":
      guard let only = call.arguments.first, call.arguments.count == 1, call.trailingClosure == nil else {
        return .scalar(.string)
      }
      let own = index.members("init", of: .init(path: "String", file: nil), file: context.unit.file)
      guard !own.contains(where: { call.fits(index[$0]) }), !isShownAsOptional(only.expression, context, state) else {
        return .scalar(.string)
      }
      guard only.label == nil || only.label?.text == "describing" else { return .scalar(.string) }
      return value(only.expression, context, state).map { one in
        switch one {
        case .text(let text, _): return .text(text, nil)
        case .pattern, .scalar(.string): return one
        case .literal(.int), .literal(.bool): return .text((one.textParts?.first ?? "") ?? "", nil)
        case .parameter(let parameter, _):
          return .pattern([nil], reason: "any value of `\(parameter)`", isCallers: false)
        default: return .scalar(.string)
        }
      }
    case "Int", "Int64", "UInt":
      return call.arguments.first.map { value($0.expression, context, state) }.map { given in
        if case .scalar(.string) = given { return .either([.scalar(.int), .null]) }
        if given.plain != nil { return .either([.scalar(.int), .null]) }
        if case .unknown = given { return .unknown("`\(ExprSyntax(call).shortText)`") }
        return .scalar(.int)
      } ?? .literal(.int(0))
    case "Double", "Float", "Bool": return nil
    case "Date": return .scalar(.date)
    case "Dictionary":
      guard call.labels == ["uniqueKeysWithValues"],
        let pairs = call.arguments.first?.expression.as(FunctionCallExprSyntax.self),
        pairs.calledName?.text == "map", let base = pairs.receiver
      else { return nil }
      return value(base, context, state).map { converted($0, by: pairs) }
    default: return nil
    }
  }

  /// A dictionary whose keys are read as their raw values, if that is what a closure does.
  private func converted(_ value: Value, by call: FunctionCallExprSyntax) -> Value {
    let forms: Set = [
      "($0.key.rawValue,$0.value)", "($0.rawValue,$1)", "$0[$1.key.rawValue]=$1.value", "$0[$1.0.rawValue]=$1.1",
      "key,valuein(key.rawValue,value)",
    ]
    let closure = (call.trailingClosure ?? call.arguments.first?.expression.as(ClosureExprSyntax.self))
    let text = closure?.trimmedDescription.dropFirst().dropLast().filter { !$0.isWhitespace }
    guard case .dictionary(var shape) = value, shape.hasCaseKeys, text.map(forms.contains) == true else {
      return .unknown("a dictionary that is put together")
    }
    shape.hasCaseKeys = false
    return .dictionary(shape)
  }

  /// Functions of texts, dictionaries and arrays.
  func builtIn(
    _ name: String, of base: Value, _ call: FunctionCallExprSyntax, _ context: Context, _ state: PathState
  ) -> Value? {
    if rules[name] == nil, isOwn(name, call) { return nil }
    // The receiver is or may be an optional.
    if name == "map" || name == "flatMap", call.arguments.count + (call.trailingClosure == nil ? 0 : 1) == 1 {
      switch base {
      case .list, .elements, .dictionary, .text, .pattern: break
      case .unknown, .instance, .enumCase, .object, .scalar, .literal:
        if let made = mapped(call, base, context, state) {
          if case .unknown = base { return .either([made, .null]) }
          return made
        }
      default: break
      }
    }
    let arguments = call.arguments.map { value($0.expression, context, state) }
    switch base {
    case .text(let text, _):
      if call.labels.isEmpty, let rule = rules[name] { return .text(rule.text(text), nil) }
      switch (name, call.labels) {
      case ("lowercased", []): return .text(text.lowercased(), nil)
      case ("uppercased", []): return .text(text.uppercased(), nil)
      case ("appending", ["_"]): return joined(.text(text, nil), arguments[0])
      case ("replacingOccurrences", ["of", "with"]), ("replacing", ["_", "with"]):
        guard let old = arguments[0].plain, let new = arguments[1].plain, !old.isEmpty else { return .scalar(.string) }
        return .text(text.replacing(old, with: new), nil)
      default: return nil
      }
    case .pattern, .scalar(.string):
      switch (name, call.labels) {
      case ("lowercased", []), ("uppercased", []): return .scalar(.string)
      case ("appending", ["_"]): return joined(base, arguments[0])
      default: return nil
      }
    case .dictionary(let shape):
      switch (name, call.labels) {
      case ("merging", ["_"]), ("merging", ["_", "uniquingKeysWith"]):
        return arguments[0].map { merged(shape, with: $0) }
      case ("compactMapValues", _):
        guard call.closureText.map({ $0 == "$0" }) == true else {
          return .dictionary(opened(shape, "`compactMapValues`"))
        }
        var result = shape
        for (key, member) in shape.members {
          if member.value == .null {
            result.members[key] = nil
          } else if member.value.mayBeNil != false {
            result.members[key]?.isOptional = true
            result.members[key]?.value = member.value.unwrapped
          }
        }
        return .dictionary(result)
      case ("mapValues", _):
        var result = shape
        for key in shape.members.keys { result.members[key]?.value = .scalar(.unknown) }
        return .dictionary(result)
      case ("filter", _): return .dictionary(opened(shape, "`filter`"))
      case ("reduce", ["into"]) where arguments[0] == .dictionary(.init()): return converted(base, by: call)
      default: return nil
      }
    case .list(let all):
      if name == "joined", call.labels.isEmpty || call.labels == ["separator"] {
        return joined(all, by: arguments.first ?? .text("", nil))
      }
      guard name == "map" || name == "compactMap" else { return nil }
      return mapped(call, .either(all), context, state).map { .elements($0) } ?? .elements(.scalar(.unknown))
    case .elements(let one):
      guard name == "map" || name == "compactMap" else { return nil }
      return mapped(call, one, context, state).map { .elements($0) } ?? .elements(.unknown("a closure"))
    default: return nil
    }
  }

  /// Whether the app declares a function that a call on a text, a collection or an optional may mean.
  func isOwn(_ name: String, _ call: FunctionCallExprSyntax) -> Bool {
    index.functions(name).contains { number in
      let owner = index[number].owner
      let isStandard = owner.hasPrefix("[") || owner.hasSuffix("?") || Self.standardTypes.contains(owner)
      return isStandard && call.fits(index[number])
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

  /// The texts of an array in one, with a separator between them; `nil` if its elements may be something else.
  private func joined(_ all: [Value], by separator: Value) -> Value? {
    var texts = [Value.text("", nil)]
    for (number, element) in all.enumerated() {
      let parts = element.alternatives
      guard parts.allSatisfy(\.isText), texts.count * parts.count <= Value.maximumTexts else { return nil }
      texts = texts.flatMap { text in parts.map { joined(number == 0 ? text : joined(text, separator), $0) } }
    }
    return separator.isText ? .either(texts) : nil
  }

  /// The result of a closure for each element, if its body is one expression.
  private func mapped(
    _ call: FunctionCallExprSyntax, _ element: Value, _ context: Context, _ state: PathState
  ) -> Value? {
    let closure = call.trailingClosure ?? call.arguments.first?.expression.as(ClosureExprSyntax.self)
    guard let closure else { return nil }
    var inner = state
    switch closure.signature?.parameterClause {
    case .simpleInput(let names)? where names.count == 1:
      if let name = names.first?.name.identifierText { inner.locals[name] = element }
    case nil where closure.signature == nil: inner.locals["$0"] = element
    default: return nil
    }
    var body = context
    body.result = nil
    return result(of: closure.statements, body, inner)
  }

  /// Merges two dictionaries.
  func merged(_ left: Value.Dictionary, with right: Value) -> Value {
    guard case .dictionary(let added) = right else {
      if right == .null { return .dictionary(left) }
      return .dictionary(opened(left, right.reason("a dictionary that is merged")))
    }
    var result = left
    result.merge(added)
    return .dictionary(result)
  }

  private func opened(_ shape: Value.Dictionary, _ reason: String) -> Value.Dictionary {
    var shape = shape
    shape.open = shape.open ?? reason
    return shape
  }
}

extension Value {
  fileprivate var isText: Bool {
    switch self {
    case .text, .pattern, .scalar(.string), .parameter(_, type: "String"): true
    default: false
    }
  }
}

extension FunctionCallExprSyntax {
  /// The expression of a closure argument with a single-expression body.
  fileprivate var closureText: String? {
    let closure = trailingClosure ?? arguments.first?.expression.as(ClosureExprSyntax.self)
    guard let closure, closure.statements.count == 1, closure.signature == nil else { return nil }
    return closure.statements.trimmedDescription
  }
}
