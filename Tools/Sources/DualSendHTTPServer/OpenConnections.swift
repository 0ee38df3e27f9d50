import NIOConcurrencyHelpers
import NIOCore

/// The connections that are open, each with the task that serves it.
final class OpenConnections: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var last = 0
    var isClosed = false
  }

  private let state = NIOLockedValueBox(State())

  /// Begins to serve a connection, whatever happens: one that was made must be served to be closed.
  ///
  /// - Parameters:
  ///   - closed: when the connection ends; its task is then cancelled.
  ///   - serve: is told whether there were as many as the limit before.
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

  /// Ends every connection, and returns once they have ended.
  func closeAll() async {
    let tasks = state.withLockedValue { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
