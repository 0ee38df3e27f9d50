import DualSendCore

/// The state that an earlier launch stored, after validation.
struct CachedState: Sendable {
  private(set) var rollout: VerifiedRollout?
  private(set) var clock = TrustedClock()
  /// The rest of the server's `Retry-After`.
  private(set) var retryAfter: Duration?
  /// Whether writing the record again would make the next launch faster.
  private(set) var isOutdated = false

  /// Reads the storage. A stored document passes the same checks as a fetched one, including its signature. It is not proved
  /// again, and not compiled again if it is unsigned.
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
