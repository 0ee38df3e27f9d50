public import DualSendCore

/// Keeps a rollout current, and never makes things worse: whatever is wrong with a new document, the last good one stays
/// in force and the reason is reported.
///
/// ```swift
/// let fetcher = RemoteConfigFetcher(RemoteConfigFetcher.Options(url: url), storage: .file(file))
/// let dualSend = DualSendTracker(oldLogger: old, tracker: tracker, rollout: fetcher, unitID: unitID)
/// await fetcher.start()
/// ```
///
/// Fetching and activating are apart: ``fetch()`` brings a document as far as it can be checked, ``activate()`` puts it
/// in force. Only a kill, a rollout that evicts somebody from the new tracker or leaves somebody without a sink, is in
/// force at once. What was fetched and not activated is in force after the next launch.
///
/// Every `await` comes to an end within ``RemoteConfigFetcher.Options/timeout``, and at once if the task is cancelled.
public actor RemoteConfigFetcher: RolloutSource {
  let options: RemoteConfigFetcher.Options
  let time: TimeSource
  let validator: RolloutValidator
  let transport: any HTTPTransport
  private let storage: ByteStorage
  let fraction: @Sendable () -> Double
  let report: @Sendable (RemoteConfigFetcher.Problem) -> Void
  let current: CurrentRollout

  /// Newer than what is in force, and waiting for ``activate()``.
  private var pending: VerifiedRollout?
  private var clock: TrustedClock
  private(set) var throttle: FetchThrottle
  /// Whoever waits for the one request that is under way.
  private var waiters: [AsyncStream<RemoteConfigFetcher.FetchResult>.Continuation] = []
  /// Whether a request is under way.
  var isAsking: Bool { !waiters.isEmpty }
  private var scheduleTimer: Task<Void, Never>?
  var polling: Task<Void, Never>?
  var following: Task<Void, Never>?
  /// The one request that hints of a stream have asked for and that waits for its turn.
  var hintedFetch: Task<Void, Never>?
  /// How long a polling loop leaves a server alone that is in trouble; `nil` while it is not.
  private var troubleDelay: Duration?

  /// Reads what an earlier run left, so that the first event is decided by the last good rollout; makes no request.
  ///
  /// The storage is read on this thread. What cannot be read is reported and ignored.
  ///
  /// - Parameters:
  ///   - options: the address, limits and keys.
  ///   - storage: where the last good rollout outlives the process.
  ///   - inAppDefault: decides until a first rollout was ever there; its revision, if any, binds no later one.
  ///   - transport: reaches the server; `URLSession` unless the app says otherwise.
  ///   - time: the clocks.
  ///   - fraction: random numbers in 0…1 for back-off.
  ///   - report: told about every problem, on any thread.
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
    let earlier = CachedState(storage, validator: validator, time: time, report: report)
    clock = earlier.clock
    throttle = FetchThrottle(minimumInterval: options.minimumInterval, backoff: options.backoff)
    if let retryAfter = earlier.retryAfter { throttle.resume(retryAfter: retryAfter, at: time.uptime()) }
    current = CurrentRollout(earlier.rollout ?? VerifiedRollout(inAppDefault, source: .inAppDefault))
    let isOutdated = earlier.isOutdated
    Task { [weak self] in await self?.settle(isCacheOutdated: isOutdated) }
  }

  deinit {
    polling?.cancel()
    following?.cancel()
    hintedFetch?.cancel()
    scheduleTimer?.cancel()
  }

  /// The rollout in force. May be read from any thread; whoever reads gets one whole revision.
  public nonisolated var snapshot: RolloutSnapshot { current.snapshot }

  /// Where the rollout in force is from, and what came of the last attempt. May be read from any thread.
  public nonisolated var status: RemoteConfigFetcher.Status { current.status }

  /// The rollout in force, and every later one as it comes into force. A slow reader gets the newest only.
  public nonisolated var snapshots: AsyncStream<RolloutSnapshot> { current.snapshots() }

  /// Asks the server for the document; whoever asks meanwhile shares the request and its result.
  ///
  /// A caller whose task is cancelled is answered at once; the request goes on for the others.
  public func fetch() async -> RemoteConfigFetcher.FetchResult {
    await fetch(isHinted: false)
  }

  /// - Parameter isHinted: whether a stream said that there is something new, so that the minimum interval does not count.
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

  /// Puts in force what was fetched or offered since.
  ///
  /// - Returns: whether there was anything.
  @discardableResult
  public func activate() -> Bool {
    guard let rollout = pending else { return false }
    pending = nil
    put(rollout)
    return true
  }
}

extension RemoteConfigFetcher {
  private func renew() async {
    let result = conclude(await askServer())
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.yield(result) }
  }

  private func askServer() async -> RemoteConfigFetcher.FetchResult {
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
    clock.hear(response, at: now)
    followSchedule()
    switch response.status {
    case 200:
      noteGoodAnswer()
      let tag = response.header("ETag").map { VerifiedRollout.EntityTag($0, at: url) }
      return take(VerifiedRollout.Text(bytes: response.body, signature: answer.signature, entityTag: tag))
    case 304 where entityTag != nil:
      noteGoodAnswer()
      // Another document may have been offered while the server was asked about this one.
      if newest.entityTag(for: url) == entityTag { confirm(newest.text) }
      return .unchanged
    default:
      return noteTrouble(.status(response.status), response)
    }
  }

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

  /// Keeps the result for whoever asks for the status, and reports a failure.
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

  /// What a newer document is compared with.
  var newest: VerifiedRollout { pending ?? current.rollout }

  /// The newest rollout is what its source holds now, be it in other bytes or with another signature.
  private func confirm(_ text: VerifiedRollout.Text?) {
    let isChanged = newest.text != text
    if pending == nil {
      current.confirm(text)
    } else {
      pending?.text = text
    }
    // The time is worth writing only where a schedule goes by it.
    if isChanged || newest.snapshot.nextChange != nil { save() }
  }

  private func put(_ rollout: VerifiedRollout) {
    var rollout = rollout
    _ = rollout.advance(to: clock.milliseconds(at: time.uptime()))
    current.put(rollout)
    current.updateStatus { $0.isActivationPending = false }
    followSchedule()
  }
}

extension RemoteConfigFetcher {
  /// A sleep may end late by a part of its length, so a far step is approached in several.
  private static let longestSleep = Duration.seconds(600)

  /// What a start leaves for later.
  private func settle(isCacheOutdated: Bool) {
    followSchedule()
    if isCacheOutdated { save() }
  }

  /// Takes the steps of the schedule that have come, and waits for the next one.
  private func followSchedule() {
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

  /// How long a polling loop waits after a failure: less than usual if the server may soon be back, more if it asks.
  func waitAfterFailure(interval: Duration) -> Duration {
    max(min(troubleDelay ?? interval, interval), throttle.wait(at: time.uptime()) ?? .zero)
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

  /// Writes a rollout, by default the newest, and everything that must outlive the process.
  private func save(_ rollout: VerifiedRollout? = nil) {
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
