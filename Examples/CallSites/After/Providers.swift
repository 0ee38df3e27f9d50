import DualSend

extension DualSendTracker {
  /// Several independent sinks with shared parameters. The new ones have a store.
  public static func shop(
    oldLogger: any OldLogger, console: any OldLogger, tracker: Tracker, amplitude: Sink, rollout: some RolloutSource,
    shared: [String: EventValue]
  ) -> DualSendTracker {
    DualSendTracker(oldLogger: oldLogger, tracker: tracker, rollout: rollout, unitID: { nil }) {
      $0.oldSinks = [.logger("console", console)]
      $0.newSinks = [amplitude]
      $0.mutations = [
        Mutation("shared", on: .caller) { event in
          event.parameters.merge(shared) { _, shared in shared }
          event.parameters["email"] = nil
        },
        .session(), .device(),
      ]
    }
  }
}
