import DualSendCore

extension RemoteConfigFetcher {
  /// The longest single sleep. A sleep can overrun in proportion to its length, so a distant step needs several.
  private static let longestSleep = Duration.seconds(600)

  /// Completes the start after `init`.
  func settle(isCacheOutdated: Bool) {
    followSchedule()
    if isCacheOutdated { save() }
  }

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
