import DualSendCodeGeneration
import DualSendCore
import DualSendRemapping
import Foundation

/// Makes specifications of one event `e`, tables and parameters from so few keys that they meet all the time.
struct RandomEvents {
  private var generator: SplitMix64

  private let keys = ["a", "b", "c", "d"]

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func event() -> EventSpecification.Event {
    let parameters = keys.filter { _ in chance(0.7) }.map { key in
      let type = ParameterType(pick(ParameterType.Element.allCases), isArray: chance(0.15))
      var values: [EventValue] = []
      if chance(0.5), type.element == .string { values = ["1", "x", "true"] }
      if chance(0.5), type.element == .int { values = [0, 1, 7] }
      return EventSpecification.Parameter(key: key, type: type, isNullable: chance(0.4), values: values)
    }
    return EventSpecification.Event(name: "e", parameters: parameters)
  }

  /// A table that reading accepts; candidates that are refused are thrown away.
  mutating func table() -> RemappingTable {
    while true {
      var entries: [String: EventValue] = [:]
      if chance(0.3) { entries["*"] = .object(entry()) }
      if chance(0.9) { entries["e"] = .object(entry()) }
      let document: EventValue = ["formatVersion": 1, "events": .object(entries)]
      if let table = try? RemappingTable(document.canonicalJSON) { return table }
    }
  }

  mutating func parameters(of event: EventSpecification.Event) -> [String: any Sendable] {
    var parameters: [String: any Sendable] = [:]
    for parameter in event.parameters where !parameter.isNullable || chance(0.6) {
      parameters[parameter.key] =
        parameter.type.isArray
        ? (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(of: parameter) } as [any Sendable]
        : value(of: parameter)
    }
    return parameters
  }

  private mutating func entry() -> [String: EventValue] {
    var rows: [String: EventValue] = [:]
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      let source = chance(0.85) ? pick(keys) : path()
      rows[source] = row()
    }
    var entry: [String: EventValue] = ["parameters": .object(rows)]
    if chance(0.3) { entry["add"] = [path(): [7, "x"]] }
    if chance(0.3) { entry["onClash"] = .string(pick(["mapped", "payload"])) }
    if chance(0.3) { entry["unmapped"] = .string(pick(["drop", "report"])) }
    return entry
  }

  private mutating func row() -> EventValue {
    if chance(0.1) { return nil }
    var row: [String: EventValue] = ["to": .string(path())]
    if chance(0.6) { row["type"] = .string(pick(["string", "int", "double", "bool"])) }
    if chance(0.4) {
      row["values"] = pick([["1": 2, "x": 3], ["true": 9, "1": 8], ["x": nil], ["0": 5, "1": 5, "7": 5]])
    }
    if chance(0.4) { row["default"] = pick([0, "d", .double(1.5), true] as [EventValue]) }
    return .object(row)
  }

  private mutating func path() -> String {
    (0..<(chance(0.7) ? 1 : 2)).map { _ in pick(keys + ["n", "m", "o", "p"]) }.joined(separator: ".")
  }

  private mutating func value(of parameter: EventSpecification.Parameter) -> any Sendable {
    if !parameter.values.isEmpty {
      switch pick(parameter.values) {
      case .int(let number): return Int(number)
      case .string(let text): return text
      default: return 0
      }
    }
    switch parameter.type.element {
    case .string: return pick(["", "x", "1", "true", "12.5", "é"])
    case .int: return pick([0, 1, -3, Int.max])
    case .double: return pick([0.0, 1, -2.5, 1e300, Double.nan, Double.infinity])
    case .bool: return chance(0.5)
    case .date: return pick([Date(timeIntervalSince1970: 1.25), Date(timeIntervalSince1970: 1e15)])
    case .object: return EventValue.object(chance(0.5) ? [:] : ["a": 1, "x": ["y": [1, nil]]])
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < probability
  }
}
