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

// MARK: - Schedules

extension RemoteConfigFetcher {
  /// The longest single sleep. A sleep can overrun in proportion to its length, so a distant step needs several.
  private static let longestSleep = Duration.seconds(600)

  /// Applies the steps of the schedule that are due, and waits for the next one.
  func followSchedule() {
    scheduleTimer?.cancel()
    scheduleTimer = nil
    guard let now = clock.milliseconds(at: time.uptime()) else { return }
    var rollout = current.rollout
    if rollout.advance(to: now) {
      // Stores the step before applying it, so that the next launch does not fall behind.
      save(pending ?? rollout)
      current.put(rollout)
    }
    guard let change = rollout.snapshot.nextChange else { return }
    let wait = min(.milliseconds(change - now), Self.longestSleep)
    scheduleTimer = Task { [weak self, time] in
      do { try await time.sleep(wait) } catch { return }
      await self?.followSchedule()
    }
  }
}

// MARK: - Live updates

/// Live updates, which put a kill in force within seconds instead of at the next poll.
///
/// An event of the stream only triggers a normal fetch, which checks the entity tag, signature and revision. A misbehaving
/// stream causes at most one request per second. It cannot put a document in force, and polling continues without it.
extension RemoteConfigFetcher {
  /// The stream at ``Options/streamURL``.
  var updates: UpdateStream? {
    options.streamURL.map { url in
      UpdateStream(url: url, options: options, transport: transport, time: time, fraction: fraction)
    }
  }

  func handle(_ event: UpdateStream.Event, activating: Bool) {
    switch event {
    case .opened(let mayHaveMissed):
      current.updateStatus { $0.isStreaming = true }
      if mayHaveMissed { fetchSoon(activating: activating) }
    case .message(let message):
      if !isKnown(message.data) { fetchSoon(activating: activating) }
    case .interrupted(let reason):
      current.updateStatus { $0.isStreaming = false }
      report(.streamInterrupted(reason))
    }
  }

  /// Whether the data is a revision that was already fetched, such as after a reconnect.
  private func isKnown(_ data: String) -> Bool {
    guard let revision = Int64(data), let known = newest.bindingRevision else { return false }
    return revision <= known && !options.allowsAnyRevision
  }

  /// Fetches the document as soon as the throttle allows. One request serves all hints until then.
  private func fetchSoon(activating: Bool) {
    guard hintedFetch == nil else { return }
    hintedFetch = Task { [weak self, time] in
      while let wait = await self?.waitAfterHint() {
        do { try await time.sleep(wait) } catch { return }
      }
      await self?.fetchAsHinted(activating: activating)
    }
  }

  /// The time until the fetch is allowed; `nil` if it is allowed now. Waits for a running request, whose response may be
  /// older than the hint.
  private func waitAfterHint() async -> Duration? {
    if isFetching { _ = await fetch(isHinted: true) }
    return throttle.waitAfterHint(at: time.uptime())
  }

  private func fetchAsHinted(activating: Bool) async {
    // Before the request, so that a hint during the request triggers another one.
    hintedFetch = nil
    _ = await fetch(isHinted: true)
    if activating { activate() }
  }
}
