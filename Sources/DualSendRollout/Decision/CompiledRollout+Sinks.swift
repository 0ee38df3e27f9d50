extension CompiledRollout {
  /// What the document says about a sink; `nil` if it does not name it.
  func sink(_ id: String, on side: RolloutSide) -> CompiledSink? {
    sinks.first { $0.sink.isNamed(id, on: side) }
  }

  /// Whether a sink receives an event that was decided: its side does, and the unit is among the sink's share.
  ///
  /// Not inlined, so that a document without sinks does not pay for it.
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

  /// What decides about a named sink, and the share that it sets in buckets; `nil` if the document does not name it.
  func share(
    ofSink id: String, on side: RolloutSide, event: String, context: DecisionContext
  ) -> (place: FlagPlace, buckets: Int)? {
    sink(id, on: side)?.share(for: event) { conditions[$0].hold(for: context) }
  }

  /// Which units a sink receives where these places decide.
  ///
  /// - Parameter place: what decides about the sink; nothing does where the document does not name it.
  public func reach(of sink: RolloutSink, flags places: FlagPlaces, at place: FlagPlace) -> SinkReach {
    let shares = shares(places)
    let own = self.sink(sink.id, on: sink.side)?.buckets(at: place) ?? RolloutBucket.count
    let withoutUnit = decision(places, bucket: nil).outcome.includes(sink.side)
    return SinkReach(
      side: sink.side, flag: sink.side == .old ? shares.oldLogger : shares.newTracker, sink: own,
      withoutUnit: withoutUnit && CompiledSink.holds(own, on: sink.side, bucket: nil))
  }
}
