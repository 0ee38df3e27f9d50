public import DualSendCore

/// Keeps a rollout current. If a new document is refused, the last valid one stays in force and the reason is reported.
///
/// ```swift
/// let fetcher = RemoteConfigFetcher(RemoteConfigFetcher.Options(url: url), storage: .file(file))
/// let dualSend = DualSendTracker(oldLogger: old, tracker: tracker, rollout: fetcher, unitID: unitID)
/// await fetcher.start()
/// ```
///
/// ``fetch()`` fetches and checks a document; ``activate()`` puts it in force. A kill is activated at once: a rollout that
/// may take units from the new tracker or from a named sink of its side, or leave units without a sink. A document that was
/// fetched but not activated is in force after the next launch.
///
/// Every `await` ends within ``Options/timeout``, and at once if the task is cancelled.
public actor RemoteConfigFetcher: RolloutSource {
  let options: RemoteConfigFetcher.Options
  let time: TimeSource
  let validator: RolloutValidator
  let transport: any HTTPTransport
  let storage: ByteStorage
  let fraction: @Sendable () -> Double
  let report: @Sendable (RemoteConfigFetcher.Problem) -> Void
  let current: CurrentRollout

  /// A newer rollout that waits for ``activate()``.
  var pending: VerifiedRollout?
  var clock: TrustedClock
  var throttle: FetchThrottle
  /// The callers that wait for the current request.
  private var waiters: [AsyncStream<RemoteConfigFetcher.FetchResult>.Continuation] = []
  /// Whether a request is in progress.
  var isFetching: Bool { !waiters.isEmpty }
  var scheduleTimer: Task<Void, Never>?
  var polling: Task<Void, Never>?
  var following: Task<Void, Never>?
  /// The request that a stream's hint triggered and that waits for the throttle.
  var hintedFetch: Task<Void, Never>?
  /// Whether the storage lacks the newest rollout, because a write failed.
  private var isUnsaved = false
  /// The back-off of a polling loop; `nil` after a good response.
  var troubleDelay: Duration?
  /// Held while a storage is read and written, because several fetchers may share one.
  private static let storageOrder = Locked(())

  /// Creates a fetcher and reads the stored rollout, so that it decides the first event. Makes no request.
  ///
  /// Reads the storage on this thread. A stored rollout that cannot be read is reported and ignored.
  ///
  /// - Parameters:
  ///   - options: the address, limits and keys.
  ///   - storage: stores the last valid rollout across launches, for this address alone: a rollout of another address in it serves
  ///     nothing, binds nothing, and stays; three others at most.
  ///   - inAppDefault: is in force until the first rollout is fetched. Its revision does not restrict later ones.
  ///   - transport: sends the requests; `URLSession` by default.
  ///   - time: the clocks.
  ///   - fraction: random numbers in 0…1 for the back-off.
  ///   - report: receives problems, on any thread.
  public init(
    _ options: RemoteConfigFetcher.Options, storage: ByteStorage, inAppDefault: RolloutSnapshot = .oldLoggerOnly,
    transport: any HTTPTransport = URLSessionTransport(), time: TimeSource = .system,
    fraction: @escaping @Sendable () -> Double = { .random(in: 0...1) },
    report: @escaping @Sendable (RemoteConfigFetcher.Problem) -> Void = { _ in }
  ) {
    self.options = options
    self.storage = storage
    self.transport = transport
    self.time = time
    self.fraction = fraction
    self.report = report
    validator = RolloutValidator(options)
    let earlier = RolloutRecord(in: storage, at: options.identity, validator: validator, report: report)
    clock = TrustedClock()
    if let trustedTime = earlier.trustedTime { clock.resume(trustedTime, at: time.uptime()) }
    throttle = FetchThrottle(minimumInterval: options.minimumInterval, backoff: options.backoff)
    if let retryAt = earlier.retryAt {
      throttle.resume(retryAfter: .milliseconds(retryAt - time.wallMilliseconds()), at: time.uptime())
    }
    current = CurrentRollout(earlier.rollout ?? VerifiedRollout(inAppDefault, source: .inAppDefault))
    Task { [weak self] in await self?.followSchedule() }
  }

  deinit {
    polling?.cancel()
    following?.cancel()
    hintedFetch?.cancel()
    scheduleTimer?.cancel()
  }

  /// The rollout in force. Safe to read from any thread; each read gives one complete revision.
  public nonisolated var snapshot: RolloutSnapshot { current.snapshot }

  /// The origin of the rollout in force, and the result of the last fetch. Safe to read from any thread.
  public nonisolated var status: RemoteConfigFetcher.Status { current.status }

  /// The rollout in force and every later one. A slow reader gets only the newest.
  public nonisolated func snapshots() -> AsyncStream<RolloutSnapshot> { current.snapshots() }

  /// Fetches the document. Concurrent calls share one request and its result.
  ///
  /// If a caller's task is cancelled, that call returns at once; the request continues for the others.
  public func fetch() async -> RemoteConfigFetcher.FetchResult {
    await fetch(isHinted: false)
  }

  /// - Parameter isHinted: whether a stream announced an update, so that the minimum interval does not apply.
  func fetch(isHinted: Bool) async -> RemoteConfigFetcher.FetchResult {
    if waiters.isEmpty, !isHinted, let wait = throttle.wait(at: time.uptime()) {
      return conclude(.throttled(for: wait))
    }
    let (results, continuation) = AsyncStream.makeStream(of: RemoteConfigFetcher.FetchResult.self)
    waiters.append(continuation)
    if waiters.count == 1 { Task { await renew() } }
    for await result in results { return result }
    return .failed(.noAnswer(.cancelled))
  }

  /// Puts the newest fetched or offered rollout in force.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func activate() -> Bool {
    guard let rollout = pending else { return false }
    pending = nil
    put(rollout)
    return true
  }

  private func renew() async {
    if isUnsaved { save() }
    let result = conclude(await requestDocument())
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.yield(result) }
  }

  /// Stores the result for ``status`` and reports a failure.
  @discardableResult
  func conclude(_ result: RemoteConfigFetcher.FetchResult) -> RemoteConfigFetcher.FetchResult {
    if case .failed(let failure) = result { report(.failed(failure)) }
    let isActivationPending = pending != nil
    current.updateStatus { status in
      status.lastResult = result
      status.isActivationPending = isActivationPending
    }
    return result
  }
}

// MARK: - Requests

extension RemoteConfigFetcher {
  /// Sends one request and validates the document of the response.
  func requestDocument() async -> RemoteConfigFetcher.FetchResult {
    guard let url = options.url else { return .failed(.noAddress) }
    let exchange = RolloutExchange(options: options, transport: transport, time: time)
    let entityTag = newest.entityTag(for: url)
    let answer: RolloutExchange.Answer
    do throws(HTTPTransportError) {
      answer = try await exchange.answer(from: url, ifNoneMatch: entityTag)
    } catch {
      return noteTrouble(.noAnswer(error), nil)
    }
    let (response, now) = (answer.response, time.uptime())
    var heard = clock
    heard.update(from: response, at: now, device: time.wallMilliseconds())
    switch response.status {
    case 200:
      noteGoodAnswer()
      let tag = response.header("ETag").map { VerifiedRollout.EntityTag($0, at: url) }
      let text = VerifiedRollout.Text(bytes: response.body, signature: answer.signature, entityTag: tag)
      return take(text, trusting: heard)
    case 304 where entityTag != nil:
      noteGoodAnswer()
      trust(heard)
      // Another document may have been offered during the request.
      if newest.entityTag(for: url) == entityTag { confirm(newest.text) }
      return .unchanged
    default:
      return noteTrouble(.status(response.status), response)
    }
  }

  private func noteGoodAnswer() {
    let hadToWait = throttle.retryAfterEnd != nil
    throttle.noteAnswer(at: time.uptime())
    troubleDelay = nil
    if hadToWait { save() }
  }

  private func noteTrouble(_ failure: RemoteConfigFetcher.Failure, _ response: HTTPTransportResponse?)
    -> RemoteConfigFetcher.FetchResult
  {
    guard failure.isServerTrouble else {
      noteGoodAnswer()
      return .failed(failure)
    }
    let retryAfter = response.flatMap { RetryAfter.delay(in: $0, wallMilliseconds: time.wallMilliseconds()) }
    troubleDelay = throttle.noteFailure(failure, retryAfter: retryAfter, at: time.uptime(), fraction: fraction)
    if retryAfter != nil { save() }
    return .failed(failure)
  }

  /// The delay of a polling loop after a failure: the back-off up to the interval, or longer after a `Retry-After`.
  func waitAfterFailure(interval: Duration) -> Duration {
    max(min(troubleDelay ?? interval, interval), throttle.wait(at: time.uptime()) ?? .zero)
  }
}

// MARK: - Documents

extension RemoteConfigFetcher {
  /// Validates a document from any channel.
  ///
  /// - Parameter heard: the clock of its server, which counts only if the document is valid.
  func take(_ text: VerifiedRollout.Text, trusting heard: TrustedClock? = nil) -> RemoteConfigFetcher.FetchResult {
    do throws(RemoteConfigFetcher.Failure) {
      let admission = try validator.admit(
        text, known: newest, at: (heard ?? clock).milliseconds(at: time.uptime()))
      if let heard { trust(heard) }
      switch admission {
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

  /// Follows the clock of a server that has sent a valid document.
  private func trust(_ heard: TrustedClock) {
    clock = heard
    followSchedule()
  }

  /// Stores a valid rollout until activation. A kill is activated at once.
  func hold(_ rollout: VerifiedRollout) -> RemoteConfigFetcher.FetchResult {
    pending = rollout
    for warning in rollout.snapshot.compiled?.document.warnings ?? [] { report(.questionable(warning.message)) }
    let isKill = options.activatesKillsAtOnce && KillCheck.mayBeKill(from: snapshot, to: rollout.snapshot)
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
    let record = RolloutRecord(
      rollout: rollout.source == .inAppDefault ? nil : rollout, trustedTime: clock.milliseconds(at: now),
      retryAt: throttle.retryAfterEnd.map { time.wallMilliseconds() + ($0 - now).inMilliseconds })
    let failure = Self.storageOrder.withLock { _ -> (any Error)? in
      let stored = try? storage.read()
      let others = RolloutRecord.others(in: stored ?? [], than: options.identity)
      do { try storage.write(record.bytes(at: options.identity) + others) } catch { return error }
      return nil
    }
    // Tried again before each fetch.
    isUnsaved = failure != nil
    if let failure { report(.cacheNotWritten(String(describing: failure))) }
  }
}

// MARK: - Other delivery channels

extension RemoteConfigFetcher {
  /// Accepts a document from another delivery channel, with the same checks as for a fetched one.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - signature: its signature in base64; required if public keys are configured.
  /// - Returns: ``FetchResult/fresh(isInForce:)`` if the document is new. It waits for ``activate()`` unless it is a kill.
  @discardableResult
  public func offer(_ bytes: [UInt8], signature: String? = nil) -> RemoteConfigFetcher.FetchResult {
    conclude(take(VerifiedRollout.Text(bytes: bytes, signature: signature)))
  }

  /// Accepts two plain booleans from another delivery channel.
  ///
  /// They have neither revision nor signature: the latest ones always win, and the app is responsible for their origin.
  ///
  /// - Parameters:
  ///   - shouldSendLogToOldLogger: whether the old logger receives all events.
  ///   - shouldSendLogToNewTracker: whether the new tracker receives all events.
  ///   - allowNeither: must be `true` if both booleans are `false`. Prevents losing all events by mistake.
  @discardableResult
  public func offer(
    shouldSendLogToOldLogger: Bool, shouldSendLogToNewTracker: Bool, allowNeither: Bool = false
  ) -> RemoteConfigFetcher.FetchResult {
    do throws(DocumentError) {
      let snapshot = try RolloutSnapshot(
        shouldSendLogToOldLogger: shouldSendLogToOldLogger, shouldSendLogToNewTracker: shouldSendLogToNewTracker,
        allowNeither: allowNeither)
      return conclude(hold(VerifiedRollout(snapshot, source: .fresh)))
    } catch {
      return conclude(.failed(.invalid(error)))
    }
  }
}
