import DualSendCore

extension RemoteConfigFetcher {
  /// Passes bytes from any channel through the validator.
  func take(_ text: VerifiedRollout.Text) -> RemoteConfigFetcher.FetchResult {
    do throws(RemoteConfigFetcher.Failure) {
      switch try validator.admit(text, known: newest, at: clock.milliseconds(at: time.uptime())) {
      case .known(let text):
        confirm(text)
        return .unchanged
      case .new(let rollout):
        return hold(rollout)
      }
    } catch {
      return .failed(error)
    }
  }

  /// Keeps a rollout that may come into force, and puts a kill in force at once.
  func hold(_ rollout: VerifiedRollout) -> RemoteConfigFetcher.FetchResult {
    pending = rollout
    let isKill = options.activatesKillsAtOnce && rollout.snapshot.isKill(of: snapshot)
    if isKill { activate() }
    save()
    return .fresh(isInForce: isKill)
  }

  /// What a newer document is compared with.
  var newest: VerifiedRollout { pending ?? current.rollout }

  /// The newest rollout is what its source holds now, be it in other bytes or with another signature.
  func confirm(_ text: VerifiedRollout.Text?) {
    let isChanged = newest.text != text
    if pending == nil {
      current.confirm(text)
    } else {
      pending?.text = text
    }
    // The time is worth writing only where a schedule goes by it.
    if isChanged || newest.snapshot.nextChange != nil { save() }
  }

  /// Puts a rollout in force.
  func put(_ rollout: VerifiedRollout) {
    var rollout = rollout
    _ = rollout.advance(to: clock.milliseconds(at: time.uptime()))
    current.put(rollout)
    current.updateStatus { $0.isActivationPending = false }
    followSchedule()
  }

  /// Writes a rollout, by default the newest, and everything that must outlive the process.
  func save(_ rollout: VerifiedRollout? = nil) {
    let (now, rollout) = (time.uptime(), rollout ?? newest)
    var record = RolloutRecord()
    record.text = rollout.text
    record.compiled = validator.compiledForm(of: rollout)
    if rollout.source != .inAppDefault, rollout.text == nil {
      record.booleans = rollout.snapshot.decision(for: "", context: DecisionContext()).outcome
    }
    record.trustedTime = clock.milliseconds(at: now)
    record.retryAt = throttle.retryAfterEnd.map { time.wallMilliseconds() + ($0 - now).inMilliseconds }
    do { try storage.write(record.bytes) } catch { report(.cacheNotWritten(String(describing: error))) }
  }
}
