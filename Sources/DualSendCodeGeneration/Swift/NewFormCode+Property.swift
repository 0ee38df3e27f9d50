import DualSendCore
import DualSendRemapping

/// Types and expressions of the new form's properties.
extension NewFormCode {
  static func property(
    of parameter: EventSpecification.Parameter, _ member: NewFormPlan.Member, name: String
  ) -> Property {
    let old = "self." + parameter.property
    var rule: (name: String, text: String)?
    let (type, isOptional, expression): (String, Bool, String)
    var payloadValue: (String) -> String = { $0 }
    switch member.conversion {
    case .unchanged:
      (type, isOptional, expression) = (parameter.valueType, parameter.isNullable, old)
      payloadValue = parameter.payloadValue
    case .native(let native, let fallback):
      let value = native.expression
      type = native.result.swiftType
      isOptional = parameter.isNullable && fallback == nil
      let converted = parameter.isNullable ? (value("$0") == "$0" ? old : "\(old).map { \(value("$0")) }") : value(old)
      expression = converted + (fallback.map { " ?? " + SwiftLiteral.value($0, as: native.result) } ?? "")
    case .cases(let cases, let result, let fallback):
      type = result?.swiftType ?? "EventValue"
      isOptional = parameter.isNullable && fallback == nil
      expression = parameter.switchExpression(cases, result, fallback, type: type + (isOptional ? "?" : ""))
    case .rule(let valueRule):
      (type, isOptional) = ("EventValue", true)
      rule = (parameter.property, SwiftLiteral.conversion(valueRule))
      let value = parameter.isNullable ? parameter.optionalPayloadValue(old) : parameter.payloadValue(old)
      expression = "Rules.\(parameter.property)(\(value))"
    }
    return Property(
      parameter: member.parameter, name: name, type: type + (isOptional ? "?" : ""), isOptional: isOptional,
      target: member.target, payloadValue: payloadValue, expression: expression,
      documentation: parameter.description, rule: rule)
  }
}

extension ParameterConversion.Native {
  fileprivate var expression: (String) -> String {
    switch self {
    case .same: { $0 }
    case .doubleOfInt: { "Double(\($0))" }
    case .stringOfInt: { "String(\($0))" }
    }
  }
}

extension EventSpecification.Parameter {
  /// The property's type, without its optional.
  fileprivate var valueType: String { type.isArray ? "[\(elementType)]" : elementType }

  /// Converts an optional expression of the property's type to a payload value.
  fileprivate func optionalPayloadValue(_ expression: String) -> String {
    let value = payloadValue("$0")
    return value == "$0" ? expression : "\(expression).map { value in \(payloadValue("value")) }"
  }

  /// A `switch` with one case for each value; the compiler reports a missing one.
  fileprivate func switchExpression(
    _ cases: [(value: EventValue, result: EventValue)], _ result: ParameterType.Element?, _ fallback: EventValue?,
    type: String
  ) -> String {
    let mark = isNullable ? "?" : ""
    var lines = ["{ () -> \(type) in", "  switch self.\(property) {"]
    for (value, new) in cases {
      lines.append("  case \(pattern(of: value))\(mark): \(SwiftLiteral.value(new, as: result))")
    }
    if isNullable { lines.append("  case nil: " + (fallback.map { SwiftLiteral.value($0, as: result) } ?? "nil")) }
    return (lines + ["  }", "}()"]).joined(separator: "\n")
  }

  private func pattern(of value: EventValue) -> String {
    if case .bool(let flag) = value { "\(flag)" } else { "." + SwiftName.escaped(SwiftName.enumCase(value)) }
  }
}
