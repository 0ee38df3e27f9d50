import DualSendCore

extension RemoteConfigFetcher {
  /// Fetches at an interval until the task is cancelled. With ``Options/streamURL``, also fetches after each update of the
  /// stream.
  ///
  /// After a failure, the back-off or the server's `Retry-After` determines the next request.
  ///
  /// - Parameters:
  ///   - interval: the time between successful requests.
  ///   - activating: whether to activate new rollouts. A kill is activated at once in either case.
  public func run(every interval: Duration = .seconds(300), activating: Bool = true) async {
    await withTaskGroup(of: Void.self) { group in
      if let updates {
        group.addTask { await updates.follow { event in await self.handle(event, activating: activating) } }
      }
      while !Task.isCancelled {
        let wait = await poll(every: interval, activating: activating)
        do { try await time.sleep(wait) } catch { break }
      }
      group.cancelAll()
    }
  }

  /// Starts a task that works like ``run(every:activating:)``, until ``stop()`` is called or the fetcher is deallocated.
  public func start(every interval: Duration = .seconds(300), activating: Bool = true) {
    polling?.cancel()
    polling = Task { [weak self, time] in
      while !Task.isCancelled, let wait = await self?.poll(every: interval, activating: activating) {
        do { try await time.sleep(wait) } catch { return }
      }
    }
    following?.cancel()
    guard let updates else { return }
    following = Task { [weak self] in
      await updates.follow { [weak self] event in await self?.handle(event, activating: activating) }
    }
  }

  /// Stops the task of ``start(every:activating:)``.
  public func stop() {
    polling?.cancel()
    polling = nil
    following?.cancel()
    following = nil
  }

  /// Fetches once and returns the delay before the next fetch.
  ///
  /// Not inlined into its two callers: the code of a fetch is large.
  @inline(never)
  private func poll(every interval: Duration, activating: Bool) async -> Duration {
    let result = await fetch()
    if activating { activate() }
    switch result {
    case .throttled(let wait): return wait
    case .failed: return waitAfterFailure(interval: interval)
    case .fresh, .unchanged: return interval
    }
  }
}
