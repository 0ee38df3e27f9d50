package import DualSendCore
package import DualSendParity

/// Tells of faults in parity when they begin and when they end.
///
/// Too few pairs are no fault: a gate that was never open has not closed.
package struct ParityAlarm: Sendable {
  package enum Fault: String, Sendable, CaseIterable {
    /// At least one event is missing in a stream that should have it.
    case lost
    /// The gate refuses the event, or the streams as a whole.
    case closed
  }

  /// What a message tells of an event.
  private struct Change {
    let name: String
    let before: Set<Fault>
    let after: Set<Fault>
    let summary: String

    var json: EventValue {
      ["name": .string(name), "before": Self.words(before), "after": Self.words(after), "summary": .string(summary)]
    }

    private static func words(_ faults: Set<Fault>) -> EventValue {
      .array(Fault.allCases.filter(faults.contains).map { .string($0.rawValue) })
    }
  }

  /// The most events that a message names.
  private static let namedEvents = 20

  /// The faults that were told of, without the events that have none.
  private var told: [ExactText: Set<Fault>] = [:]
  private var toldOfStreams = false

  package init() {}

  /// Sends what has changed since the last message, if anything.
  ///
  /// - Parameters:
  ///   - source: what was compared.
  ///   - send: sends a message. If it throws, the next call sends the same again.
  package mutating func tell(
    of judgement: ParityJudgement, source: String, send: (EventValue) async throws -> Void
  ) async throws {
    var faults: [ExactText: Set<Fault>] = [:]
    var changes: [Change] = []
    for item in judgement.items {
      let name = ExactText(item.event.name)
      let (before, after) = (told[name] ?? [], Self.faults(of: item))
      if !after.isEmpty { faults[name] = after }
      guard before != after else { continue }
      changes.append(Change(name: name.text, before: before, after: after, summary: item.summary))
    }
    let streamsFail = judgement.hasTooManyMalformed || judgement.contradicting + judgement.conflicting > 0
    guard !changes.isEmpty || streamsFail != toldOfStreams else { return }
    try await send(message(changes, judgement, faults, source: source))
    (told, toldOfStreams) = (faults, streamsFail)
  }

  private static func faults(of item: ParityJudgement.Item) -> Set<Fault> {
    var faults: Set<Fault> = item.event.lost > 0 ? [.lost] : []
    if case .tooManyFailures = item.verdict { faults.insert(.closed) }
    return faults
  }

  /// Names stand only in `events`: chat services would read markup in `text`.
  private func message(
    _ changes: [Change], _ judgement: ParityJudgement, _ faults: [ExactText: Set<Fault>], source: String
  ) -> EventValue {
    func count(_ fault: Fault) -> Int { faults.values.count { $0.contains(fault) } }
    let all = judgement.items.count.counted("event")
    var text = "Parity: the gate is closed for \(count(.closed).grouped) of \(all), \(count(.lost).grouped) with losses"
    if judgement.hasTooManyMalformed { text += "; too many broken lines" }
    if judgement.contradicting > 0 {
      text += "; \(judgement.contradicting.counted("event")) with a decision that no app can have made"
    }
    if judgement.conflicting > 0 {
      text += "; \(judgement.conflicting.counted("repeated line")) with another name or payload"
    }
    return [
      "kind": "parity", "source": .string(source), "text": .string(text), "gate": .string(judgement.gate.description),
      "events": .array(changes.prefix(Self.namedEvents).map(\.json)),
      "moreEvents": .int(Int64(max(0, changes.count - Self.namedEvents))),
    ]
  }
}
