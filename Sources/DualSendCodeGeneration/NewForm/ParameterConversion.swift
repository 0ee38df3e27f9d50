import DualSendCore
import DualSendRemapping

/// What becomes of one parameter's values on the way to the new form.
enum ParameterConversion {
  /// The value stays what it is.
  case unchanged
  /// A conversion that no value can fail, and what stands in for an absent value.
  case native(Native, fallback: EventValue?)
  /// One result for each of the few values that there are, and what stands in for an absent value.
  case cases([(value: EventValue, result: EventValue)], type: ParameterType.Element?, fallback: EventValue?)
  /// Only the value can decide: the row's own rule.
  case rule(ValueRule?)

  /// Conversions of Swift's own that give what the table would give.
  enum Native {
    /// The same value; there for its default.
    case same(ParameterType.Element)
    case doubleOfInt
    case stringOfInt

    var result: ParameterType.Element {
      switch self {
      case .same(let type): type
      case .doubleOfInt: .double
      case .stringOfInt: .string
      }
    }
  }

  /// - Parameter isNested: whether the new value stands inside an object.
  /// - Returns: `nil` if the parameter's own inside decides, so that the whole payload is needed.
  init?(of parameter: EventSpecification.Parameter, by rule: ValueRule?, isNested: Bool) {
    let type = parameter.type
    // An object that moves inwards may become too deep; how deep it is, only the value knows.
    if isNested, type.isArray || type.element == .object { return nil }
    guard let rule else {
      // A double or a date may be one that JSON cannot hold; the object around it must not be made then.
      self = isNested && type.element.isSometimesLeftOut ? .rule(nil) : .unchanged
      return
    }
    if let values = parameter.everyValue {
      let results = values.map { (value: $0, result: rule.apply(to: $0).value) }
      let fallback = parameter.isNullable ? rule.fallback : nil
      if fallback == nil, results.allSatisfy({ $0.value == $0.result }) {
        self = .unchanged
      } else {
        self = .cases(
          results, type: Self.type(of: results.map(\.result) + [fallback].compactMap { $0 }), fallback: fallback)
      }
      return
    }
    self = Self.native(parameter, rule) ?? .rule(rule)
  }

  private static func native(_ parameter: EventSpecification.Parameter, _ rule: ValueRule) -> ParameterConversion? {
    let type = parameter.type
    guard rule.table == nil, !type.isArray, !type.element.isSometimesLeftOut, type.element != .object else {
      return nil
    }
    let native: Native
    switch (type.element, rule.type?.rawValue) {
    case (_, nil), (_, type.element.rawValue): native = .same(type.element)
    case (.int, "double"): native = .doubleOfInt
    case (.int, "string"): native = .stringOfInt
    default: return nil
    }
    guard parameter.isNullable, let fallback = rule.fallback else {
      if case .same = native { return .unchanged }
      return .native(native, fallback: nil)
    }
    return Self.type(of: [fallback]) == native.result ? .native(native, fallback: fallback) : nil
  }

  /// The type that Swift can have for all of these; `nil` if there is none but ``EventValue``.
  private static func type(of values: [EventValue]) -> ParameterType.Element? {
    let types = Set(
      values.map { value -> ParameterType.Element? in
        switch value {
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        default: nil
        }
      })
    return types.count == 1 ? types.first ?? nil : nil
  }
}

extension ParameterType.Element {
  /// Whether the type has values that JSON cannot hold: NaN, a year of five digits.
  var isSometimesLeftOut: Bool { self == .double || self == .date }
}

extension EventSpecification.Parameter {
  /// Every value that the parameter can have, if they are few; `nil` if they are not.
  var everyValue: [EventValue]? {
    if type.isArray { return nil }
    if type.element == .bool { return [false, true] }
    return values.isEmpty ? nil : values
  }
}
