import DualSendCore

/// What an earlier run of a fetcher left behind, as far as it can still be trusted.
struct CachedState: Sendable {
  private(set) var rollout: VerifiedRollout?
  private(set) var clock = TrustedClock()
  /// How much longer the server wants to be left alone.
  private(set) var retryAfter: Duration?
  /// Whether the next run could start faster if this one wrote the record again.
  private(set) var isOutdated = false

  /// Reads the storage. A stored document passes the same checks as a fetched one, its signature included; only what an
  /// earlier run has proved about the very same bytes is not proved again, nor compiled again if it is unsigned.
  init(
    _ storage: ByteStorage, validator: RolloutValidator, time: TimeSource, report: (RemoteConfigFetcher.Problem) -> Void
  ) {
    let stored: [UInt8]?
    do { stored = try storage.read() } catch {
      report(.cacheNotReadable(String(describing: error)))
      return
    }
    guard let stored else { return }
    do throws(RolloutRecord.Damage) {
      try resume(try RolloutRecord(reading: stored), validator: validator, time: time)
    } catch {
      report(.cacheDamaged(error.reason))
    }
  }

  private mutating func resume(
    _ record: RolloutRecord, validator: RolloutValidator, time: TimeSource
  ) throws(RolloutRecord.Damage) {
    if let trustedTime = record.trustedTime { clock.resume(trustedTime, at: time.uptime()) }
    retryAfter = record.retryAt.map { .milliseconds($0 - time.wallMilliseconds()) }
    if let booleans = record.booleans {
      rollout = VerifiedRollout(RolloutSnapshot(booleans), source: .cached)
      return
    }
    do throws(RemoteConfigFetcher.Failure) {
      guard let snapshot = try validator.readStored(record) else { return }
      let rollout = VerifiedRollout(snapshot, text: record.text, source: .cached)
      self.rollout = rollout
      isOutdated = !record.isProved || !snapshot.isStored && validator.compiledForm(of: rollout) != nil
    } catch {
      throw RolloutRecord.Damage(reason: error.description)
    }
  }
}
