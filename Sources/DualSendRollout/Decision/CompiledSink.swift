/// The shares of one sink at one time, compiled for fast decisions.
///
/// Indexes only the rules that narrow this sink, so that sinks do not slow down the decision of the flags. A class, so that
/// a lookup retains one reference instead of one for each array.
final class CompiledSink: Sendable {
  let sink: RolloutSink
  /// The top level's share, in buckets.
  let topLevel: Int32
  /// Maps an event's name to positions in ``rules``.
  let events: EventIndex
  /// The rules that narrow the sink at this time, by their positions in the document, in order.
  let rules: [Int32]
  /// The share of each rule in ``rules``, in buckets.
  let shares: [Int32]

  init(sink: RolloutSink, topLevel: Int32, events: EventIndex, rules: [Int32], shares: [Int32]) {
    self.sink = sink
    self.topLevel = topLevel
    self.events = events
    self.rules = rules
    self.shares = shares
  }

  /// The place that decides about an event, and its share in buckets: the first rule that matches, else the top level.
  @inline(__always)
  func share(for eventName: String, matches: (Int) -> Bool) -> (place: FlagPlace, buckets: Int) {
    for position in events.candidateRange(for: eventName) {
      let index = Int(events.candidates[position])
      let rule = Int(rules[index])
      if matches(rule) { return (.rule(rule), Int(shares[index])) }
    }
    return (.topLevel, Int(topLevel))
  }

  /// The share that a place sets, in buckets.
  func buckets(at place: FlagPlace) -> Int {
    guard case .rule(let rule) = place, let index = rules.firstIndex(of: Int32(rule)) else { return Int(topLevel) }
    return Int(shares[index])
  }

  /// Whether a share includes a unit, without regard to the side's flag.
  ///
  /// - Parameters:
  ///   - share: the share, in buckets.
  ///   - side: the side of the sink.
  ///   - bucket: the unit's bucket; without one, only a share of 100 % receives.
  @inline(__always)
  static func holds(_ share: Int, on side: RolloutSide, bucket: Int?) -> Bool {
    guard let bucket else { return share == RolloutBucket.count }
    switch side {
    case .old: return bucket >= RolloutBucket.count - share
    case .new: return bucket < share
    }
  }
}

extension CompiledSink {
  convenience init(
    _ share: RolloutSinkShare, in document: RolloutDocument, _ conditions: [[ContextCondition]], at time: Int64?
  ) {
    var rules: [Int32] = []
    var shares: [Int32] = []
    var indexed: [IndexedRule] = []
    for (index, rule) in document.rules.enumerated() {
      // A schedule before its first step does not set the share, so later rules decide.
      guard let percentage = rule.sinks.flag(of: share.sink)?.percentage(at: time) else { continue }
      rules.append(Int32(index))
      shares.append(Int32(percentage.thousandths))
      indexed.append(
        IndexedRule(events: rule.match.events, flags: .sink, isUnconditional: conditions[index].isEmpty))
    }
    var builder = EventIndexBuilder(indexed)
    self.init(
      sink: share.sink,
      topLevel: Int32(share.flag.percentage(at: time)?.thousandths ?? RolloutBucket.count),
      events: builder.index(), rules: rules, shares: shares)
  }
}
