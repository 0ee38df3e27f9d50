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
  let storage: ByteStorage
  let fraction: @Sendable () -> Double
  let report: @Sendable (RemoteConfigFetcher.Problem) -> Void
  let current: CurrentRollout

  /// Newer than what is in force, and waiting for ``activate()``.
  var pending: VerifiedRollout?
  var clock: TrustedClock
  var throttle: FetchThrottle
  /// Whoever waits for the one request that is under way.
  private var waiters: [AsyncStream<RemoteConfigFetcher.FetchResult>.Continuation] = []
  /// Whether a request is under way.
  var isAsking: Bool { !waiters.isEmpty }
  var scheduleTimer: Task<Void, Never>?
  var polling: Task<Void, Never>?
  var following: Task<Void, Never>?
  /// The one request that hints of a stream have asked for and that waits for its turn.
  var hintedFetch: Task<Void, Never>?
  /// How long a polling loop leaves a server alone that is in trouble; `nil` while it is not.
  var troubleDelay: Duration?

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

  private func renew() async {
    let result = conclude(await askServer())
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.yield(result) }
  }

  /// Keeps the result for ``status``, and reports a failure.
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
