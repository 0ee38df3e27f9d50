import DualSendCore
import DualSendRemapping

/// Writes the new form of an event.
extension EventCode {
  func writeNewForm(_ plan: NewFormPlan, to writer: inout SwiftWriter) {
    writer.line()
    writer.line("\(open)var newName: String { \(SwiftLiteral.string(plan.name)) }")
    writer.line()
    switch plan.shape {
    case .members(let members, let constants):
      let form = NewFormCode(event, plan, members, constants, open: open)
      writeConversion(form, unmapped: plan.unmapped, to: &writer)
      writer.line()
      form.write(to: &writer)
    case .wholeRule: writeWholeRule(plan, to: &writer)
    }
  }

  /// Writes the conversion with all arguments. For a parameter without a row, omits the argument if that should not
  /// compile.
  private func writeConversion(_ form: NewFormCode, unmapped: [Int], to writer: inout SwiftWriter) {
    writer.line("\(open)var newParameters: [String: any Sendable] { newForm.parameters }")
    writer.line()
    writer.documentation("The event as the new tracker knows it.")
    writer.block("\(open)var newForm: NewForm {") { writer in
      writeMissingRows(unmapped, to: &writer)
      let arguments = form.properties.filter { !(refusesMissingRows && unmapped.contains($0.parameter)) }
      writer.call("NewForm", arguments.map { "\(SwiftName.label($0.name)): \($0.expression)" })
    }
  }

  private func writeMissingRows(_ unmapped: [Int], to writer: inout SwiftWriter) {
    guard refusesMissingRows else { return }
    for index in unmapped {
      writer.comment(
        "No row of the remapping table maps `\(event.parameters[index].key)`: add one to make this compile.")
    }
  }

  /// For rows that reach into values that the specification does not describe, applies the whole rule at run time.
  private func writeWholeRule(_ plan: NewFormPlan, to writer: inout SwiftWriter) {
    let missing = refusesMissingRows ? plan.unmapped : []
    writer.block("\(open)var newParameters: [String: any Sendable] {") { writer in
      writeMissingRows(missing, to: &writer)
      let arguments = event.parameters.enumerated().filter { !missing.contains($0.offset) }.map(\.element)
      writer.call("Self.remapped", arguments.map { "\(SwiftName.label($0.propertyName)): self.\($0.property)" })
    }
    writer.line()
    writer.documentation("The rule of the remapping table, for rows that reach into objects and arrays.")
    writer.call(
      "private static func remapped", event.parameters.map { "\($0.property): \($0.swiftType)" },
      closing: ") -> [String: any Sendable] {")
    let arguments = event.parameters.map { "\(SwiftName.label($0.propertyName)): \($0.property)" }.joined(
      separator: ", ")
    writer.line("  Rules.event(Self(\(arguments)).parameters)")
    writer.line("}")
    writer.line()
    writer.block("private enum Rules {") { writer in
      writer.block("static let event = GeneratedRemapping(", closing: ")") { writer in
        writer.block("rows: [", closing: "],") { writer in
          for row in plan.rule.rows { writer.line(Self.row(row) + ",") }
        }
        writer.block("constants: [", closing: "],") { writer in
          for constant in plan.rule.constants {
            writer.line(".init(\(SwiftLiteral.path(constant.target)), \(SwiftLiteral.eventValue(constant.value))),")
          }
        }
        writer.line("keepsUnmapped: \(plan.rule.unmapped != .drop),")
        writer.line("payloadWinsClashes: \(plan.rule.clashPolicy == .payload)")
      }
    }
  }

  private static func row(_ row: RemappingRow) -> String {
    guard case .move(let target, let rule) = row.action else {
      return ".init(dropping: \(SwiftLiteral.path(row.source)))"
    }
    let conversion = rule.map { ", " + SwiftLiteral.conversion($0) } ?? ""
    return ".init(\(SwiftLiteral.path(row.source)), to: \(SwiftLiteral.path(target))\(conversion))"
  }
}
