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
  /// Whether each place allows neither sink; `nil` for random permissions.
  private var permission: Bool?

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(seed))
    leftOut = seed % 3
  }

  /// A document whose permissions for neither sink are random, so that it may be refused.
  mutating func document(salt: String = UnitTable.salt) throws -> RolloutDocument {
    try Self.document(topLevel(), rules(), salt: salt)
  }

  /// A document that allows neither sink everywhere, so that it is never refused.
  mutating func retiringDocument() throws -> RolloutDocument {
    permission = true
    defer { permission = nil }
    return try Self.document(topLevel(), rules(), salt: UnitTable.salt)
  }

  /// A document, and one that differs from it by one rule and perhaps by its top level.
  mutating func edit() throws -> (before: RolloutDocument, after: RolloutDocument) {
    var (top, rules) = (topLevel(), rules())
    let before = try Self.document(top, rules, salt: UnitTable.salt)
    if chance(1, 2) { top = topLevel() }
    let position = Int.random(in: 0...rules.count, using: &random)
    if position < rules.count, chance(2, 3) { rules.remove(at: position) }
    if chance(2, 3) { rules.insert(rule(), at: position) }
    return (before, try Self.document(top, rules, salt: UnitTable.salt))
  }

  /// The text of a document whose permissions for neither sink are random.
  mutating func text() -> String {
    Self.text(topLevel(), rules(), salt: UnitTable.salt)
  }

  /// One or two patterns for events.
  mutating func someEvents() -> [EventPattern] {
    [pick(Self.patterns), pick(Self.patterns)].prefix(Int.random(in: 1...2, using: &random)).compactMap(
      EventPattern.init)
  }

  private static func text(_ topLevel: String, _ rules: [String], salt: String) -> String {
    documentText(topLevel + #", "rules": [\#(rules.joined(separator: ",\n"))]"#, salt: salt)
  }

  private static func document(_ topLevel: String, _ rules: [String], salt: String) throws -> RolloutDocument {
    try RolloutDocument(reading: text(topLevel, rules, salt: salt).utf8)
  }

  private mutating func topLevel() -> String {
    #"""
    "missingUnit": "\#(pick(["old", "new", "both"]))", "allowNeither": \#(permission ?? chance(1, 4)),
    "shouldSendLogToOldLogger": \#(share()), "shouldSendLogToNewTracker": \#(share())
    """#
  }

  private mutating func rules() -> [String] {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in rule() }
  }

  private mutating func rule() -> String {
    var match: [String] = []
    if chance(1, 2) { match.append(#""events": ["\#(pick(Self.patterns))", "\#(pick(Self.patterns))"]"#) }
    if leftOut != 0, chance(1, 2) { match.append(#""appVersion": "\#(pick(Self.comparisons))""#) }
    if leftOut != 1, chance(1, 2) { match.append(#""platform": ["\#(pick(["iOS", "tvOS"]))"]"#) }
    if leftOut != 2, chance(1, 2) { match.append(#""attributes": {"country": ["\#(pick(["JP", "DE"]))"]}"#) }
    if chance(1, 4) { match.append(#""unitIDs": ["\#(pick(["qa-1", "qa-2"]))"]"#) }
    let allowsNeither = permission ?? chance(1, 4)
    var members = [#""match": {\#(match.joined(separator: ", "))}"#, #""allowNeither": \#(allowsNeither)"#]
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
