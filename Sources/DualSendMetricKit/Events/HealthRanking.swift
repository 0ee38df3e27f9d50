/// Orders the events of one delivery, and chooses those that are sent.
///
/// All events of a higher priority come before all of a lower one. Among those of one priority the topics take turns,
/// in the order of ``HealthTopic``: the first event of each, then the second of each, and so on. A topic with many
/// events, such as crashes in a loop, so takes no other topic's place. A topic's own events keep the order of the
/// payloads. The same events always give the same choice.
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

  /// How many events of each kind there are.
  var counts: HealthBudget.Counts {
    let diagnostics = events.count { $0.topic.isDiagnostic }
    return HealthBudget.Counts(diagnostics: diagnostics, metrics: events.count - diagnostics)
  }

  /// - Returns: the first events of each kind, as many as have a place, and how many of each topic have none.
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
