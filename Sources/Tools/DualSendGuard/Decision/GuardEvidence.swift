import DualSendCore
package import DualSendParity

/// The measurements of a step's events.
package struct GuardEvidence: Sendable {
  package var report: ParityReport
  /// What failed to be delivered, by event with the names of the report: hashes of units, or of ids.
  let deadLetters: [String: Set<UInt64>]
  /// The time of the newest event of the stream that ends first, in milliseconds since 1970-01-01T00:00:00Z; `nil` if a
  /// stream has no event.
  package let newest: Int64?
  /// The files of the look before whose lines are not there any more.
  let gone: [String]

  /// - Parameter deadLetters: hashes of units, or of ids, by new name.
  package init(
    _ report: ParityReport, deadLetters: [String: Set<UInt64>] = [:], newest: Int64?,
    gone: [String] = []
  ) {
    self.gone = gone
    var left = deadLetters
    var counts: [String: Set<UInt64>] = [:]
    for event in report.events {
      if let letters = left.removeValue(forKey: event.newName) { counts[event.name] = letters }
    }
    (self.report, self.newest) = (report, newest)
    self.deadLetters = counts.merging(left) { $0.union($1) }
  }
}

// MARK: - Counting

extension GuardEvidence {
  /// The counts of each series of a bound, with its subject.
  ///
  /// - Parameter time: a unit is watched long enough if its first event is not later, in milliseconds since
  ///   1970-01-01T00:00:00Z.
  func counts(
    for bound: GuardPolicy.Bound, of sample: GuardPolicy.Sample, watchedSince time: Int64
  ) -> [(subject: String, count: TrialCount)] {
    let events = report.events.filter { bound.covers($0.name) }
    let letters = bound.measure == .deadLetters ? deadLetters.filter { bound.covers($0.key) } : [:]
    func count(_ events: [EventParity], _ letters: Set<UInt64>) -> TrialCount {
      var sum = TrialCount()
      switch sample {
      case .events:
        for event in events { bound.measure.add(event, to: &sum) }
      case .units:
        let units = events.dropFirst().reduce(into: events.first?.units ?? UnitSample()) { $0.merge($1.units) }
        let (judged, failing) = bound.measure.outcomes
        sum = units.count(judged: judged, failing: failing, watchedSince: time)
      }
      if bound.measure == .deadLetters {
        sum.failures = letters.count
        (sum.trials, sum.watched) = (max(sum.trials, letters.count), max(sum.watched, letters.count))
      }
      return sum
    }
    if bound.isTogether {
      // An id is in one event, so no set is counted twice.
      return [(bound.words, count(events, letters.values.reduce(into: Set()) { $0.formUnion($1) }))]
    }
    let unjudged = Set(letters.keys).subtracting(events.map(\.name)).sorted(by: String.byteOrder)
    return events.map { ($0.name, count([$0], letters[$0.name] ?? [])) }
      + unjudged.map { ($0, count([], letters[$0] ?? [])) }
  }

  /// The lines and events that cannot be judged; `nil` without any.
  func unjudged(_ sample: GuardPolicy.Sample) -> Unjudged? {
    let total = report.total
    let parts = [
      (report.old.malformed + report.new.malformed, "unreadable"),
      (total.contradicting, "with a decision that their app cannot have made"),
      (sample == .units ? report.events.reduce(0) { $0 + $1.units.withoutUnit } : 0, "without a unit"),
    ].filter { $0.0 > 0 }
    guard !parts.isEmpty else { return nil }
    let all = max(report.old.lines + report.new.lines, total.judged)
    return Unjudged(
      count: parts.map(\.0).reduce(0, +), all: all,
      text: "of \(all.counted("line")), " + parts.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", "))
  }

  /// What cannot be judged, of how many lines.
  struct Unjudged {
    let count, all: Int
    /// Such as `of 40,000 lines, 3 unreadable`.
    let text: String

    func isAbove(_ limit: FailingLimit) -> Bool { Double(count) > limit.fraction * Double(all) }
  }
}

// MARK: - Guard measure

extension GuardPolicy.Measure {
  /// Counts every event.
  fileprivate func add(_ event: EventParity, to sum: inout TrialCount) {
    // What the old stream lacks says nothing of the new side: the old log's shipper may have stopped.
    let judged = event.judged - event.lostFromOld
    let (failures, trials) =
      switch self {
      case .mismatch: (event.differing, event.pairs)
      case .lost: (event.lostFromNew, judged)
      case .lostFromOld: (event.lostFromOld, event.judged)
      // An event that belongs in neither stream and is in both counts twice.
      case .unexpected: (min(event.unexpected, judged), judged)
      case .failing: (max(0, event.failing - event.lostFromOld), judged)
      case .deadLetters: (0, event.judged)
      }
    sum.failures += failures
    sum.trials += trials
    sum.watched += trials
  }

  /// The outcomes of units that this measure judges, `nil` for all, and of those that fail.
  fileprivate var outcomes: (judged: UnitSample.Outcome?, failing: UnitSample.Outcome) {
    switch self {
    case .mismatch: (.pair, .differing)
    case .lost: (.tellsOfNew, .lostFromNew)
    case .lostFromOld: (nil, .lostFromOld)
    case .unexpected: (.tellsOfNew, .unexpected)
    case .failing: (.tellsOfNew, .failing)
    case .deadLetters: (nil, [])
    }
  }

  /// The verb of a sentence about failures: `3 of 4,000 differ`.
  var verb: String {
    switch self {
    case .mismatch: "differ"
    case .lost: "are lost"
    case .lostFromOld: "are lost from the old stream"
    case .unexpected: "are unexpected"
    case .failing: "fail"
    case .deadLetters: "are dead letters"
    }
  }
}
