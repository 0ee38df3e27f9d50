import EventModel

/// Proves that every unit that can exist has a sink for every event, at every step of every schedule.
struct NeitherCheck {
  private let document: RolloutDocument
  private var budget = ProofBudget()
  private var findings: [Diagnostic] = []
  /// What was reported already, so that a pair of places is one finding, whatever the number of events and steps.
  private var reported: Set<FlagPlaces> = []

  /// One finding for each pair of places that leaves somebody without a sink; empty if nobody is.
  static func findings(in document: RolloutDocument) -> [Diagnostic] {
    guard ProofBudget.allows(document) else { return [tooLarge(document)] }
    var check = NeitherCheck(document: document)
    do {
      for time in [nil] + document.changeTimes.map(Optional.some) { try check.check(at: time) }
    } catch {
      check.findings.append(tooLarge(document))
    }
    return check.findings
  }

  private init(document: RolloutDocument) {
    self.document = document
  }

  private mutating func check(at time: Int64?) throws(ProofBudget.Exhausted) {
    let rollout = CompiledRollout(document, at: time)
    let partition = ContextPartition(
      document.rules.map(\.match), flags: document.rules.indices.map(rollout.flags(ofRule:)))
    for (list, candidates) in rollout.events.lists.enumerated() where rollout.mayLeaveNeither(candidates) {
      guard let event = rollout.events.exampleName(ofList: list) else { continue }
      for cell in try partition.cells(of: candidates, budget: &budget) {
        let places = cell.places()
        guard let gap = rollout.shares(places).gap, !allowsNeither(places), !reported.contains(places),
          let unit = example(of: cell, in: gap, event: event, at: time, bucketing: rollout.bucketing)
        else { continue }
        reported.insert(places)
        report(places, event: event, context: cell.example, unit: unit, at: time)
      }
    }
  }

  private func allowsNeither(_ places: FlagPlaces) -> Bool {
    document.allowsNeither(at: places.oldLogger) || document.allowsNeither(at: places.newTracker)
  }

  /// A unit of the cell in the gap, for which the ordinary decision code also finds no sink.
  private func example(
    of cell: ContextCell, in gap: Range<Int>, event: String, at time: Int64?, bucketing: Bucketing
  ) -> (id: String, bucket: Bucket)? {
    let snapshot = RolloutSnapshot(document, at: time)
    func hasNoSink(_ id: String) -> Bool {
      var context = cell.example
      context.unitID = id
      return snapshot.decision(for: event, context: context).outcome == .neither
    }
    switch cell.units {
    case .everyone:
      return UnitFinder(bucketing: bucketing).unit(in: gap) { id, _ in hasNoSink(id) }
    case .named(let ids):
      return ids.first { gap.contains(bucketing.bucket(of: $0).index) && hasNoSink($0) }
        .map { ($0, bucketing.bucket(of: $0)) }
    }
  }

  private mutating func report(
    _ places: FlagPlaces, event: String, context: DecisionContext, unit: (id: String, bucket: Bucket), at time: Int64?
  ) {
    let shares = CompiledRollout(document, at: time).shares(places)
    let old = RolloutPercentage(thousandths: shares.oldLogger) ?? .none
    let new = RolloutPercentage(thousandths: shares.newTracker) ?? .none
    var notes = [
      "the old logger keeps \(old) (\(document.name(of: places.oldLogger))), the new tracker has \(new) "
        + "(\(document.name(of: places.newTracker))): buckets \(shares.newThreshold)..<\(shares.oldThreshold) are left out",
      "for example unit `\(unit.id)`, bucket \(unit.bucket.index)\(context.description(prefix: ", "))",
    ]
    if let time { notes.append("from \(Timestamp.text(milliseconds: time)) on") }
    let isOldLoggerToBlame = places.newTracker == .topLevel || places.oldLogger != .topLevel
    findings.append(
      document.finding(
        .error, .neitherSink, "`\(event)` would reach neither sink for some units",
        at: isOldLoggerToBlame ? places.oldLogger : places.newTracker,
        flag: isOldLoggerToBlame ? .oldLogger : .newTracker, notes: notes,
        help: "let the two add up to 100 % or more, or say `\"allowNeither\": true` to retire the event on purpose"))
  }

  private static func tooLarge(_ document: RolloutDocument) -> Diagnostic {
    document.finding(
      .error, .tooLargeToProve, "the rules tell too many cases apart to prove that nobody is without a sink",
      at: .topLevel, help: "use fewer rules, or fewer different attributes in rules about the same events")
  }
}

extension FlagShares {
  /// The buckets that have neither sink; `nil` if there are none.
  var gap: Range<Int>? {
    newThreshold < oldThreshold ? newThreshold..<oldThreshold : nil
  }
}

extension CompiledRollout {
  /// Whether the lowest shares that these rules or the top level set leave a gap: a quick bound before the exact search.
  func mayLeaveNeither(_ candidates: [Int]) -> Bool {
    let places = [FlagPlaces()] + candidates.map { FlagPlaces(oldLogger: .rule($0), newTracker: .rule($0)) }
    let set = places.map(shares)
    let old = set.map(\.oldLogger).filter { $0 >= 0 }.min() ?? 0
    let new = set.map(\.newTracker).filter { $0 >= 0 }.min() ?? 0
    return old + new < Bucket.count
  }
}

extension ProofBudget {
  /// Whether the document is small enough to be compiled at all: names times rules bounds the index.
  static func allows(_ document: RolloutDocument) -> Bool {
    let patterns = document.rules.reduce(0) { $0 + ($1.match.events?.count ?? 0) }
    return (patterns + 1) * (document.rules.count + 1) <= 8_000_000
  }
}
