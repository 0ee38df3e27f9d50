import DualSendCore
import DualSendRemapping

/// Generates the structure of an event's new form, if each new value comes from one parameter or is constant.
struct NewFormCode {
  /// One property of the structure.
  struct Property {
    /// The index of its parameter.
    let parameter: Int
    let name: String
    let type: String
    let isOptional: Bool
    let target: KeyPathPattern
    /// Converts an expression of the type, without its optional, to a payload value.
    let payloadValue: (String) -> String
    /// The expression that the event passes.
    let expression: String
    let documentation: String
    /// The rule to apply at run time, with its name.
    let rule: (name: String, text: String)?

    /// The name in code.
    var code: String { SwiftName.escaped(name) }
  }

  let properties: [Property]
  private let name: String
  private let constants: [NewFormPlan.Constant]
  private let open: String

  init(
    _ event: EventSpecification.Event, _ plan: NewFormPlan, _ members: [NewFormPlan.Member],
    _ constants: [NewFormPlan.Constant], open: String
  ) {
    name = plan.name
    self.constants = constants
    self.open = open
    var names: Set<String> = []
    properties = members.map { member in
      let name = Self.name(of: member.target, besides: &names)
      return Self.property(of: event.parameters[member.parameter], member, name: name)
    }
  }

  func write(to writer: inout SwiftWriter) {
    writer.documentation("The event as the new tracker knows it.")
    writer.block("\(open)struct NewForm: Sendable {") { writer in
      for property in properties {
        writer.documentation(property.documentation)
        writer.line("\(open)var \(property.code): \(property.type)")
      }
      if !properties.isEmpty { writer.line() }
      writer.documentation("Creates the new form.")
      writer.initializer(open, properties.map { ($0.code, $0.type) })
      writer.line()
      writer.documentation("The name that the new tracker knows.")
      writer.line("\(open)var name: String { \(SwiftLiteral.string(name)) }")
      writer.line()
      writer.documentation("The parameters that the new tracker knows.")
      writeParameters(to: &writer)
    }
    let rules = properties.compactMap(\.rule)
    guard !rules.isEmpty else { return }
    writer.line()
    writer.block("private enum Rules {") { writer in
      for rule in rules { writer.line("static let \(rule.name) = \(rule.text)") }
    }
  }

  private func writeParameters(to writer: inout SwiftWriter) {
    writer.block("\(open)var parameters: [String: any Sendable] {") { writer in
      guard !properties.isEmpty || !constants.isEmpty else {
        writer.line("[:]")
        return
      }
      var tree = PayloadCode()
      for property in properties {
        tree.insert(
          property.target, .init(name: property.code, isOptional: property.isOptional) { property.payloadValue($0) })
      }
      for constant in constants {
        tree.insert(constant.target, .init(constant: "EventValue" + SwiftLiteral.eventValue(constant.value)))
      }
      tree.write(into: "parameters", to: &writer)
      writer.line("return parameters")
    }
  }

  /// The name for a target, with a number if another target has the same name.
  private static func name(of target: KeyPathPattern, besides names: inout Set<String>) -> String {
    let keys = target.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
    let name = SwiftName.member(keys.joined(separator: " "))
    var number = 1
    var unique = name
    while !names.insert(unique).inserted {
      number += 1
      unique = "\(name)_\(number)"
    }
    return unique
  }
}
