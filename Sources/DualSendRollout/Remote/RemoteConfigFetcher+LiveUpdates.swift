import DualSendCore

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
