extension Tracker {
  /// Runs until the task is cancelled, then delivers what it can and closes the store. For servers whose service runner
  /// cancels its services at shutdown.
  ///
  /// Optional: it only ties the tracker's shutdown to a task.
  ///
  /// - Parameter shutdownTimeout: the longest wait for delivery after the cancellation.
  public func run(shutdownTimeout: Duration = .seconds(5)) async {
    let (untilCancelled, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in untilCancelled {}
    continuation.finish()
    // A new task, because a flush in a cancelled task returns at once.
    _ = await Task { await shutdown(timeout: shutdownTimeout) }.value
  }

  /// Tells the tracker that the network is probably available again: after a failure, it retries at once.
  ///
  /// A server's `Retry-After` and a pause still apply.
  public func connectivityReturned() async {
    await dispatcher.connectivityReturned()
  }
}
