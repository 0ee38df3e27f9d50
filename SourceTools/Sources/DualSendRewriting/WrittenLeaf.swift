import DualSendCore
import DualSendRemapping
import DualSendSource

/// A value without keys below it that a call writes down.
struct WrittenLeaf {
  let steps: [String]
  let expression: WrittenExpression

  var value: SourceValue { expression.value }

  /// As Swift.
  var text: String {
    if let text = expression.text { return text }
    if case .literal(let literal) = value.shape { return SwiftText.literal(literal) }
    return ""
  }

  var path: KeyPathPattern {
    get throws(NotRewritten) { try Self.path(of: steps) }
  }

  static func path(of steps: [String]) throws(NotRewritten) -> KeyPathPattern {
    let text = steps.map { KeyPathPattern(key: $0).description }.joined(separator: ".")
    guard let path = try? KeyPathPattern(text) else { throw NotRewritten("it has an empty key") }
    return path
  }

  /// The leaves of a payload, in order.
  ///
  /// - Parameter isAny: whether the payload may hold any value, and not only such as may cross threads.
  static func all(
    of value: LiteralCall.Value, below steps: [String] = [], isAny: Bool = false
  ) throws(NotRewritten) -> [WrittenLeaf] {
    switch value {
    case .object(let members):
      if members.isEmpty, !steps.isEmpty { throw NotRewritten("it has an empty dictionary inside") }
      var leaves: [WrittenLeaf] = []
      for member in members {
        guard let key = member.key.onlyText else { throw NotRewritten("a key is not one text") }
        leaves += try all(of: member.value, below: steps + [key], isAny: isAny)
      }
      return leaves
    case .list: throw NotRewritten("it writes an array down")
    case .expression(let expression):
      let leaf = WrittenLeaf(steps: steps, expression: expression)
      guard isAny || expression.value.isSendable else {
        throw NotRewritten("of `\(leaf.text)` it is not known that the new tracker takes it")
      }
      return [leaf]
    }
  }
}

extension SourceValue {
  /// The one text that this is.
  var onlyText: String? {
    if case .literal(.string(let text)) = shape { text } else { nil }
  }

  /// Whether it is known to be a value, or an array of values, that may cross threads.
  var isSendable: Bool {
    switch shape {
    case .literal, .text, .scalar: true
    case .oneOf(let values): values.allSatisfy(\.isSendable)
    case .elements(let element): element.isSendable
    case .list(let elements): elements.allSatisfy(\.isSendable)
    default: false
    }
  }

  /// Whether no row can reach into it.
  var isWithoutInside: Bool {
    switch shape {
    case .literal, .text, .scalar: true
    case .oneOf(let values): values.allSatisfy(\.isWithoutInside)
    default: false
    }
  }
}
