import DualSendCore

extension RemoteConfigFetcher {
  /// Validates a document from any channel.
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

  /// Stores a valid rollout until activation. A kill is activated at once.
  func hold(_ rollout: VerifiedRollout) -> RemoteConfigFetcher.FetchResult {
    pending = rollout
    let isKill = options.activatesKillsAtOnce && rollout.snapshot.isKill(of: snapshot)
    if isKill { activate() }
    save()
    return .fresh(isInForce: isKill)
  }

  /// The newest valid rollout, activated or not.
  var newest: VerifiedRollout { pending ?? current.rollout }

  /// Marks the newest rollout as current at its source, possibly with other bytes or another signature.
  func confirm(_ text: VerifiedRollout.Text?) {
    let isChanged = newest.text != text
    if pending == nil {
      current.confirm(text)
    } else {
      pending?.text = text
    }
    // The trusted time alone is stored only for schedules.
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

  /// Stores a rollout, by default the newest, with the trusted time and `Retry-After`.
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
