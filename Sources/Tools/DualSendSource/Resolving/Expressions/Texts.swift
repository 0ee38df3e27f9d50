import DualSendCore
import SwiftParser
import SwiftSyntax

/// Texts, and how they are put together.
extension Resolver {
  func text(_ literal: StringLiteralExprSyntax, _ context: Context, _ state: PathState) -> Value {
    if let plain = literal.representedLiteralValue { return .text(plain) }
    var all: [Value] = [.text("")]
    for segment in literal.segments {
      switch segment {
      case .stringSegment(let part):
        // The escapes of a part are decoded by parsing it as a literal of its own.
        guard let text = literal.meaning(of: part) else { return .unknown("a text that is not understood") }
        all = all.map { joined($0, .text(text)) }
      case .expressionSegment(let part):
        guard part.expressions.count == 1, let only = part.expressions.first, only.label == nil,
          index.functions("appendInterpolation").isEmpty
        else {
          all = all.map { joined($0, .unknown("an interpolation")) }
          continue
        }
        let isOptional = isShownAsOptional(only.expression, context, state)
        let inner = isOptional ? .scalar(.string) : value(only.expression, context, state)
        let shown = inner.map { self.shown($0, of: only.expression, context) }.alternatives
        guard all.count * shown.count <= max(Value.maximumTexts, shown.count) else { return .unknown("too many texts") }
        all = all.flatMap { left in shown.map { joined(left, $0) } }
      }
    }
    return .either(all)
  }

  /// A value in an interpolation.
  private func shown(_ value: Value, of expression: ExprSyntax, _ context: Context) -> Value {
    switch value {
    case .text(let text): return .text(text)
    case .pattern: return value
    case .literal(.int), .literal(.bool): return .text(value.textParts?.first.flatMap { $0 } ?? "")
    case .enumCase(let type, let name, let fields) where fields.isEmpty:
      let all = types.ancestors(of: type)
      let isCustom = all.contains { !index.members("description", of: $0, file: context.unit.file).isEmpty }
      let isShown = all.contains { one in
        one.path.hasSuffix("StringConvertible") || !index.members("debugDescription", of: one, file: -1).isEmpty
      }
      if isShown && !isCustom { return .unknown("what a text shows of `\(type.path)`") }
      return isCustom ? member("description", of: value, context) : .text(name)
    case .instance(let type) where index.declaration(of: type)?.kind == .enumeration:
      return .either(
        expanded(value).map { one in
          if case .instance = one { return .unknown(expression.shortText) }
          return shown(one, of: expression, context)
        })
    case .parameter(_, type: "String"): return value
    case .parameter(let name, _):
      return .pattern([nil], reason: "any value of `\(name)`", isCallers: false)
    default: return .pattern([nil], reason: "any value of `\(expression.shortText)`", isCallers: false)
    }
  }

  /// The concatenation of two texts.
  func joined(_ left: Value, _ right: Value) -> Value {
    if case .text(let one) = left, case .text(let other) = right {
      return .text(one + other)
    }
    func parts(_ value: Value) -> (parts: [String?], reason: String, isCallers: Bool) {
      switch value {
      case .text(let text): ([text], "", false)
      case .pattern(let parts, let reason, let isCallers): (parts, reason, isCallers)
      case .parameter(let name, let type):
        // A wrapper may build the name from a parameter, but not from a property of it.
        ([nil], value.reason("a part of it"), type == "String" && !name.contains("."))
      default: ([nil], value.reason("a part of it"), false)
      }
    }
    let (first, second) = (parts(left), parts(right))
    var all: [String?] = []
    for part in first.parts + second.parts {
      if let part, let last = all.last ?? nil {
        all[all.count - 1] = last + part
      } else if part != nil || all.isEmpty || all[all.count - 1] != nil {
        all.append(part)
      }
    }
    return .pattern(
      all.filter { $0 != "" }, reason: first.reason.isEmpty ? second.reason : first.reason,
      isCallers: first.isCallers || second.isCallers)
  }
}

extension StringLiteralExprSyntax {
  /// The text of a part without interpolations.
  fileprivate func meaning(of part: StringSegmentSyntax) -> String? {
    if !part.content.text.contains("\\") && openingQuote.tokenKind != .multilineStringQuote { return part.content.text }
    var alone = self
    alone.segments = [.stringSegment(part)]
    return alone.representedLiteralValue
  }
}
