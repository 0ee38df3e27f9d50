/// Events by the revision in the decision that they carry: which revisions the apps of a fleet have.
package struct RevisionTally: Sendable, Hashable {
  /// The most revisions. Events of further ones are counted together.
  private static let maximumRevisions = 10_000
  /// The most revisions that ``description`` names.
  private static let maximumNamed = 5

  /// By revision; `nil` for apps without a document.
  package private(set) var counts: [Int64?: Int] = [:]
  /// Events of further revisions.
  package private(set) var others = 0

  package init() {}

  init(counts: [Int64?: Int], others: Int) {
    (self.counts, self.others) = (counts, others)
  }

  package var total: Int { counts.values.reduce(others, +) }

  /// The counts, those of the newest revision first.
  var newest: [(revision: Int64?, events: Int)] {
    counts.sorted { ($0.key ?? .min) > ($1.key ?? .min) }.map { ($0.key, $0.value) }
  }

  package mutating func add(_ revision: Int64?, events: Int = 1) {
    if counts[revision] == nil, counts.count >= Self.maximumRevisions { return others += events }
    counts[revision, default: 0] += events
  }

  mutating func merge(_ other: RevisionTally) {
    for (revision, events) in other.newest { add(revision, events: events) }
    others += other.others
  }
}

extension RevisionTally: CustomStringConvertible {
  /// The newest revisions with their shares: `12: 81.95%, 11: 18.05%`.
  package var description: String {
    let rest = newest.dropFirst(Self.maximumNamed).reduce(others) { $0 + $1.events }
    let named = newest.prefix(Self.maximumNamed).map { ($0.revision.map(String.init) ?? "no document", $0.events) }
    return (named + (rest > 0 ? [("others", rest)] : []))
      .map { "\($0.0): \(ShareText($0.1, of: total, decimals: 2))" }.joined(separator: ", ")
  }
}
