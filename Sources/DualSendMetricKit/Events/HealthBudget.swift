/// Chooses the events that are sent when there are more than may be sent.
///
/// All events of a higher priority come before all of a lower one. Among those of one priority the topics take turns,
/// in the order of ``HealthTopic``: the first event of each, then the second of each, and so on. A topic with many
/// events, such as crashes in a loop, so takes no other topic's place. A topic's own events keep the order of the
/// payloads. The same events always give the same choice.
struct HealthBudget {
  let selection: HealthSelection

  /// - Returns: what is sent, in this order, and how many of each topic are not.
  func choose(_ events: [HealthEvent], atMost limit: Int) -> (sent: [HealthEvent], leftOut: [HealthTopic: Int]) {
    var turns: [HealthTopic: Int] = [:]
    let topics = Dictionary(uniqueKeysWithValues: HealthTopic.allCases.enumerated().map { ($1, $0) })
    let ranked = events.map { event in
      let turn = turns[event.topic, default: 0]
      turns[event.topic] = turn + 1
      return (rank: (selection.priority(event.topic).rawValue, turn, topics[event.topic] ?? topics.count), event: event)
    }
    let ordered = ranked.sorted { $0.rank < $1.rank }.map(\.event)
    let sent = ordered.prefix(max(limit, 0))
    var leftOut: [HealthTopic: Int] = [:]
    for event in ordered.dropFirst(sent.count) { leftOut[event.topic, default: 0] += 1 }
    return (Array(sent), leftOut)
  }
}
