import DualSendRollout

/// The group whose pattern is the closest to a name among all patterns of the documents, as the formats reads them.
func closest<Group>(
  _ groups: [Group], _ patterns: (Group) -> [EventPattern], to event: String, or documents: [RolloutDocument] = []
) -> Group? {
  func rank(_ pattern: EventPattern) -> Int {
    switch pattern {
    case .exact(let text): 1000 + text.utf8.count
    case .prefix(let text): text.utf8.count
    }
  }
  let written = documents.flatMap { $0.rules.flatMap { $0.match.events ?? [] } }
  let candidates = written + groups.flatMap(patterns) + [.prefix("")]
  guard let best = candidates.filter({ $0.matches(event) }).max(by: { rank($0) < rank($1) }) else { return nil }
  return groups.first { patterns($0).contains(best) }
}
