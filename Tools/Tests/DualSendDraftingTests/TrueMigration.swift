import DualSend
import DualSendCore
import DualSendParity
import DualSendRemapping

@testable import DualSendDrafting

/// A migration that is known: a random table, and random events that go through it.
struct TrueMigration {
  /// What the values of an old key look like.
  private enum Values: CaseIterable {
    case id, number, digits, color, flag, fraction
  }

  private struct Key {
    let path: String
    let values: Values
    /// Whether it is missing now and then.
    let isOptional: Bool
  }

  private var random: SplitMix64
  private var keys: [Key] = []
  /// The rows, by source, as the table has them.
  private(set) var rows: [String: EventValue] = [:]
  let constants: [String: EventValue] = ["schema": 7, "origin.app": "sample"]
  let newName = "new.tap"

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let paths = ["a", "b", "c.d", "c.e", "f", "g.h.i", "j", "lines[].sku", "lines[].count", "k", "l", "m"]
    for (index, path) in paths.enumerated() {
      let values = Values.allCases.randomElement(using: &random) ?? .id
      let hasDefault = !path.contains("[]") && values != .flag && Int.random(in: 0..<4, using: &random) == 0
      keys.append(Key(path: path, values: values, isOptional: hasDefault))
      rows[path] = row(path, values, index: index, hasDefault: hasDefault)
    }
    rows = rows.filter { $0.value != .string($0.key) }
  }

  /// A random fate; the path itself stands for no row.
  private mutating func row(_ path: String, _ values: Values, index: Int, hasDefault: Bool) -> EventValue {
    let target = path.contains("[]") ? "items[].new_\(index)" : ["new_\(index)", "n.new_\(index)"][index % 2]
    var members: [String: EventValue] = ["to": .string(target)]
    switch (Int.random(in: 0..<4, using: &random), values) {
    case (0, _) where !hasDefault: return .string(path)
    case (1, _) where !hasDefault: return .null
    case (2, .digits): members["type"] = "int"
    case (2, .number): members["type"] = "string"
    case (2, .color), (3, .color): members["values"] = ["red": 3, "green": 1, "blue": 2]
    default: break
    }
    if hasDefault { members["default"] = members["values"] != nil || members["type"] == "int" ? 99 : "none" }
    return members.count == 1 ? .string(target) : .object(members)
  }

  /// Whether a drafted row says what the table says: the same row, or dropping a container all of which is dropped.
  func isTrue(_ row: DraftedEvent.Row) -> Bool {
    let source = row.source.description
    if rows[source] == row.json { return true }
    let inside = keys.map(\.path).filter { $0.hasPrefix(source + ".") || $0.hasPrefix(source + "[]") }
    return row.target == nil && !inside.isEmpty && inside.allSatisfy { rows[$0] == .null }
  }

  var table: RemappingTable {
    get throws {
      let entry: EventValue = ["name": .string(newName), "parameters": .object(rows), "add": .object(constants)]
      return try RemappingTable(EventValue.object(["formatVersion": 1, "events": ["tap": entry]]).canonicalJSON)
    }
  }

  /// Pairs of the migration.
  ///
  /// - Parameter noise: the share of new payloads in which one field is something else.
  mutating func pairs(_ count: Int, noise: Double = 0) throws -> [StreamPairs.Pair] {
    let table = try table
    return (0..<count).map { _ in
      let payload = payload()
      let remapped = table.apply(to: "tap", payload: payload)
      var new = remapped.payload
      if Double.random(in: 0..<1, using: &random) < noise, let key = new.keys.sorted().randomElement(using: &random) {
        new[key] = "noise"
      }
      return StreamPairs.Pair(oldName: "tap", old: payload, newName: remapped.name, new: new)
    }
  }

  private mutating func payload() -> [String: EventValue] {
    var payload: [String: EventValue] = [:]
    var lines: [[String: EventValue]] = Array(repeating: [:], count: Int.random(in: 1...3, using: &random))
    for key in keys {
      if key.isOptional, Int.random(in: 0..<3, using: &random) == 0 { continue }
      if key.path.hasPrefix("lines[].") {
        for index in lines.indices { lines[index][String(key.path.dropFirst(8))] = value(key.values) }
      } else {
        Self.set(value(key.values), at: key.path.split(separator: ".").map(String.init)[...], in: &payload)
      }
    }
    payload["lines"] = .array(lines.map { .object($0) })
    return payload
  }

  private mutating func value(_ values: Values) -> EventValue {
    switch values {
    case .id: .string("id-\(Int.random(in: 0..<1_000_000_000, using: &random))")
    case .number: .int(Int64.random(in: 2..<1_000_000_000, using: &random))
    case .digits: .string("\(Int64.random(in: 2..<1_000_000_000, using: &random))")
    case .color: .string(["red", "green", "blue"].randomElement(using: &random) ?? "red")
    case .flag: .bool(Bool.random(using: &random))
    case .fraction: .double(Double(Int.random(in: 0..<1_000_000_000, using: &random)) + 0.5)
    }
  }

  private static func set(_ value: EventValue, at path: ArraySlice<String>, in payload: inout [String: EventValue]) {
    guard let key = path.first else { return }
    if path.count == 1 {
      payload[key] = value
      return
    }
    var inner: [String: EventValue] = [:]
    if case .object(let known)? = payload[key] { inner = known }
    set(value, at: path.dropFirst(), in: &inner)
    payload[key] = .object(inner)
  }
}
