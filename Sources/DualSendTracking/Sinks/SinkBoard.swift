import DualSendCore

/// The sinks of a front and the mutations in force.
package final class SinkBoard: Sendable {
  private struct State: Sendable {
    var mutations: [Mutation]
    var pipeline: SinkPipeline
  }

  package let places: [SinkPlace]
  private let failures = MutationFailures()
  private let state: Locked<State>
  /// Held while the mutations change, so that a change may log and read: the state's own lock is free meanwhile.
  private let order = Locked(())

  package init(_ places: [SinkPlace], mutations: [Mutation]) {
    self.places = places
    state = Locked(
      State(mutations: mutations, pipeline: SinkPipeline(places, mutations: mutations, failures: failures)))
  }

  /// The way of an event that is logged now.
  package var pipeline: SinkPipeline { state.withLock { $0.pipeline } }

  package var mutations: [Mutation] { state.withLock { $0.mutations } }

  package var mutationFailures: [String: Int] { failures.current }

  package func changeMutations(_ change: (inout [Mutation]) -> Void) {
    order.withLock { _ in
      var mutations = mutations
      change(&mutations)
      let pipeline = SinkPipeline(places, mutations: mutations, failures: failures)
      state.withLock { $0 = State(mutations: mutations, pipeline: pipeline) }
    }
  }
}
