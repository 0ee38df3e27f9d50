/// The longest time that somebody waits for a piece of work.
///
/// ```swift
/// try await Deadline(request.timeout).run(orThrow: HTTPTransportError.init) { … }
/// ```
///
/// The wait ends in time, and at once if the waiting task is cancelled, even where the work ignores cancellation: such
/// work goes on by itself, and what it comes to is discarded.
public struct Deadline: Sendable {
  /// Why there is no result of the work.
  public enum Miss: Error, Sendable, Hashable {
    /// The time was up first.
    case timedOut
    /// The task that waited was cancelled first.
    case cancelled
  }

  private let limit: Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a deadline.
  ///
  /// - Parameter sleep: measures the time; like ``TimeSource/sleep`` it throws only when its task is cancelled.
  public init(
    _ limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.limit = limit
    self.sleep = sleep
  }

  /// Runs the work in a task of its own, and cancels that task as soon as nobody waits for it.
  ///
  /// A task that is cancelled already begins nothing.
  ///
  /// - Parameter failure: the error to throw instead of a result.
  /// - Throws: what the work throws, or `failure`'s error.
  public func run<Value: Sendable, Failure: Error>(
    orThrow failure: @Sendable (Miss) -> Failure, _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if Task.isCancelled { throw failure(.cancelled) }
    // `nil` says that the time is up. Whichever comes first is read; the other one is discarded with the stream.
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>?.self)
    let working = Task {
      do throws(Failure) { continuation.yield(.success(try await work())) } catch {
        continuation.yield(.failure(error))
      }
    }
    let waiting = Task { [limit, sleep] in
      guard (try? await sleep(limit)) != nil else { return }
      continuation.yield(nil)
    }
    defer {
      working.cancel()
      waiting.cancel()
    }
    for await result in results {
      guard let result else { throw failure(.timedOut) }
      return try result.get()
    }
    // The stream ends without a value only when the task that reads it is cancelled.
    throw failure(.cancelled)
  }

  /// Runs work that cannot fail; see ``run(orThrow:_:)``.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async throws(Miss) -> Value {
    try await run(orThrow: { $0 }) { () async throws(Miss) in await work() }
  }
}
