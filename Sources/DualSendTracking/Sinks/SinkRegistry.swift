import DualSendCore

/// The sinks of a front and its current mutations.
package final class SinkRegistry: Sendable {
  private struct State: Sendable {
    var mutations: [Mutation]
    var pipeline: SinkPipeline
  }

  package let bindings: [SinkBinding]
  private let failures = MutationFailures()
  private let state: Locked<State>
  /// Serialises changes of the mutations, without a lock on the state, so that a change may log and read.
  private let order = Locked(())

  package init(_ bindings: [SinkBinding], mutations: [Mutation]) {
    self.bindings = bindings
    state = Locked(
      State(mutations: mutations, pipeline: SinkPipeline(bindings, mutations: mutations, failures: failures)))
  }

  /// The current pipeline.
  package var pipeline: SinkPipeline { state.withLock { $0.pipeline } }

  package var mutations: [Mutation] { state.withLock { $0.mutations } }

  package var mutationFailures: [String: Int] { failures.current }

  package func changeMutations(_ change: (inout [Mutation]) -> Void) {
    order.withLock { _ in
      var mutations = mutations
      change(&mutations)
      let pipeline = SinkPipeline(bindings, mutations: mutations, failures: failures)
      state.withLock { $0 = State(mutations: mutations, pipeline: pipeline) }
    }
  }
}
