import DualSendCore

/// Generates the code of one event.
struct EventCode {
  let event: EventSpecification.Event
  let access: EventCodeGenerator.Access

  /// The access modifier: `public ` or empty.
  private var open: String { access == .public ? "public " : "" }

  var text: String {
    var writer = SwiftWriter()
    writer.documentation(event.description, event.discussion)
    writer.block("\(open)struct \(event.typeName): TypedEvent {") { writer in
      for parameter in event.parameters where !parameter.values.isEmpty { writeValues(of: parameter, to: &writer) }
      for parameter in event.parameters {
        writer.documentation(parameter.description)
        writer.line("\(open)var \(parameter.property): \(parameter.swiftType)")
      }
      if !event.parameters.isEmpty { writer.line() }
      writeInitializer(to: &writer)
      writer.line()
      writer.line("\(open)var name: String { \(SwiftLiteral.string(event.name)) }")
      writer.line()
      writeParameters(to: &writer)
    }
    return writer.text
  }

  private func writeValues(of parameter: EventSpecification.Parameter, to writer: inout SwiftWriter) {
    let raw = parameter.type.element == .int ? "Int" : "String"
    writer.documentation("The values of `\(parameter.propertyName)`.")
    writer.block("\(open)enum \(parameter.typeName): \(raw), Sendable, CaseIterable {") { writer in
      for value in parameter.values {
        writer.line(
          "case \(SwiftName.escaped(SwiftName.enumCase(value))) = \(SwiftLiteral.rawValue(value))"
        )
      }
    }
    writer.line()
  }

  private func writeInitializer(to writer: inout SwiftWriter) {
    writer.documentation("Creates the event.")
    writer.initializer(
      open, event.parameters.map { ($0.property, $0.swiftType + ($0.isNullable ? " = nil" : "")) })
  }

  private func writeParameters(to writer: inout SwiftWriter) {
    writer.block("\(open)var parameters: [String: any Sendable] {") { writer in
      guard !event.parameters.isEmpty else {
        writer.line("[:]")
        return
      }
      writer.line("var parameters: [String: any Sendable] = [:]")
      for parameter in event.parameters {
        let key = "parameters[\(SwiftLiteral.string(parameter.key))]"
        if parameter.isNullable {
          writer.line("if let value = self.\(parameter.property) { \(key) = \(parameter.payloadValue("value")) }")
        } else {
          writer.line("\(key) = \(parameter.payloadValue("self." + parameter.property))")
        }
      }
      writer.line("return parameters")
    }
  }
}

extension EventSpecification.Parameter {
  /// The property's name in code.
  var property: String { SwiftName.escaped(propertyName) }

  var elementType: String {
    if !values.isEmpty { return typeName }
    return type.element.swiftType
  }

  /// The property's type.
  var swiftType: String { (type.isArray ? "[\(elementType)]" : elementType) + (isNullable ? "?" : "") }

  /// Converts an expression of the property's type, without its optional, to a payload value.
  func payloadValue(_ expression: String) -> String {
    switch (type.element, type.isArray) {
    case (.object, false): "EventValue.object(\(expression))"
    case (.object, true): "EventValue.array(\(expression).map { EventValue.object($0) })"
    case (_, false): values.isEmpty ? expression : expression + ".rawValue"
    case (_, true): values.isEmpty ? expression : expression + ".map { $0.rawValue }"
    }
  }
}

extension ParameterType.Element {
  var swiftType: String {
    switch self {
    case .string: "String"
    case .int: "Int"
    case .double: "Double"
    case .bool: "Bool"
    case .date: "Date"
    case .object: "[String: EventValue]"
    }
  }
}
