/// What a document says about one sink at one time, taken apart for deciding.
///
/// It has an index of its own over the rules that narrow it, so that the flags of a document with sinks are decided as fast
/// as without. A class, so that looking one up takes one reference and not one of each array.
final class CompiledSink: Sendable {
  let sink: RolloutSink
  /// The share where no rule says otherwise, in buckets.
  let topLevel: Int32
  /// Finds positions in ``rules``.
  let events: EventIndex
  /// The rules that narrow the sink at this time, by their positions in the document, in order.
  let rules: [Int32]
  /// The share that each of them sets, in buckets.
  let shares: [Int32]

  init(sink: RolloutSink, topLevel: Int32, events: EventIndex, rules: [Int32], shares: [Int32]) {
    self.sink = sink
    self.topLevel = topLevel
    self.events = events
    self.rules = rules
    self.shares = shares
  }

  /// What decides about an event, and the share that it sets in buckets: the first rule that matches, else the top level.
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

  /// Whether a unit is among the sink's share, its side's flag aside.
  ///
  /// - Parameter bucket: the unit's; without one, only a sink that is not narrowed receives.
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
      // A schedule that has not begun leaves the sink to later rules.
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
