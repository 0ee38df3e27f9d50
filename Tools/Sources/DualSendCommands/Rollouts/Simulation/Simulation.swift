import DualSend
import DualSendCore
import DualSendRollout

/// Decides events as a rollout would have, and keeps count beside what is to be expected.
struct Simulation {
  /// What became of some events.
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
  /// All names together, for each sink that the document names, in order.
  private(set) var sinks: [(sink: RolloutSink, tally: SinkTally)]

  init(_ snapshot: RolloutSnapshot) {
    self.snapshot = snapshot
    sinks = (snapshot.document?.sinks ?? []).map(\.sink).sorted().map { ($0, SinkTally()) }
  }

  /// How many events say what their app decided, and how many of them the document decides otherwise.
  private(set) var stamped = 0
  private(set) var decidedOtherwise = 0

  /// All names together.
  var total: Tally { tallies.values.reduce(Tally(), +) }

  /// Decides one event. Without a unit ID, the outcome itself is what was to be expected.
  ///
  /// - Parameter stamp: what its app decided, if that is known.
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
