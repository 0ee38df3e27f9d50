import DualSendCore

extension RemoteConfigFetcher {
  /// Fetches now and then every so often, until the task is cancelled; with ``Options/streamURL``, also as soon as the
  /// stream says that there is something new.
  ///
  /// After a failure it comes back sooner, as the back-off says, or later, as the server says.
  ///
  /// - Parameters:
  ///   - interval: the time between two requests that went well.
  ///   - activating: whether each new rollout is put in force; a kill is in force at once in either case.
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

  /// Does what ``run(every:activating:)`` does, until ``stop()`` or until nobody holds the fetcher any more.
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

  /// Ends what ``start(every:activating:)`` began.
  public func stop() {
    polling?.cancel()
    polling = nil
    following?.cancel()
    following = nil
  }

  /// Fetches once, and says how long to wait before the next time.
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
