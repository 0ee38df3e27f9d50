import NIOConcurrencyHelpers
import NIOCore

/// The open connections with their tasks.
final class OpenConnections: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var last = 0
    var isClosed = false
  }

  private let state = NIOLockedValueBox(State())

  /// Serves a connection. Must be called for each connection, because only its task closes it.
  ///
  /// - Parameters:
  ///   - closed: completes when the connection ends; its task is then cancelled.
  ///   - serve: serves the connection; the argument tells whether the limit was reached.
  func serve(
    limit: Int, until closed: EventLoopFuture<Void>,
    _ serve: @escaping @Sendable (_ isTooMany: Bool) async throws -> Void
  ) {
    let task = state.withLockedValue { state in
      state.last += 1
      let (number, isTooMany) = (state.last, state.tasks.count >= limit)
      let task = Task {
        try? await serve(isTooMany)
        self.remove(number)
      }
      state.tasks[number] = task
      if state.isClosed { task.cancel() }
      return task
    }
    closed.whenComplete { _ in task.cancel() }
  }

  private func remove(_ number: Int) {
    state.withLockedValue { state in state.tasks[number] = nil }
  }

  /// Ends all connections. Returns when they have ended.
  func closeAll() async {
    let tasks = state.withLockedValue { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
