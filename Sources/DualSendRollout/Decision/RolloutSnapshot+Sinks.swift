extension RolloutSnapshot {
  /// Whether the document names sinks. If it does not, every sink follows its side's flag.
  public var namesSinks: Bool { compiled?.namesSinks ?? false }

  /// Whether one sink of a side receives an event that this snapshot decided. Allocates nothing.
  ///
  /// A sink receives an event if its side does and the unit's bucket is in the sink's share. The units of a lower share are
  /// a subset of those of a higher one. A sink that the document does not name follows its side's flag; so do the principal
  /// sinks `oldLogger` and `newTracker`, which no document can name. Without a unit, a sink with a share below 100 %
  /// receives nothing.
  ///
  /// - Parameters:
  ///   - sink: the sink's id.
  ///   - side: the side of the sink.
  ///   - event: the event's old name.
  ///   - subject: the context; a subject of another snapshot works too, but more slowly.
  ///   - decision: this snapshot's decision for the event and the subject.
  public func receives(
    _ sink: String, on side: RolloutSide, event: String, subject: RolloutSubject, decision: SinkDecision
  ) -> Bool {
    compiled?.receives(sink, on: side, event: event, subject: subject, decision: decision)
      ?? decision.outcome.includes(side)
  }

  /// Whether one sink of a side receives an event. Decides the event first.
  public func receives(
    _ sink: String, on side: RolloutSide, event: String, context: DecisionContext
  ) -> Bool {
    let outcome = decision(for: event, context: context)
    guard outcome.outcome.includes(side) else { return false }
    guard let share = compiled?.share(ofSink: sink, on: side, event: event, context: context) else { return true }
    return CompiledSink.holds(share.buckets, on: side, bucket: outcome.bucket)
  }

  /// The exact share of units that a named sink receives for an event in a context.
  ///
  /// Only rules that name units use the context's unit. `nil` if plain booleans are in force.
  public func reach(of sink: RolloutSink, event: String, context: DecisionContext) -> SinkReach? {
    compiled.map { compiled in
      let share = compiled.share(ofSink: sink.id, on: sink.side, event: event, context: context)
      return compiled.reach(
        of: sink, flags: compiled.places(for: event, context: context), at: share?.place ?? .topLevel)
    }
  }
}
