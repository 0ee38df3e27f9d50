import DualSendCore

extension RemoteConfigFetcher {
  /// A sleep may end late by a part of its length, so a far step is approached in several.
  private static let longestSleep = Duration.seconds(600)

  /// What a start leaves for later.
  func settle(isCacheOutdated: Bool) {
    followSchedule()
    if isCacheOutdated { save() }
  }

  /// Takes the steps of the schedule that have come, and waits for the next one.
  func followSchedule() {
    scheduleTimer?.cancel()
    scheduleTimer = nil
    guard let now = clock.milliseconds(at: time.uptime()) else { return }
    var rollout = current.rollout
    if rollout.advance(to: now) {
      // First, because the next run must not fall behind a step that this one has taken.
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
