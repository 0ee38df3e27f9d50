package import DualSendCore
package import DualSendRemapping
import DualSendTables

/// A draft of a remapping table.
package struct TableDraft: Sendable {
  /// The events, sorted by old name.
  package private(set) var events: [DraftedEvent]

  package init(_ events: [DraftedEvent]) {
    self.events = events.sorted { String.byteOrder($0.name, $1.name) }
  }

  /// Learns from a sample. Conflicting claims become open questions.
  package init(_ sample: PairSample, confidence: DraftConfidence) {
    self.init(
      sample.events.map { name, pairs in
        Self.learned(name.text, pairs.learned, confidence).checked(on: pairs.learned, confidence)
      })
  }

  /// The table without comments.
  ///
  /// - Throws: the findings about the table.
  package func table() throws(DocumentError) -> RemappingTable {
    try RemappingTable(json(commented: false).canonicalJSON)
  }

  /// The table as JSON. With comments, each entry has its evidence and open questions under `//`.
  package func json(commented: Bool = true) -> EventValue {
    var entries: [String: EventValue] = [:]
    for event in events where entries.index(forKey: event.name) == nil && event.canBeNamed {
      entries[event.name] = event.json(commented: commented)
    }
    return ["formatVersion": 1, "events": .object(entries)]
  }

  /// The table as indented JSON.
  package func text() -> String {
    IndentedJSON.text(json(), lineLength: 100, firstKeys: Self.firstKeys)
  }

  /// The order of keys in a table.
  package static let firstKeys = [
    "//", "formatVersion", "events", "name", "to", "type", "values", "default", "parameters", "add", "unmapped",
  ]

  /// The events that cannot have an entry, because their name is a comment's key, empty, or ends in `*`.
  package var unnamable: [String] { events.filter { !$0.canBeNamed }.map(\.name) }

  private static func learned(
    _ name: String, _ pairs: [PairSample.Pair], _ confidence: DraftConfidence
  ) -> DraftedEvent {
    var event = DraftedEvent(name: name)
    let names = pairs.reduce(into: [ExactText: Int]()) { $0[ExactText($1.newName), default: 0] += 1 }
    let ranked = names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard let (newName, count) = ranked.first.map({ ($0.key, $0.value) }) else { return event }
    guard confidence.accepts(contradicting: pairs.count - count, of: pairs.count) else {
      let candidates = ranked.prefix(5).map { "`\($0.key)` in \($0.value)" }.joined(separator: ", ")
      event.open.append("the new name is not sure from \(pairs.count.counted("pair")): \(candidates)")
      event.isNameOpen = true
      return event
    }
    let evidence = Evidence(pairs: pairs.count, contradicting: pairs.count - count)
    if !newName.text.isExactly(name) { (event.newName, event.nameReason) = (newName.text, evidence.text) }
    let same = pairs.filter { $0.newName.isExactly(newName.text) }
    guard let learner = EventLearner(same, confidence) else {
      event.open.append("\(same.count.counted("pair")): too few to tell what becomes of the keys")
      return event
    }
    learner.learn(into: &event)
    return event
  }
}

extension DraftedEvent {
  /// Whether a table can have an entry with this name.
  var canBeNamed: Bool { !name.isEmpty && !name.hasSuffix("*") && name != "//" && name != "_comment" }

  package func json(commented: Bool) -> EventValue {
    var members: [String: EventValue] = [:]
    if commented, !notes.isEmpty { members["//"] = .array(notes.map { .string($0) }) }
    if let newName { members["name"] = .string(newName) }
    if !rows.isEmpty { members["parameters"] = .byName(rows.map { ($0.source.description, $0.json) }) }
    if !constants.isEmpty { members["add"] = .byName(constants.map { ($0.target.description, $0.value) }) }
    return .object(members)
  }
}

extension EventValue {
  /// An object of the members. Of two canonically equivalent keys, keeps the first.
  fileprivate static func byName(_ members: [(String, EventValue)]) -> EventValue {
    .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
  }
}
