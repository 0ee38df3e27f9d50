/// A limit on the time to wait for a piece of work.
///
/// ```swift
/// try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) { … }
/// ```
///
/// The wait ends at the limit, or at once if the waiting task is cancelled, even if the work ignores cancellation. Work
/// that goes on after that has its result discarded.
package struct Deadline: Sendable {
  /// Why the work gave no result.
  package enum Miss: Error, Sendable, Hashable {
    /// The limit was reached.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
  }

  private let limit: Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a deadline.
  ///
  /// - Parameter sleep: measures the time. Like ``TimeSource/sleep``, it throws only if its task is cancelled.
  package init(
    _ limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.limit = limit
    self.sleep = sleep
  }

  /// Runs the work in its own task, and cancels that task when the wait ends.
  ///
  /// Does not start the work if the current task is already cancelled.
  ///
  /// - Parameter failure: the error to throw instead of a result.
  /// - Throws: what the work throws, or `failure`'s error.
  package func run<Value: Sendable, Failure: Error>(
    orThrow failure: @Sendable (Miss) -> Failure, _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = Locked<Result<Value, Failure>?>(nil)
    let miss = await wait {
      do throws(Failure) {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    guard miss == nil, let result = result.current else { throw failure(miss ?? .cancelled) }
    return try result.get()
  }

  /// Runs work that cannot fail; see ``run(orThrow:_:)``.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async throws(Miss) -> Value {
    try await run(orThrow: { $0 }) { () async throws(Miss) in await work() }
  }

  /// Waits for the end of the work. Not generic, so that all callers share the code.
  ///
  /// - Returns: `nil` if the work ended in time.
  private func wait(_ work: @escaping @Sendable () async -> Void) async -> Miss? {
    if Task.isCancelled { return .cancelled }
    // The first element is used; the stream discards the other.
    let (ends, continuation) = AsyncStream.makeStream(of: Miss?.self)
    let working = Task {
      await work()
      continuation.yield(nil)
    }
    let waiting = Task { [limit, sleep] in
      guard (try? await sleep(limit)) != nil else { return }
      continuation.yield(.timedOut)
    }
    defer {
      working.cancel()
      waiting.cancel()
    }
    for await end in ends { return end }
    // The stream ends without a value only if the task that reads it is cancelled.
    return .cancelled
  }
}
