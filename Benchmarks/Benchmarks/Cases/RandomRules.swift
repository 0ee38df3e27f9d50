import DualSend

/// Rollout documents of 500 random rules over event, version, platform and country that have nothing in common but the
/// values that they ask for. A rule names up to 50 events, so that each event has hundreds of rules: the hard case.
struct RandomRules {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func document(revision: Int) throws -> RolloutDocument {
    let rules = (0..<500).map { _ in rule() }
    let text = """
      {"formatVersion": 1, "revision": \(revision), "salt": "tracker-2025", "shouldSendLogToNewTracker": 5,
      "rules": [\(rules.joined(separator: ",\n"))]}
      """
    return try RolloutDocument(reading: text.utf8)
  }

  private mutating func rule() -> String {
    let events = list(upTo: 50) { "screen\($0.number(below: 50))." + ($0.number(below: 4) == 0 ? "tap" : "*") }
    let platforms = list(upTo: 2) { ["iOS", "tvOS", "macOS", "watchOS"][$0.number(below: 4)] }
    let countries = list(upTo: 4) { "c\($0.number(below: 20))" }
    let version = generator.number(below: 6)
    return """
      {"match": {"events": \(events), "appVersion": ">=2\(version).\(generator.number(below: 10)) <\(21 + version)",
      "platform": \(platforms), "attributes": {"country": \(countries)}},
      "shouldSendLogToNewTracker": \(5 + generator.number(below: 96)), "shouldSendLogToOldLogger": \
      \(95 + generator.number(below: 6))}
      """
  }

  /// A JSON list of different texts.
  private mutating func list(upTo limit: Int, _ text: (inout SeededGenerator) -> String) -> String {
    let count = 1 + generator.number(below: limit)
    let texts = Set((0..<count).map { _ in text(&generator) })
    return "[" + texts.sorted().map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }
}
