import DualSendCore
import SwiftSyntax

/// Arrays, dictionaries and tuples, and their elements.
extension Resolver {
  func list(_ literal: ArrayExprSyntax, _ context: Context, _ state: PathState, _ expected: String?) -> Value {
    let type = expected?.elementType
    return .list(literal.elements.map { value($0.expression, context, state, expected: type) })
  }

  /// A value in parentheses, or several, which have their positions and labels as names.
  func tuple(_ tuple: TupleExprSyntax, _ context: Context, _ state: PathState, _ expected: String?) -> Value {
    if tuple.elements.count == 1, let only = tuple.elements.first {
      return value(only.expression, context, state, expected: expected)
    }
    var fields: [String: Value] = [:]
    for (place, element) in tuple.elements.enumerated() {
      let value = value(element.expression, context, state)
      fields["\(place)"] = value
      if let label = element.label?.identifierText { fields[label] = value }
    }
    return .object(.init(type: .tuple, fields: fields))
  }

  func dictionary(
    _ literal: DictionaryExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> Value {
    var shape = Value.Dictionary()
    guard case .elements(let elements) = literal.content else { return .dictionary(shape) }
    let types = expected?.dictionaryTypes
    for element in elements {
      let key = value(element.key, context, state, expected: types?.key)
      let value = value(element.value, context, state, expected: types?.value)
      set(key, .init(value: value, isOptional: false), in: &shape, element.key, context)
    }
    return .dictionary(shape)
  }

  /// Sets the value of a key. The case of an enum stands for its raw value.
  func set(
    _ key: Value, _ member: Value.Member, in shape: inout Value.Dictionary, _ written: ExprSyntax, _ context: Context
  ) {
    let texts = key.map { one in
      guard case .enumCase(let type, _, _) = one else { return one }
      if !index.members("rawValue", of: type, file: -1).isEmpty { return .unknown("the app's own raw value") }
      shape.caseType = type
      return self.member("rawValue", of: one, context)
    }
    shape.set(texts, member, text: written.shortText)
  }

  /// `x[…]`.
  func element(_ call: SubscriptCallExprSyntax, _ context: Context, _ state: PathState) -> Value {
    let base = value(call.calledExpression, context, state)
    guard call.arguments.count == 1, let only = call.arguments.first, only.label == nil else {
      return .unknown("`\(ExprSyntax(call).shortText)` is not followed")
    }
    let key = value(only.expression, context, state)
    switch (base, key) {
    case (.list(let all), .literal(.int(let place))) where all.indices.contains(Int(place)): return all[Int(place)]
    case (.dictionary(let shape), .text(let text)) where shape.open == nil:
      guard let member = shape.members[text] else { return .null }
      return member.isOptional ? .either([member.value, .null]) : member.value
    case (.parameter(let name, _), _): return .parameter("\(name)[…]", type: "")
    default: return .unknown("`\(ExprSyntax(call).shortText)` is not followed")
    }
  }

  /// The elements of a dictionary, as pairs of a key and a value, in the order of the keys.
  func pairs(of shape: Value.Dictionary) -> [(value: Value, isOptional: Bool)] {
    shape.members.sorted { $0.key < $1.key }.map { text, member in
      let key = shape.caseType.flatMap { type in
        index.cases(of: type).first { index[$0].rawText == text }.map { Value.enumCase(type, index[$0].name, []) }
      }
      let names = ["0", "key"].map { ($0, key ?? .text(text)) }
      let values = ["1", "value"].map { ($0, member.value) }
      let fields = Dictionary(uniqueKeysWithValues: names + values)
      return (.object(.init(type: .tuple, fields: fields)), member.isOptional)
    }
  }
}
