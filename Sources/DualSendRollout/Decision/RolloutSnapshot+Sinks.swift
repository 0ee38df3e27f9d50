extension RolloutSnapshot {
  /// Whether the document names sinks. Where it does not, every sink follows its side's flag, and nobody need ask.
  public var namesSinks: Bool { compiled?.namesSinks ?? false }

  /// Whether one sink of a side receives an event that this snapshot decided. Allocates nothing.
  ///
  /// A sink never exceeds its side's flag. Within it, the share counts that the document gives to the sink's id: one bucket
  /// a unit, so that the units of a lower share are among those of a higher one. An id that the document does not name
  /// follows the flag, and so do the principal sinks, `oldLogger` and `newTracker`, which no document can name. Without a
  /// unit, a sink with a share below 100 % receives nothing.
  ///
  /// - Parameters:
  ///   - subject: whose event it is; one of another snapshot is decided rightly, only more slowly.
  ///   - decision: what this snapshot decided for the event and the subject.
  public func receives(
    _ sink: String, on side: RolloutSide, event: String, subject: RolloutSubject, decision: SinkDecision
  ) -> Bool {
    compiled?.receives(sink, on: side, event: event, subject: subject, decision: decision)
      ?? decision.outcome.includes(side)
  }

  /// The same for one event alone, which it decides first.
  public func receives(
    _ sink: String, on side: RolloutSide, event: String, context: DecisionContext
  ) -> Bool {
    let outcome = decision(for: event, context: context)
    guard outcome.outcome.includes(side) else { return false }
    guard let share = compiled?.share(ofSink: sink, on: side, event: event, context: context) else { return true }
    return CompiledSink.holds(share.buckets, on: side, bucket: outcome.bucket)
  }

  /// Which units a named sink receives for an event in a context, whatever the unit; exact.
  ///
  /// The context's unit counts only for rules that name it. `nil` where plain booleans decide.
  public func reach(of sink: RolloutSink, event: String, context: DecisionContext) -> SinkReach? {
    compiled.map { compiled in
      let share = compiled.share(ofSink: sink.id, on: sink.side, event: event, context: context)
      return compiled.reach(
        of: sink, flags: compiled.places(for: event, context: context), at: share?.place ?? .topLevel)
    }
  }
}
