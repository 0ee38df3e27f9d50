@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping
import DualSendSource

/// Writes what a row does to a value as an expression that does the same to every value.
struct ValueRewriter {
  let rule: ValueRule?

  /// The expression.
  ///
  /// - Throws: why there is none that is sure to do the same.
  func rewritten(_ leaf: CallRewriter.Leaf) throws(NotRewritten) -> String {
    guard let rule else { return leaf.text }
    let value = leaf.value
    if case .literal(let literal) = value.shape { return SwiftText.literal(rule.apply(to: literal).value) }
    if case .oneOf = value.shape { throw NotRewritten("`\(leaf.text)` is one of several values that a row converts") }
    if value.isFlag {
      let (yes, no) = (rule.apply(to: .bool(true)).value, rule.apply(to: .bool(false)).value)
      if yes == .bool(true), no == .bool(false) { return leaf.text }
      return "\(leaf.operand) ? \(SwiftText.literal(yes)) : \(SwiftText.literal(no))"
    }
    guard case .scalar(let kind) = value.shape else { throw NotRewritten("`\(leaf.text)` is converted by a row") }
    if let table = rule.table { return try lookedUp(leaf, kind, table, rule) }
    guard let type = rule.type else { return leaf.text }
    switch (kind, type) {
    case (.string, .string), (.int, .int), (.double, .double), (.date, .date): return leaf.text
    case (.int, .string): return "String(\(leaf.text))"
    case (.int, .double): return "Double(\(leaf.text))"
    default: throw NotRewritten("no expression turns every \(kind.rawValue) into a \(type.rawValue) as the row does")
    }
  }

  private func lookedUp(
    _ leaf: CallRewriter.Leaf, _ kind: SourceValue.ScalarKind, _ table: [String: EventValue], _ rule: ValueRule
  ) throws(NotRewritten) -> String {
    guard rule.type == nil, kind == .string || kind == .int else {
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
    return "([\(entries.joined(separator: ", "))] as [String: any Sendable])[\(key)] ?? \(other)"
  }
}

extension CallRewriter.Leaf {
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

extension SourceValue {
  fileprivate var isFlag: Bool {
    switch shape {
    case .scalar(.bool): true
    default: false
    }
  }
}
