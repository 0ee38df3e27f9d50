extension CompiledRollout {
  /// The compiled shares of a sink; `nil` if the document does not name it.
  func sink(_ id: String, on side: RolloutSide) -> CompiledSink? {
    sinks.first { $0.sink.isNamed(id, on: side) }
  }

  /// Whether a sink receives a decided event: its side receives it, and the unit is in the sink's share.
  ///
  /// Not inlined, to keep the path of documents without sinks short.
  @inline(never)
  func receives(
    _ id: String, on side: RolloutSide, event: String, subject: RolloutSubject, decision: SinkDecision
  ) -> Bool {
    guard decision.outcome.includes(side) else { return false }
    guard let sink = sink(id, on: side) else { return true }
    let isOwn = subject.owner === self
    let share = sink.share(for: event) {
      isOwn ? subject.matches(rule: $0) : conditions[$0].hold(for: subject.context)
    }
    return CompiledSink.holds(share.buckets, on: side, bucket: decision.bucket)
  }

  /// The place that decides about a named sink, and its share in buckets; `nil` if the document does not name the sink.
  package func share(
    ofSink id: String, on side: RolloutSide, event: String, context: DecisionContext
  ) -> (place: FlagPlace, buckets: Int)? {
    sink(id, on: side)?.share(for: event) { conditions[$0].hold(for: context) }
  }

  /// The units that a sink receives where these places decide.
  ///
  /// - Parameters:
  ///   - sink: the sink; if the document does not name it, it follows its side's flag.
  ///   - places: the places that decide the two flags.
  ///   - place: the place that decides about the sink.
  public func reach(of sink: RolloutSink, flags places: FlagPlaces, at place: FlagPlace) -> SinkReach {
    let shares = shares(places)
    let own = self.sink(sink.id, on: sink.side)?.buckets(at: place) ?? RolloutBucket.count
    let withoutUnit = decision(places, bucket: nil).outcome.includes(sink.side)
    return SinkReach(
      side: sink.side, flag: sink.side == .old ? shares.oldLogger : shares.newTracker, sink: own,
      withoutUnit: withoutUnit && CompiledSink.holds(own, on: sink.side, bucket: nil))
  }
}
