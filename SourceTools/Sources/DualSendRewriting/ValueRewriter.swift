import DualSendCore
import DualSendRemapping
import DualSendSource

/// Writes what a row does to a value as an expression that does the same to every value.
struct ValueRewriter {
  let rule: ValueRule?

  /// The expression.
  ///
  /// - Throws: why there is none that is sure to do the same.
  func rewritten(_ leaf: WrittenLeaf) throws(NotRewritten) -> RewrittenValue {
    guard let rule else { return leaf.unchanged }
    let value = leaf.value
    if case .literal(let literal) = value.shape {
      return RewrittenValue(text: SwiftText.literal(rule.apply(to: literal).value))
    }
    if let choice = leaf.expression.choice, let chosen = chosen(choice, rule) { return chosen }
    if case .oneOf(let values) = value.shape { return try oneOf(values, leaf, rule) }
    guard case .scalar(let kind) = value.shape else { throw NotRewritten("`\(leaf.text)` is converted by a row") }
    if kind == .bool {
      let (yes, no) = (rule.apply(to: .bool(true)).value, rule.apply(to: .bool(false)).value)
      if yes == .bool(true), no == .bool(false) { return leaf.unchanged }
      return leaf.written("\(leaf.operand) ? \(SwiftText.literal(yes)) : \(SwiftText.literal(no))")
    }
    if rule.table != nil { return try lookedUp(leaf, kind, rule) }
    guard let type = rule.type else { return leaf.unchanged }
    switch (kind, type) {
    case (.string, .string), (.int, .int), (.double, .double), (.date, .date): return leaf.unchanged
    case (.int, .string): return leaf.written("String(\(leaf.text))")
    case (.int, .double): return leaf.written("Double(\(leaf.text))")
    case (.string, .int):
      if let integer = leaf.expression.integer { return leaf.written(integer) }
    default: break
    }
    throw NotRewritten("no expression turns every \(kind.rawValue) into a \(type.rawValue) as the row does")
  }

  /// One of several known values: each of them as the row has it.
  private func oneOf(
    _ values: [SourceValue], _ leaf: WrittenLeaf, _ rule: ValueRule
  ) throws(NotRewritten) -> RewrittenValue {
    let literals = values.compactMap { value in if case .literal(let literal) = value.shape { literal } else { nil } }
    if literals.count == values.count {
      if literals.allSatisfy({ rule.apply(to: $0).value == $0 }) { return leaf.unchanged }
      if rule.table != nil, literals.allSatisfy(\.isString) { return try lookedUp(leaf, .string, rule) }
    }
    throw NotRewritten("`\(leaf.text)` is one of several values that a row converts")
  }

  /// A ternary of literals with each of them converted; `nil` if a branch is none, or they come to be of two types.
  private func chosen(_ choice: WrittenExpression.Choice, _ rule: ValueRule) -> RewrittenValue? {
    var results: [EventValue] = []
    for branch in choice.branches {
      guard case .literal(let literal) = branch.value.shape else { return nil }
      results.append(rule.apply(to: literal).value)
    }
    guard let first = results.first, results.allSatisfy({ $0.typeName == first.typeName && $0 != .null }) else {
      return nil
    }
    return RewrittenValue(
      text: "\(choice.condition) ? " + results.map { SwiftText.literal($0) }.joined(separator: " : "),
      uses: choice.uses)
  }

  private func lookedUp(
    _ leaf: WrittenLeaf, _ kind: SourceValue.ScalarKind, _ rule: ValueRule
  ) throws(NotRewritten) -> RewrittenValue {
    guard let table = rule.table, rule.type == nil, kind == .string || kind == .int else {
      throw NotRewritten("a row looks `\(leaf.text)` up and converts it as well")
    }
    guard leaf.isPlace || rule.fallback != nil else {
      throw NotRewritten("`\(leaf.text)` would be worked out twice")
    }
    let entries = table.sorted { String.byteOrder($0.key, $1.key) }.map { key, value in
      SwiftText.literal(.string(key)) + ": " + SwiftText.literal(value)
    }
    let key = kind == .string ? leaf.text : "String(\(leaf.text))"
    let other = rule.fallback.map { SwiftText.literal($0) } ?? leaf.text
    return leaf.written("([\(entries.joined(separator: ", "))] as [String: any Sendable])[\(key)] ?? \(other)")
  }
}

extension WrittenLeaf {
  /// Its value, written otherwise.
  fileprivate func written(_ text: String) -> RewrittenValue { RewrittenValue(text: text, uses: expression.uses) }

  /// The expression as the operand of an operator.
  fileprivate var operand: String { isPlace ? text : "(\(text))" }

  /// Whether it only names a value, so that it can be written twice.
  fileprivate var isPlace: Bool {
    text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "$") || byte > 127
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}

extension EventValue {
  fileprivate var isString: Bool { if case .string = self { true } else { false } }
}
