import DualSendCore

@testable import DualSendRollout

/// A document of the format that may name sinks.
func sinkDocument(_ members: String) throws -> RolloutDocument {
  try RolloutDocument(reading: Array(sinkText(members).utf8), name: "rollout.json")
}

func sinkText(_ members: String, format: Int = 2) -> String {
  #"{"formatVersion": \#(format), "revision": 1, "salt": "test", \#(members)}"#
}

/// Small random documents that narrow three of these four sinks, with rules and schedules.
struct RandomSinkDocument {
  static let sinks = [
    RolloutSink(side: .old, id: "console"), RolloutSink(side: .new, id: "amplitude"),
    RolloutSink(side: .new, id: "file.log-1"), RolloutSink(side: .new, id: "unnamed"),
  ]
  static let events = ["", "a", "ab", "abc", "b", "c"]

  private var random: SplitMix64

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(seed))
  }

  mutating func document() throws -> RolloutDocument {
    let rules = (0..<Int.random(in: 0...6, using: &random)).map { _ in rule() }
    let text = sinkText(
      #"""
      "missingUnit": "\#(pick(["old", "new", "both"]))",
      "shouldSendLogToOldLogger": \#(pick(["0", "60", "100"])), "shouldSendLogToNewTracker": \#(pick(["0", "40", "100"])),
      "sinks": {"old": {"console": \#(share())},
        "new": {"file.log-1": \#(share()), "amplitude": \#(share())}},
      "rules": [\#(rules.joined(separator: ",\n"))]
      """#)
    return try RolloutDocument(reading: text.utf8)
  }

  private mutating func rule() -> String {
    var match: [String] = []
    if chance(2) { match.append(#""events": ["\#(pick(["a", "ab*", "b", "*"]))"]"#) }
    if chance(1) { match.append(#""platform": ["\#(pick(["iOS", "tvOS"]))"]"#) }
    if chance(1) { match.append(#""unitIDs": ["\#(pick(["qa-1", "qa-2"]))"]"#) }
    var members = [#""match": {\#(match.joined(separator: ", "))}"#]
    if chance(1) { members.append(#""shouldSendLogToNewTracker": \#(pick(["0", "33.333", "100"]))"#) }
    if chance(1) { members.append(#""shouldSendLogToOldLogger": \#(pick(["0", "50", "100"]))"#) }
    var sides: [String] = []
    if chance(2) { sides.append(#""old": {"console": \#(share())}"#) }
    if chance(2) { sides.append(#""new": {"\#(pick(["amplitude", "file.log-1"]))": \#(share())}"#) }
    if !sides.isEmpty { members.append(#""sinks": {\#(sides.joined(separator: ", "))}"#) }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func share() -> String {
    guard chance(1) else { return pick(["0", "25", "50.001", "99.999", "100", "true", "false"]) }
    return #"{"schedule": [{"from": "1970-01-01T00:00:01Z", "percentage": 10}]}"#
  }

  /// True in so many of four cases.
  private mutating func chance(_ wins: Int) -> Bool {
    Int.random(in: 0..<4, using: &random) < wins
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int.random(in: 0..<words.count, using: &random)]
  }
}
