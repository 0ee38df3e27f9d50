import DualSendCore
import DualSendRemapping

@testable import DualSendCodeGeneration

/// Does what generated code does, without compiling any: for tables that no file was generated from.
struct PlanInterpreter {
  let event: EventSpecification.Event
  let plan: NewFormPlan

  /// The new parameters; `nil` if the plan asks the whole rule.
  func newParameters(of parameters: [String: any Sendable]) -> [String: any Sendable]? {
    guard case .members(let members, let constants) = plan.shape else { return nil }
    var tree: [String: any Sendable] = [:]
    for member in members {
      let old = parameters[event.parameters[member.parameter].key]
      if let new = Self.value(old, member.conversion) { Self.write(new, member.target, into: &tree) }
    }
    for constant in constants { Self.write(constant.value, constant.target, into: &tree) }
    return tree
  }

  private static func value(_ old: (any Sendable)?, _ conversion: ParameterConversion) -> (any Sendable)? {
    switch conversion {
    case .unchanged: return old
    case .native(let native, let fallback):
      guard let old else { return fallback }
      switch (native, old) {
      case (.doubleOfInt, let number as Int): return Double(number)
      case (.stringOfInt, let number as Int): return String(number)
      default: return old
      }
    case .cases(let cases, let type, let fallback):
      guard let old else { return fallback }
      var converter = EventValueConverter()
      let value = converter.convert(any: old)
      let result = cases.first { $0.value == value }?.result
      // What Swift's own type holds is of that type.
      if let type, let result, result.typeName != type.rawValue { return "not a \(type): \(result)" }
      return result
    case .rule(let rule):
      return GeneratedConversion(type: rule?.type, values: rule?.table, default: rule?.fallback)(old)
    }
  }

  private static func write(_ value: any Sendable, _ target: KeyPathPattern, into tree: inout [String: any Sendable]) {
    let keys = target.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
    write(value, keys[...], into: &tree)
  }

  private static func write(_ value: any Sendable, _ keys: ArraySlice<String>, into tree: inout [String: any Sendable])
  {
    guard let key = keys.first else { return }
    if keys.count == 1 {
      tree[key] = value
    } else {
      var inner = tree[key] as? [String: any Sendable] ?? [:]
      write(value, keys.dropFirst(), into: &inner)
      tree[key] = inner
    }
  }
}
