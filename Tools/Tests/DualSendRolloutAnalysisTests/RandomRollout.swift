import DualSendCore

@testable import DualSendRollout

/// Small random documents over few names and values, so that every context can be tried.
struct RandomRollout {
  static let events = ["", "a", "ab", "abc", "b", "c"]
  private static let patterns = ["a", "ab", "a*", "ab*", "b*", "*"]
  private static let comparisons = [">=1", ">1", "<2", "<=2", "==2", ">=2 <3", "<1"]
  private static let shares = ["0", "25", "50", "75", "100", "33.333", "66.667", "true", "false", "99"]

  private var random: SplitMix64
  /// The one kind of condition that this generator leaves out, so that fewer contexts need trying.
  private let leftOut: Int

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(seed))
    leftOut = seed % 3
  }

  /// A document, proved or not.
  mutating func document(salt: String = UnitTable.salt) throws -> RolloutDocument {
    let rules = (0..<Int.random(in: 0...5, using: &random)).map { _ in rule() }
    let text = documentText(
      #"""
      "missingUnit": "\#(pick(["old", "new", "both"]))", "allowNeither": \#(chance(1, 4)),
      "shouldSendLogToOldLogger": \#(share()), "shouldSendLogToNewTracker": \#(share()),
      "rules": [\#(rules.joined(separator: ",\n"))]
      """#, salt: salt)
    var reader = try RolloutDocumentReader(Array(text.utf8), name: nil)
    return try reader.unproved()
  }

  private mutating func rule() -> String {
    var match: [String] = []
    if chance(1, 2) { match.append(#""events": ["\#(pick(Self.patterns))", "\#(pick(Self.patterns))"]"#) }
    if leftOut != 0, chance(1, 2) { match.append(#""appVersion": "\#(pick(Self.comparisons))""#) }
    if leftOut != 1, chance(1, 2) { match.append(#""platform": ["\#(pick(["iOS", "tvOS"]))"]"#) }
    if leftOut != 2, chance(1, 2) { match.append(#""attributes": {"country": ["\#(pick(["JP", "DE"]))"]}"#) }
    if chance(1, 4) { match.append(#""unitIDs": ["\#(pick(["qa-1", "qa-2"]))"]"#) }
    var members = [#""match": {\#(match.joined(separator: ", "))}"#, #""allowNeither": \#(chance(1, 4))"#]
    if chance(2, 3) { members.append(#""shouldSendLogToOldLogger": \#(share())"#) }
    if chance(2, 3) { members.append(#""shouldSendLogToNewTracker": \#(share())"#) }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func share() -> String {
    chance(1, 8)
      ? #"{"schedule": [{"from": "1970-01-01T00:00:01Z", "percentage": 50}, {"from": "1970-01-01T00:00:02Z", "percentage": 25}]}"#
      : pick(Self.shares)
  }

  private mutating func chance(_ wins: Int, _ of: Int) -> Bool {
    Int.random(in: 0..<of, using: &random) < wins
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int.random(in: 0..<words.count, using: &random)]
  }

  /// Every context that documents of this kind can tell apart, and a few that they cannot; without a unit.
  static func contexts(for documents: [RolloutDocument]) -> [DecisionContext] {
    let matches = documents.flatMap { $0.rules.map(\.match) }
    let versions: [String?] =
      matches.contains { $0.appVersion != nil } ? [nil, "0", "0.5", "1", "1.5", "2", "2.0.1", "3", "4"] : [nil, "1"]
    let platforms: [String?] =
      matches.contains { $0[.property(.platform)] != nil } ? [nil, "iOS", "tvOS", "macOS"] : [nil]
    let countries: [String?] = matches.contains { $0[.attribute("country")] != nil } ? [nil, "JP", "DE", "FR"] : [nil]
    return versions.flatMap { version in
      platforms.flatMap { platform in
        countries.map { country in
          DecisionContext(
            appVersion: version.flatMap(DecisionContext.AppVersion.init), platform: platform,
            attributes: country.map { ["country": $0] } ?? [:])
        }
      }
    }
  }
}
