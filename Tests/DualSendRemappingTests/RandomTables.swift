import DualSendCore
import DualSendRemapping

/// SplitMix64 (Steele, Lea and Flood 2014): the same tables and payloads for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Makes tables and payloads from so few keys that rows and values meet all the time.
struct RandomTables {
  var generator: SeededGenerator
  /// Whether tables only have what can be undone: plain renames, constants, kept values, different names.
  let invertibleOnly: Bool

  private let keys = ["a", "b", "c", "d"]
  private let events = ["e", "f", "g"]

  init(seed: UInt64, invertibleOnly: Bool) {
    generator = SeededGenerator(seed: seed)
    self.invertibleOnly = invertibleOnly
  }

  /// A table that reading accepts; candidates that are refused are thrown away.
  mutating func table() -> RemappingTable {
    while true {
      let document: EventValue = ["formatVersion": 1, "events": .object(entries())]
      if let table = try? RemappingTable(reading: document.canonicalJSON) { return table }
    }
  }

  mutating func event() -> String { pick(events + ["h"]) }

  mutating func payload(depth: Int = 3) -> [String: EventValue] {
    var members: [String: EventValue] = [:]
    for key in keys where chance(0.6) { members[key] = value(depth: depth) }
    return members
  }

  private mutating func entries() -> [String: EventValue] {
    var entries: [String: EventValue] = [:]
    if chance(0.5) { entries["*"] = .object(entry(name: nil)) }
    for event in events where chance(0.7) {
      entries[event] = .object(entry(name: chance(0.4) ? pick(events + ["n"]) : nil))
    }
    return entries
  }

  private mutating func entry(name: String?) -> [String: EventValue] {
    var rows: [String: EventValue] = [:]
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let arrays = !invertibleOnly && chance(0.3) ? 1 : 0
      rows[path(arrays: arrays)] = row(arrays: arrays)
    }
    var entry: [String: EventValue] = ["parameters": .object(rows)]
    if let name { entry["name"] = .string(name) }
    if chance(0.3) { entry["add"] = [path(arrays: 0): 7] }
    if chance(0.3) { entry["onClash"] = .string(pick(["mapped", "payload"])) }
    if chance(0.3) { entry["unmapped"] = .string(pick(invertibleOnly ? ["report"] : ["drop", "report"])) }
    return entry
  }

  private mutating func row(arrays: Int) -> EventValue {
    let target = EventValue.string(path(arrays: arrays))
    if invertibleOnly || chance(0.5) { return target }
    if chance(0.2) { return nil }
    var row: [String: EventValue] = ["to": target]
    if chance(0.3) { row["or"] = [.string(path(arrays: arrays))] }
    if chance(0.5) { row["type"] = .string(pick(["string", "int", "double", "bool", "date"])) }
    if chance(0.3) { row["values"] = ["1": 2, "x": 3] }
    if chance(0.4) { row["default"] = 0 }
    return .object(row)
  }

  private mutating func path(arrays: Int) -> String {
    var path = (0..<Int.random(in: 1...3, using: &generator)).map { _ in pick(keys) }
    if arrays > 0 { path[Int.random(in: path.indices, using: &generator)] += "[]" }
    return path.joined(separator: ".")
  }

  private mutating func value(depth: Int) -> EventValue {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &generator) {
    case 0: nil
    case 1: .bool(chance(0.5))
    case 2: .int(Int64.random(in: -2...2, using: &generator))
    case 3: .double(Double.random(in: -2...2, using: &generator))
    case 4: "x"
    case 5: "12"
    case 6: .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth - 1) })
    default: .object(payload(depth: depth - 1))
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < probability
  }
}
