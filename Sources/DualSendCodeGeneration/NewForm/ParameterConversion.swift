import DualSendCore
import DualSendRemapping

/// The conversion of one parameter's values to the new form.
enum ParameterConversion {
  /// The value is unchanged.
  case unchanged
  /// A native conversion that cannot fail, and the default for an absent value.
  case native(Native, fallback: EventValue?)
  /// A result for each possible value, and the default for an absent value.
  case cases([(value: EventValue, result: EventValue)], type: ParameterType.Element?, fallback: EventValue?)
  /// The result depends on the value: the row's rule.
  case rule(ValueRule?)

  /// Swift conversions with the same result as the table's.
  enum Native {
    /// The same value, with a default.
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

  /// - Parameter isNested: whether the new value is inside an object.
  /// - Returns: `nil` if the content of the parameter decides, so that the whole payload is needed.
  init?(of parameter: EventSpecification.Parameter, by rule: ValueRule?, isNested: Bool) {
    let type = parameter.type
    // An object that moves deeper may exceed the depth limit, which depends on the value.
    if isNested, type.isArray || type.element == .object { return nil }
    guard let rule else {
      // JSON cannot hold some doubles and dates; then the enclosing object must not be created.
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

  /// The common Swift type of the values; `nil` if it is ``EventValue``.
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
  /// Whether the type has values that JSON cannot hold, such as NaN or a five-digit year.
  var isSometimesLeftOut: Bool { self == .double || self == .date }
}

extension EventSpecification.Parameter {
  /// All values of the parameter, if they are a closed list; `nil` otherwise.
  var everyValue: [EventValue]? {
    if type.isArray { return nil }
    if type.element == .bool { return [false, true] }
    return values.isEmpty ? nil : values
  }
}
