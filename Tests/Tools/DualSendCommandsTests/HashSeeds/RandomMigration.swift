import DualSend
import DualSendCore

/// Random tables, events and rollouts over so few keys that rows, defaults, constants and values meet all the time.
struct RandomMigration {
  private static let keys = ["a", "b", "c", "d", "\u{E9}", "e\u{301}", "K", "\u{212A}"]
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// A table of so many events `e0`, `e1`, … that reading accepts.
  mutating func table(events: Int) -> EventValue {
    var entries: [String: EventValue] = ["*": accepted(beside: [:])]
    for number in 0..<events {
      let entry = accepted(beside: entries.filter { $0.key == "*" })
      entries["e\(number)"] = entry
    }
    return ["formatVersion": 1, "events": .object(entries)]
  }

  /// The table of the default that meets a value which another row replaces.
  static let meetingTable: EventValue = [
    "formatVersion": 1,
    "events": ["e": ["parameters": ["x": "a.b", "p.q": ["to": "a.c", "default": 9]]]],
  ]

  mutating func payload(depth: Int = 3) -> [String: EventValue] {
    var members: [String: EventValue] = [:]
    for key in Self.keys where chance(0.5) && members[key] == nil { members[key] = value(depth: depth) }
    return members
  }

  mutating func rollout(revision: Int64) -> EventValue {
    let rules = (0..<12).map { _ -> EventValue in
      var match: [String: EventValue] = [:]
      match["events"] = [.string(pick(["e1", "e2*", "e*", "*", "e\u{301}", "\u{E9}"])), "e7"]
      if chance(0.5) { match["attributes"] = ["country": [.string(pick(["JP", "DE"]))], "tier": ["a", "b"]] }
      if chance(0.4) { match["platform"] = [.string(pick(["iOS", "tvOS"]))] }
      if chance(0.4) { match["unitIDs"] = ["qa-2", "qa-1", "\u{E9}", "e\u{301}"] }
      return ["match": .object(match), "shouldSendLogToNewTracker": .int(Int64.random(in: 0...100, using: &random))]
    }
    return [
      "formatVersion": 1, "revision": .int(revision), "salt": "s", "shouldSendLogToNewTracker": .int(revision),
      "rules": .array(rules),
    ]
  }

  private mutating func accepted(beside others: [String: EventValue]) -> EventValue {
    while true {
      let entry = self.entry()
      var events = others
      events[others.isEmpty ? "*" : "e"] = entry
      let table: EventValue = ["formatVersion": 1, "events": .object(events)]
      if (try? RemappingTable(reading: table.canonicalJSON)) != nil { return entry }
    }
  }

  private mutating func entry() -> EventValue {
    var rows: [String: EventValue] = [:]
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let arrays = chance(0.3) ? 1 : 0
      let source = path(arrays: arrays)
      if rows[source] == nil { rows[source] = row(arrays: arrays) }
    }
    var entry: [String: EventValue] = ["parameters": .object(rows)]
    if chance(0.4) { entry["add"] = [path(arrays: 0): 7] }
    if chance(0.3) { entry["onClash"] = .string(pick(["mapped", "payload"])) }
    if chance(0.3) { entry["unmapped"] = .string(pick(["drop", "report"])) }
    return .object(entry)
  }

  private mutating func row(arrays: Int) -> EventValue {
    if chance(0.1) { return nil }
    var row: [String: EventValue] = ["to": .string(path(arrays: arrays))]
    if chance(0.3) { row["type"] = .string(pick(["string", "int", "double", "bool", "date"])) }
    if chance(0.2) { row["values"] = ["1": 2, "x": 3] }
    if chance(0.5) { row["default"] = 0 }
    return .object(row)
  }

  private mutating func path(arrays: Int) -> String {
    var path = (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(Self.keys) }
    if arrays > 0 { path[Int.random(in: path.indices, using: &random)] += "[]" }
    return path.joined(separator: ".")
  }

  private mutating func value(depth: Int) -> EventValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
    case 0: nil
    case 1: .bool(chance(0.5))
    case 2: .int(Int64.random(in: -2...2, using: &random))
    case 3: .double(1.5)
    case 4: .string(pick(["x", "12", "\u{E9}", "e\u{301}"]))
    case 5: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) })
    default: .object(payload(depth: depth - 1))
    }
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int.random(in: words.indices, using: &random)]
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }
}
