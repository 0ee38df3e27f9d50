import DualSendCore
import SwiftSyntax

/// Arrays and dictionaries.
extension Resolver {
  func list(_ literal: ArrayExprSyntax, _ context: Context, _ state: PathState, _ expected: String?) -> Value {
    let type = expected?.elementType
    return .list(literal.elements.map { value($0.expression, context, state, expected: type) })
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
      shape.set(key, .init(value: value, isOptional: false), text: element.key.shortText)
    }
    return .dictionary(shape)
  }

}
