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
/// takes units from the new tracker or from a named sink of its side, or leaves units without a sink. A document that was
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
  /// The back-off of a polling loop; `nil` after a good response.
  var troubleDelay: Duration?

  /// Creates a fetcher and reads the stored rollout, so that it decides the first event. Makes no request.
  ///
  /// Reads the storage on this thread. A stored rollout that cannot be read is reported and ignored.
  ///
  /// - Parameters:
  ///   - options: the address, limits and keys.
  ///   - storage: stores the last valid rollout across launches.
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

  /// The rollout in force. Safe to read from any thread; each read gives one complete revision.
  public nonisolated var snapshot: RolloutSnapshot { current.snapshot }

  /// The origin of the rollout in force, and the result of the last fetch. Safe to read from any thread.
  public nonisolated var status: RemoteConfigFetcher.Status { current.status }

  /// The rollout in force and every later one. A slow reader gets only the newest.
  public nonisolated var snapshots: AsyncStream<RolloutSnapshot> { current.snapshots() }

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
