import DualSendCore
import DualSendRemapping

/// The plan for an event's new form, derived from the remapping table without knowing values.
///
/// Exact: if the result depends on a value, the row's rule is applied at run time. If rows reach into values that the
/// specification does not describe, the whole rule is.
struct NewFormPlan {
  /// The kind of plan.
  enum Shape {
    /// Each new value comes from one parameter, or from none.
    case members([Member], constants: [Constant])
    /// The whole rule is applied at run time.
    case wholeRule
  }

  /// A new value that comes from a parameter.
  struct Member {
    /// The index of the parameter.
    let parameter: Int
    let target: KeyPathPattern
    /// How to convert the value.
    let conversion: ParameterConversion
  }

  /// A constant value of the new event.
  struct Constant {
    let target: KeyPathPattern
    let value: EventValue
  }

  let name: String
  /// The event's rule, merged with `*`.
  let rule: EventRule
  let shape: Shape
  /// The indices of the parameters without a row.
  let unmapped: [Int]

  init(_ event: EventSpecification.Event, by table: RemappingTable) {
    rule = table.rule(for: event.name)
    name = rule.name ?? event.name
    var rows: [ExactText: RemappingRow] = [:]
    for row in rule.rows { if let key = row.source.onlyKey { rows[ExactText(key)] = row } }
    let keys = Dictionary(
      event.parameters.enumerated().map { (ExactText($0.element.key), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    let touched = Set(rule.rows.compactMap { row in row.source.firstKey.flatMap { keys[$0] } })
    unmapped = event.parameters.indices.filter { !touched.contains($0) }
    shape = Self.shape(of: event, rule, rows, keys)
  }

  /// Whether a rule is applied at run time.
  var asksRules: Bool {
    guard case .members(let members, _) = shape else { return true }
    return members.contains { if case .rule = $0.conversion { true } else { false } }
  }

  /// Whether a row converts to dates.
  var holdsDates: Bool {
    rule.rows.contains { if case .move(_, let rule?) = $0.action { rule.type == .date } else { false } }
  }

  private static func shape(
    of event: EventSpecification.Event, _ rule: EventRule, _ rows: [ExactText: RemappingRow], _ keys: [ExactText: Int]
  ) -> Shape {
    var members: [Member] = []
    var constants = rule.constants.map { Constant(target: $0.target, value: $0.value) }
    // The targets of all rows and constants.
    var written = rule.constants.map(\.target)
    for row in rule.rows {
      guard case .move(let target, let valueRule) = row.action else {
        // Dropping a part of a parameter changes the parameter.
        if row.source.onlyKey == nil, row.source.firstKey.flatMap({ keys[$0] }) != nil { return .wholeRule }
        continue
      }
      guard row.source.firstKey.flatMap({ keys[$0] }) != nil else {
        // The source does not exist, so only a default is written, and inside arrays not even that.
        guard let fallback = valueRule?.fallback, !row.source.steps.contains(.eachElement) else { continue }
        constants.append(Constant(target: target, value: fallback))
        written.append(target)
        continue
      }
      guard row.source.onlyKey != nil else { return .wholeRule }
      written.append(target)
    }
    for (index, parameter) in event.parameters.enumerated() {
      guard let row = rows[ExactText(parameter.key)] else {
        guard rule.unmapped != .drop else { continue }
        // Uses Swift's `==`, because a payload cannot hold two canonically equivalent keys.
        if written.contains(where: { $0.firstKey?.text == parameter.key }) { return .wholeRule }
        members.append(Member(parameter: index, target: KeyPathPattern(key: parameter.key), conversion: .unchanged))
        continue
      }
      guard case .move(let target, let valueRule) = row.action else { continue }
      guard let conversion = ParameterConversion(of: parameter, by: valueRule, isNested: target.onlyKey == nil) else {
        return .wholeRule
      }
      members.append(Member(parameter: index, target: target, conversion: conversion))
    }
    return .members(members, constants: constants.sorted { $0.target < $1.target })
  }
}

extension KeyPathPattern {
  /// The top-level key of the path.
  var firstKey: ExactText? {
    if case .key(let key)? = steps.first { ExactText(key) } else { nil }
  }
}
