import DualSendCore

/// Live updates: a kill is in force within seconds and not at the next poll.
///
/// An event of the stream is a hint and nothing more: it makes the fetcher ask for the document as it always does, entity
/// tag, signature and revision included. A stream that lies can cause a request a second that finds nothing new; it cannot
/// put anything in force, and it cannot keep anything from being fetched, because polling goes on beside it.
extension RemoteConfigFetcher {
  /// The stream that the options name; `nil` if there is none.
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

  /// Whether the data names a revision that was fetched already, as after a connection that was cut.
  private func isKnown(_ data: String) -> Bool {
    guard let revision = Int64(data), let known = newest.bindingRevision else { return false }
    return revision <= known && !options.allowsAnyRevision
  }

  /// Asks for the document as soon as it may; whatever is hinted at until then is answered by the same request.
  private func fetchSoon(activating: Bool) {
    guard hintedFetch == nil else { return }
    hintedFetch = Task { [weak self, time] in
      while let wait = await self?.waitAfterHint() {
        do { try await time.sleep(wait) } catch { return }
      }
      await self?.fetchAsHinted(activating: activating)
    }
  }

  /// The time until the document may be asked for; `nil` if now. The answer to a request that is under way may be older
  /// than the hint, so that its end is waited for.
  private func waitAfterHint() async -> Duration? {
    if isAsking { _ = await fetch(isHinted: true) }
    return throttle.waitAfterHint(at: time.uptime())
  }

  private func fetchAsHinted(activating: Bool) async {
    // Before the request: what is hinted at while it is under way may be newer than its answer.
    hintedFetch = nil
    _ = await fetch(isHinted: true)
    if activating { activate() }
  }
}
