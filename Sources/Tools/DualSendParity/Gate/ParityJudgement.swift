import DualSendCore

/// What the gate says of a report.
package struct ParityJudgement: Sendable, Hashable {
  /// One event that was judged.
  package struct Item: Sendable, Hashable {
    package let event: EventParity
    package let verdict: ParityVerdict
    /// One line: the verdict and its numbers.
    package let summary: String
    /// The upper bound of the share that fails, as a fraction of 1.
    package let bound: Double
  }

  package let gate: ParityGate
  /// Every event of which anything was there to be judged, sorted by name.
  package let items: [Item]
  /// Whether there are more broken lines than are allowed.
  package let hasTooManyMalformed: Bool
  /// How many events carry a decision that their app cannot have made.
  package let contradicting: Int
  /// How many lines repeat an id with another name or payload: nobody knows which of them was meant.
  package let conflicting: Int

  init(_ report: ParityReport, by gate: ParityGate) {
    self.gate = gate
    items = report.events.compactMap { event in
      guard event.judged + event.uncompared > 0 else { return nil }
      let verdict = gate.verdict(on: event)
      return Item(
        event: event, verdict: verdict, summary: gate.summary(of: event, verdict),
        bound: gate.bound(of: event))
    }
    contradicting = report.total.contradicting
    conflicting = report.total.conflicting
    hasTooManyMalformed = report.old.malformed + report.new.malformed > gate.maximumMalformed
  }

  /// The events that do not pass.
  package var failures: [Item] { items.filter { $0.verdict != .passes } }

  /// Whether everything passes. Silence is no parity: something must have been judged.
  package var passes: Bool {
    !items.isEmpty && failures.isEmpty && !hasTooManyMalformed && contradicting == 0 && conflicting == 0
  }

  /// The most names that ``footnotes`` lists; JSON has all.
  private static let maximumNamed = 100

  /// The lines for the foot of a report: which names pass, by how many of how many, and how surely. The verdict is last.
  var footnotes: [String] {
    let passing = items.filter { $0.verdict == .passes }.map(\.event.name)
    var notes: [String] = []
    if !passing.isEmpty {
      let rest = passing.count - Self.maximumNamed
      let names = passing.prefix(Self.maximumNamed).map { $0.printable() }.joined(separator: ", ")
      notes.append("passing: " + names + (rest > 0 ? " and \(rest.grouped) more" : ""))
    }
    if gate.limit != .none, passing.count > 1 { notes.append(gate.certainty(ofAll: items.count)) }
    let verb = items.count == 1 ? "passes" : "pass"
    return notes + ["gate: \(passing.count.grouped) of \(items.count.counted("event name")) \(verb): \(gate)"]
  }

  /// The judgement as a JSON value.
  var json: EventValue {
    [
      "limit": .string(gate.limit.description), "looks": .int(Int64(gate.looks)),
      "maximumMalformed": .int(Int64(gate.maximumMalformed)), "passes": .bool(passes),
      "events": .array(
        items.map { item in
          var members: [String: EventValue] = [
            "name": .string(item.event.name), "verdict": .string(item.verdict.word), "bound": .double(item.bound),
            "summary": .string(item.summary), "sample": .string(gate.units(of: item.event) == nil ? "events" : "units"),
          ]
          if case .tooLittleEvidence(let needed?) = item.verdict { members["needed"] = .int(Int64(needed)) }
          return .object(members)
        }),
    ]
  }
}

extension ParityGate {
  /// The upper bound of the share that fails, as a fraction of 1.
  func bound(of event: EventParity) -> Double {
    let (failures, judged) = sample(of: event)
    return bound.upper(failures: failures, of: judged)
  }

  /// The verdict on a raise. Only a pair shows that the new event is right.
  package func raiseVerdict(on event: EventParity) -> ParityVerdict {
    event.pairs == 0 ? .nothingJudged : verdict(on: event)
  }

  /// A verdict and its numbers on one line.
  package func summary(of event: EventParity, _ verdict: ParityVerdict) -> String {
    let (failures, judged) = sample(of: event)
    let isUnits = units(of: event) != nil
    let counted = judged.counted(isUnits ? "unit" : judged == event.pairs ? "pair" : "event")
    let words = isUnits ? "fail" : event.failureWords
    let failing = "\(failures.grouped) of \(counted) \(words) (\(ShareText(failures, of: judged, decimals: 4)))"
    switch verdict {
    case .nothingJudged:
      return event.uncompared > 0 ? "\(event.uncompared.counted("pair")) not compared" : "no pair was compared"
    case .passes where isUnits:
      // Rounded up, so that the text never says less than the bound.
      return "of \(counted), at most \(FailingLimit(roundingUp: bound(of: event))) fail"
    case .passes, .tooManyFailures: return failing
    case .eventsCounted: return "the sample is events, which fail together where one unit logs many: \(failing)"
    case .tooLittleEvidence(let needed):
      let measured = failures == 0 ? counted : failing
      let wanted = needed.map { "at least \($0.grouped) for \(limit)" } ?? "no number of pairs shows \(limit)"
      return "not enough evidence: \(measured), \(wanted)"
    }
  }
}

extension EventParity {
  /// What the failures are: `differ, are lost or unexpected`, as far as there are such.
  fileprivate var failureWords: String {
    var words = lost > 0 ? ["lost"] : []
    if unexpected > 0 { words.append("unexpected") }
    if withoutUnit > 0 { words.append("of an unknown unit") }
    guard let last = words.popLast() else { return "differ" }
    let rest = words.isEmpty ? last : words.joined(separator: ", ") + " or " + last
    return differing > 0 ? "differ or are \(rest)" : "are \(rest)"
  }
}
