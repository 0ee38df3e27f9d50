import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// Finds rule conditions that match nothing in a sample of traffic: they are probably misspelt.
///
/// If another entry of a list matches, an entry is reported only if it is similar to a word in the sample.
struct UnseenRules {
  private static let maximumFindings = 20
  /// The limits of searches for a similar word, and of words per search: documents and files may be huge.
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

  /// A bounded number of warnings, and one that counts the others.
  ///
  /// - Parameters:
  ///   - bytes: the document's text.
  ///   - name: the document's name in findings.
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
    if traffic.events.isComplete, let patterns = match.events {
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
    guard seen.isComplete else { return }
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
      notes: ["\(document.name(of: .rule(place.rule))) requires it"],
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

/// Finds the positions of rule conditions in a rollout document's text.
struct EntryPlaces {
  private let document: JSONDocument?

  /// - Parameter bytes: the text of an accepted document; other texts have no positions.
  init(_ bytes: [UInt8]) {
    document = try? JSONReader().document(bytes)
  }

  /// The position of a rule's condition, or of one entry of it.
  func position(_ place: UnseenRules.Place) -> DocumentDiagnostic.Position? {
    guard let document, case .array(let rules)? = document.root.member("rules")?.value.content,
      rules.indices.contains(place.rule)
    else { return nil }
    var node = rules[place.rule].member("match")?.value
    for key in place.keys { node = node?.member(key)?.value }
    if let index = place.index, case .array(let entries)? = node?.content, entries.indices.contains(index) {
      node = entries[index]
    }
    return node.map { document.source.position(at: $0.offset) }
  }
}

// MARK: - Seen names

/// The event names of a sample, sorted by bytes for binary search.
struct SeenNames {
  private let names: [[UInt8]]

  init(_ texts: TrafficSample.Texts) {
    names = texts.all.map { Array($0.text.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  var count: Int { names.count }

  /// Whether a pattern matches any of the names.
  func contain(_ pattern: EventPattern) -> Bool {
    let stem = Array(pattern.stem.utf8)
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle].lexicographicallyPrecedes(stem) { low = middle + 1 } else { high = middle }
    }
    guard low < names.count else { return false }
    return pattern.isPrefix ? names[low].starts(with: stem) : names[low] == stem
  }

  /// The most similar pattern of the same form that matches something.
  ///
  /// - Parameter limit: the largest number of names to compare.
  func nearest(to pattern: EventPattern, among limit: Int) -> String? {
    let texts = names.prefix(limit).map { String(decoding: $0, as: UTF8.self) }
    let stem = pattern.stem
    guard pattern.isPrefix else { return nearestWord(to: stem, among: texts) }
    let dots = stem.count { $0 == "." }
    let stems = Set(texts.compactMap { stem.hasSuffix(".") ? $0.start(dots: dots) : $0.start(like: stem, dots: dots) })
    return nearestWord(to: stem, among: stems.sorted()).map { $0 + "*" }
  }
}

extension EventPattern {
  fileprivate var isPrefix: Bool {
    if case .prefix = self { true } else { false }
  }

  /// The name, or the prefix without `*`.
  fileprivate var stem: String {
    switch self {
    case .exact(let name): name
    case .prefix(let prefix): prefix
    }
  }
}

extension String {
  /// The text up to and including the given number of dots: `home.` of `home.tap` for one; `nil` if there are fewer.
  fileprivate func start(dots: Int) -> String? {
    let parts = split(separator: ".", maxSplits: dots, omittingEmptySubsequences: false)
    return parts.count > dots ? parts.prefix(dots).joined(separator: ".") + "." : nil
  }

  /// A prefix as long as `stem` that ends inside a word, at most to the end of that word.
  fileprivate func start(like stem: String, dots: Int) -> String? {
    let parts = split(separator: ".", maxSplits: dots + 1, omittingEmptySubsequences: false)
    guard parts.count > dots else { return nil }
    return String(parts.prefix(dots + 1).joined(separator: ".").prefix(stem.count))
  }
}
