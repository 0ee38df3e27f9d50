import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// Finds what the rules of a document ask for and a sample of traffic has none of: most likely it is misspelt.
///
/// Of a list of which something else matches, only entries are reported that are close to a word that was seen.
struct UnseenRules {
  private static let maximumFindings = 20
  /// How often a near word is searched for, and among how many words at most: documents and files may be huge.
  private static let maximumSearches = 200
  private static let maximumCandidates = 5_000

  private let document: RolloutDocument
  private let name: String
  private let traffic: TrafficSample
  private let places: EntryPlaces
  private let names: SeenNames
  private var searches = 0
  private var kept: [DocumentDiagnostic] = []
  private var more = 0

  /// Warnings; at most a few, and one that counts the others.
  ///
  /// - Parameters:
  ///   - bytes: what the document was read from.
  ///   - name: what findings call it.
  static func findings(
    in document: RolloutDocument, _ bytes: [UInt8], name: String, _ traffic: TrafficSample
  ) -> [DocumentDiagnostic] {
    var search = UnseenRules(document, bytes, name: name, traffic)
    for (index, rule) in document.rules.enumerated() { search.check(rule.match, ofRule: index) }
    guard search.more > 0 else { return search.kept }
    return search.kept + [
      DocumentDiagnostic(
        .warning, .moreFindings, "and \(search.more.grouped) more that match nothing in the events", file: name)
    ]
  }

  private init(_ document: RolloutDocument, _ bytes: [UInt8], name: String, _ traffic: TrafficSample) {
    self.document = document
    self.name = name
    self.traffic = traffic
    places = EntryPlaces(bytes)
    names = SeenNames(traffic.events)
  }

  private mutating func check(_ match: RolloutMatch, ofRule rule: Int) {
    if traffic.events.isTelling, let patterns = match.events {
      let place = Place(rule: rule, keys: ["events"])
      let unseen = patterns.enumerated().filter { !names.contain($0.element) }
      for (index, pattern) in unseen {
        let near = maySearch() ? names.nearest(to: pattern, among: Self.maximumCandidates) : nil
        guard unseen.count == patterns.count || near != nil else { continue }
        report(
          .unseenEvents, "`\(pattern)` matches none of the \(names.count.counted("event name")) in the events",
          at: place.entry(index), near: near)
      }
    }
    for condition in match.conditions {
      switch (condition.key, condition.test) {
      case (_, .version(let condition)): check(condition, ofRule: rule)
      case (.property(.unitID), .anyOf): break
      case (.property(let property), .anyOf(let texts)):
        guard let seen = traffic.values[condition.key] else { break }
        check(texts, among: seen, property.words, at: Place(rule: rule, keys: [property.rawValue]))
      case (.attribute(let key), .anyOf(let texts)): check(texts, ofAttribute: key, ofRule: rule)
      }
    }
  }

  private mutating func check(_ condition: VersionCondition, ofRule rule: Int) {
    guard let newest = traffic.versions.max(), let oldest = traffic.versions.min(),
      !traffic.versions.contains(where: condition.holds)
    else { return }
    report(
      .unseenContext, "`\(condition)` holds for none of the app versions in the events, \(oldest) to \(newest)",
      at: Place(rule: rule, keys: ["appVersion"]))
  }

  private mutating func check(_ texts: [String], ofAttribute key: String, ofRule rule: Int) {
    let place = Place(rule: rule, keys: ["attributes", key])
    if let seen = traffic.values[.attribute(key)] { return check(texts, among: seen, "`\(key)`", at: place) }
    let known = traffic.values.keys.compactMap { if case .attribute(let key) = $0 { key } else { nil } }.sorted()
    guard !known.isEmpty else { return }
    let near = maySearch() ? nearestWord(to: key, among: known) : nil
    report(.unseenContext, "no event has an attribute `\(key)`", at: place, near: near)
  }

  private mutating func check(
    _ entries: [String], among seen: TrafficSample.Texts, _ kind: String, at place: Place
  ) {
    guard seen.isTelling else { return }
    let unseen = entries.enumerated().filter { !seen.all.contains(ExactText($0.element)) }
    if unseen.isEmpty { return }
    let words = seen.all.map(\.text).sorted().prefix(Self.maximumCandidates)
    for (index, entry) in unseen {
      let near = maySearch() ? nearestWord(to: entry, among: words) : nil
      guard unseen.count == entries.count || near != nil else { continue }
      report(.unseenContext, "no event has the \(kind) `\(entry)`", at: place.entry(index), near: near)
    }
  }

  private mutating func maySearch() -> Bool {
    searches += 1
    return kept.count < Self.maximumFindings && searches <= Self.maximumSearches
  }

  private mutating func report(
    _ code: DocumentDiagnostic.Code, _ message: String, at place: Place, near: String? = nil
  ) {
    let finding = DocumentDiagnostic(
      .warning, code, message, file: name, position: places.position(place), path: place.path,
      notes: ["\(document.name(of: .rule(place.rule))) asks for it"],
      help: near.map { "did you mean `\($0)`?" } ?? "correct it, or leave it if such events are yet to come")
    guard !document.allowances.contains(where: { $0.covers(finding) }) else { return }
    if kept.count < Self.maximumFindings { kept.append(finding) } else { more += 1 }
  }

  /// A condition of a rule, or one entry of it.
  struct Place {
    let rule: Int
    /// The path inside the rule's `match`.
    let keys: [String]
    var index: Int?

    func entry(_ index: Int) -> Place { Place(rule: rule, keys: keys, index: index) }

    var path: EventPath {
      let condition = (["match"] + keys).reduce(EventPath().appending("rules").appending(rule)) { $0.appending($1) }
      return index.map { condition.appending($0) } ?? condition
    }
  }
}
