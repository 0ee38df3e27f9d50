/// Sorts the events of one delivery, and selects those to send.
///
/// Sorts by priority. Within a priority, the topics alternate in the order of ``HealthTopic``: the first event of each,
/// then the second of each, and so on. A topic with many events, such as repeated crashes, therefore does not displace
/// other topics. Events of one topic keep the order of the payloads. Deterministic.
struct HealthRanking {
  /// The events, most important first.
  let events: [HealthEvent]

  init(_ events: [HealthEvent], _ selection: HealthSelection) {
    var turns: [HealthTopic: Int] = [:]
    let topics = Dictionary(uniqueKeysWithValues: HealthTopic.allCases.enumerated().map { ($1, $0) })
    let ranked = events.map { event in
      let turn = turns[event.topic, default: 0]
      turns[event.topic] = turn + 1
      return (rank: (selection.priority(event.topic).rawValue, turn, topics[event.topic] ?? topics.count), event: event)
    }
    self.events = ranked.sorted { $0.rank < $1.rank }.map(\.event)
  }

  /// The number of events of each kind.
  var counts: HealthBudget.Counts {
    let diagnostics = events.count { $0.topic.isDiagnostic }
    return HealthBudget.Counts(diagnostics: diagnostics, metrics: events.count - diagnostics)
  }

  /// - Returns: the first events of each kind, up to the limits, and the number of omitted events by topic.
  func choose(_ places: HealthBudget.Counts) -> (sent: [HealthEvent], leftOut: [HealthTopic: Int]) {
    var (free, sent, leftOut) = (places, [HealthEvent](), [HealthTopic: Int]())
    for event in events {
      let kind = event.topic.isDiagnostic ? \HealthBudget.Counts.diagnostics : \.metrics
      if free[keyPath: kind] > 0 {
        free[keyPath: kind] -= 1
        sent.append(event)
      } else {
        leftOut[event.topic, default: 0] += 1
      }
    }
    return (sent, leftOut)
  }
}
