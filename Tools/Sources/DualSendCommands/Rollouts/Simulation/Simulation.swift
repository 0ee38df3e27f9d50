import DualSend
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// Decides events by a rollout, and counts the outcomes beside the expected ones.
struct Simulation {
  /// The outcomes of a group of events.
  struct Tally {
    private(set) var seen = 0
    private var counted: [SinkDecision.Outcome: Int] = [:]
    private var buckets: [SinkDecision.Outcome: Int] = [:]

    /// How many events had an outcome.
    func count(of outcome: SinkDecision.Outcome) -> Int { counted[outcome] ?? 0 }

    /// How many events are to be expected with an outcome, in parts of ``RolloutBucket/count``: exact, whatever the units.
    func expectedParts(of outcome: SinkDecision.Outcome) -> Int { buckets[outcome] ?? 0 }

    mutating func add(_ outcome: SinkDecision.Outcome, expecting expectation: [SinkDecision.Outcome: Int]) {
      seen += 1
      counted[outcome, default: 0] += 1
      buckets.merge(expectation, uniquingKeysWith: +)
    }

    static func + (left: Tally, right: Tally) -> Tally {
      var sum = left
      sum.seen += right.seen
      sum.counted.merge(right.counted, uniquingKeysWith: +)
      sum.buckets.merge(right.buckets, uniquingKeysWith: +)
      return sum
    }
  }

  private let snapshot: RolloutSnapshot
  /// By event name.
  private(set) var tallies: [ExactText: Tally] = [:]
  /// The sum over all names for each sink that the document names, in order.
  private(set) var sinks: [(sink: RolloutSink, tally: SinkTally)]

  init(_ snapshot: RolloutSnapshot) {
    self.snapshot = snapshot
    sinks = (snapshot.document?.sinks ?? []).map(\.sink).sorted().map { ($0, SinkTally()) }
  }

  /// The events with their app's decision, and those for which the document decides otherwise.
  private(set) var stamped = 0
  private(set) var decidedOtherwise = 0

  /// The sum over all names.
  var total: Tally { tallies.values.reduce(Tally(), +) }

  /// Decides one event. Without a unit ID, the expectation is the outcome.
  ///
  /// - Parameter stamp: the app's decision, if known.
  mutating func add(_ name: String, context: DecisionContext, stamp: DecisionStamp? = nil) {
    let outcome = snapshot.decision(for: name, context: context).outcome
    if let stamp {
      stamped += 1
      let decided = SinkDecision.Outcome(oldLogger: stamp.oldLogger, newTracker: stamp.newTracker)
      if decided != outcome { decidedOtherwise += 1 }
    }
    var expectation = [outcome: RolloutBucket.count]
    if context.unitID != nil, let intervals = snapshot.expectation(for: name, context: context) {
      expectation = Dictionary(
        uniqueKeysWithValues: SinkDecision.Outcome.allCases.map { ($0, intervals.buckets(of: $0).count) })
    }
    tallies[ExactText(name), default: Tally()].add(outcome, expecting: expectation)
    for index in sinks.indices { addToSink(index, name, context) }
  }

  private mutating func addToSink(_ index: Int, _ name: String, _ context: DecisionContext) {
    let sink = sinks[index].sink
    let isReceived = snapshot.receives(sink.id, on: sink.side, event: name, context: context)
    var expected = isReceived ? RolloutBucket.count : 0
    if context.unitID != nil, let reach = snapshot.reach(of: sink, event: name, context: context) {
      expected = reach.buckets.count
    }
    sinks[index].tally.add(isReceived, expecting: expected)
  }
}
