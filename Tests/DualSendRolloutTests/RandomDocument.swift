import DualSendCore

@testable import DualSendRollout

/// Random documents without schedules, and what to decide by them.
struct RandomDocument {
  static let events = ["", "a", "ab", "abc", "abü", "abé", "b", "home.tap", "home.tap.2", "c"]
  static let contexts: [DecisionContext] = [nil, "1.9", "2", "2.0.1", "3"].flatMap { version in
    [nil, "iOS", "tvOS"].flatMap { platform in
      [nil, "JP", "Österreich"].flatMap { country in
        [nil, "qa-1", "u-1", "u-2", "u-3"].map { unit in
          DecisionContext(
            unitID: unit, appVersion: version.flatMap(DecisionContext.AppVersion.init), platform: platform,
            locale: platform, country: platform, attributes: country.map { ["country": $0] } ?? [:])
        }
      }
    }
  }

  private var random: SplitMix64

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(seed))
  }

  mutating func document() throws -> RolloutDocument {
    return try RolloutDocument(reading: text().utf8)
  }

  private mutating func text() -> String {
    let rules = (0..<Int.random(in: 0...8, using: &random)).map { _ in rule() }
    return documentText(
      #"""
      "missingUnit": "\#(pick(["old", "new", "both"]))", "shouldSendLogToNewTracker": \#(pick(["0", "40", "100"])),
      "rules": [\#(rules.joined(separator: ",\n"))]
      """#, salt: pick(["test", "Ω salt"]))
  }

  private mutating func rule() -> String {
    var match: [String] = []
    if chance(3) {
      match.append(#""events": ["\#(pick(["a", "ab*", "abü", "*"]))", "\#(pick(["home.*", "b", "abé"]))"]"#)
    }
    if chance(2) { match.append(#""appVersion": "\#(pick([">=2", ">1 <=2.0.1", "==2", "<18446744073709551615"]))""#) }
    for property in ContextProperty.ofApp.filter({ $0 != .appVersion }) where chance(1) {
      match.append(#""\#(property.rawValue)": ["\#(pick(["iOS", "tvOS"]))", "a text that is longer than others"]"#)
    }
    if chance(2) { match.append(#""attributes": {"country": ["\#(pick(["JP", "Österreich"]))"]}"#) }
    if chance(1) { match.append(#""unitIDs": ["\#(pick(["qa-1", "u-1"]))", "qa-2", "qa-3"]"#) }
    var members = [#""match": {\#(match.joined(separator: ", "))}"#]
    if chance(3) { members.append(#""shouldSendLogToOldLogger": \#(pick(["0", "60", "100"]))"#) }
    if chance(3) { members.append(#""shouldSendLogToNewTracker": \#(pick(["0", "33.333", "100"]))"#) }
    return "{\(members.joined(separator: ", "))}"
  }

  /// True in so many of four cases.
  private mutating func chance(_ wins: Int) -> Bool {
    Int.random(in: 0..<4, using: &random) < wins
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int.random(in: 0..<words.count, using: &random)]
  }
}
