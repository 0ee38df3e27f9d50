import DualSendCore

@testable import DualSendRollout

/// Small random documents with sinks, over so few contexts that each can be tried with each bucket.
struct RandomSinkRollout {
  static let events = ["a", "ab", "b"]
  static let platforms: [String?] = [nil, "iOS"]
  static let contexts = platforms.map { DecisionContext(platform: $0) }
  /// No two of them differ by a few buckets, which a plan would search examples in for long.
  private static let shares = ["0", "25", "50", "75", "100", "33.333", "true", "false", "99"]

  private var random: SplitMix64

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(seed))
  }

  /// A document of format 2 that allows neither sink everywhere; it names one or two sinks of the new side, and perhaps one of the old.
  mutating func document(salt: String = UnitTable.salt) throws -> RolloutDocument {
    let new = chance(1, 2) ? ["amplitude", "file"] : ["amplitude"]
    let old = chance(1, 2) ? ["console"] : []
    let rules = (0..<Int.random(in: 0...4, using: &random)).map { _ in rule(old, new) }
    let text = #"""
      {"formatVersion": 2, "revision": 1, "salt": "\#(salt)", "missingUnit": "\#(pick(["old", "new", "both"]))",
      "allowNeither": true,
      "shouldSendLogToOldLogger": \#(share()), "shouldSendLogToNewTracker": \#(share()),
      "sinks": \#(sinks(old, new, all: true)), "rules": [\#(rules.joined(separator: ",\n"))]}
      """#
    return try RolloutDocument(reading: text.utf8)
  }

  private mutating func rule(_ old: [String], _ new: [String]) -> String {
    var match: [String] = []
    if chance(1, 2) { match.append(#""events": ["\#(pick(["a", "a*", "ab", "b"]))"]"#) }
    if chance(1, 3) { match.append(#""platform": ["iOS"]"#) }
    if chance(1, 5) { match.append(#""unitIDs": ["\#(pick(["qa-1", "qa-2"]))"]"#) }
    var members = [#""match": {\#(match.joined(separator: ", "))}"#, #""allowNeither": true"#]
    if chance(1, 3) { members.append(#""shouldSendLogToOldLogger": \#(share())"#) }
    if chance(1, 3) { members.append(#""shouldSendLogToNewTracker": \#(share())"#) }
    if chance(2, 3) { members.append(#""sinks": \#(sinks(old, new, all: false))"#) }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func sinks(_ old: [String], _ new: [String], all: Bool) -> String {
    var sides: [String] = []
    for (side, ids) in [("old", old), ("new", new)] {
      let entries = ids.filter { _ in all || chance(1, 2) }.map { "\"\($0)\": \(share())" }
      sides.append("\"\(side)\": {\(entries.joined(separator: ", "))}")
    }
    return "{\(sides.joined(separator: ", "))}"
  }

  private mutating func share() -> String {
    chance(1, 8)
      ? #"{"schedule": [{"from": "1970-01-01T00:00:01Z", "percentage": 50}]}"#
      : pick(Self.shares)
  }

  private mutating func chance(_ wins: Int, _ of: Int) -> Bool {
    Int.random(in: 0..<of, using: &random) < wins
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int.random(in: 0..<words.count, using: &random)]
  }
}
