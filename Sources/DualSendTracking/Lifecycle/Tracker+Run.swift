extension Tracker {
  /// Runs until the task is cancelled, then delivers what it can and closes the store: for servers, whose service
  /// runner cancels its services on the way down.
  ///
  /// The tracker works without it; this only ties its end to a task.
  ///
  /// - Parameter shutdownTimeout: the longest wait for delivery after the cancellation.
  public func run(shutdownTimeout: Duration = .seconds(5)) async {
    let (untilCancelled, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in untilCancelled {}
    continuation.finish()
    // A task of its own: a flush inside a cancelled one would give up at once.
    _ = await Task { await shutdown(timeout: shutdownTimeout) }.value
  }

  /// Tells the tracker that the network is likely to work again: what waits after a failure is tried at once.
  ///
  /// A time that the server asked for, and a pause, still hold.
  public func connectivityReturned() async {
    await dispatcher.connectivityReturned()
  }
}
