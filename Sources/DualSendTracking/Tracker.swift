public import DualSendCore
public import Foundation

/// Stores events on disk and delivers them to a collector in batches.
///
/// ```swift
/// let tracker = Tracker(endpoint: url)
/// tracker.log("home.view", parameters: ["item_id": 42])
/// await tracker.flush()
/// ```
///
/// Sending never throws, waits or accesses the disk: the caller's thread stamps the event and appends it to a bounded
/// queue in memory. A serial writer converts, stores and delivers it. Events of one thread are delivered in order. Safe
/// to use from any thread. Create one tracker for each store.
public final class Tracker: Sendable {
  private let inbox: Inbox
  private let signal: InboxSignal
  let dispatcher: TrackingDispatcher
  /// Opens the store. Set once, when the tracker is complete.
  private let start = Locked<Task<Void, Never>?>(nil)
  private let wallMilliseconds: @Sendable () -> Int64
  private let currentMutations: CurrentMutations
  /// Set once, when the tracker is complete.
  private let systemObserver = Locked<SystemObserver?>(nil)

  /// Creates a tracker with the default configuration: its database is in the app's support folder, one for each
  /// endpoint; see ``TrackerConfiguration/StoreLocation``.
  public convenience init(endpoint: URL) {
    self.init(configuration: TrackerConfiguration(endpoint: TrackingEndpoint(url: endpoint)))
  }

  /// Creates a tracker. The store is opened in the background; earlier events are kept in memory.
  public init(configuration: TrackerConfiguration) {
    let signal = InboxSignal()
    let inbox = Inbox(capacity: configuration.intake.capacity, signal: signal)
    let dispatcher = TrackingDispatcher(configuration: configuration, inbox: inbox)
    self.inbox = inbox
    self.signal = signal
    self.dispatcher = dispatcher
    wallMilliseconds = configuration.time.wallMilliseconds
    currentMutations = CurrentMutations(configuration.mutations)
    inbox.setMutations(chain(of: configuration.mutations))
    let start = Task { await dispatcher.start(signal) }
    self.start.withLock { $0 = start }
    let observer = SystemObserver(configuration.systemEvents, for: self)
    systemObserver.withLock { $0 = observer }
  }

  deinit {
    signal.finish()
  }

  private func chain(of mutations: [Mutation]) -> MutationChain? {
    mutations.isEmpty ? nil : MutationChain(mutations, failures: currentMutations.failures)
  }

  /// Sends one event. Returns at once and never throws.
  ///
  /// - Parameters:
  ///   - name: the event's name.
  ///   - payload: the event's values. One that JSON cannot hold is left out and reported as an outcome; the rest of the
  ///     event is sent.
  public func sendLog(name: String, payload: [String: any Sendable] = [:]) {
    capture(CapturedEvent(time: wallMilliseconds(), name: name, payload: .sendable(payload)))
  }

  /// Sends one event with `EventValue`s. Returns at once and never throws.
  public func sendLog(name: String, payload: [String: EventValue]) {
    capture(CapturedEvent(time: wallMilliseconds(), name: name, payload: .values(payload)))
  }

  /// Sends one event whose values need not be sendable, for old call sites. Converts them on the caller's thread. Never
  /// throws.
  @_disfavoredOverload
  public func sendLog(name: String, payload: [String: Any]) {
    log(EventCall(name: name, original: payload))
  }

  /// Sends several events with the same name, in order. Returns at once and never throws.
  public func sendLogs(name: String, payloads: [[String: any Sendable]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }

  /// Sends several events with the same name, in order. Returns at once and never throws.
  public func sendLogs(name: String, payloads: [[String: EventValue]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }

  /// Sends several events with the same name whose values need not be sendable, for old call sites, in order. Never throws.
  @_disfavoredOverload
  public func sendLogs(name: String, payloads: [[String: Any]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }

  /// Waits until every earlier event is on disk.
  ///
  /// Events are also committed automatically within ``TrackerConfiguration/Intake/commitDelay``, 50 ms by default. If the
  /// process crashes or is killed, only the events of that interval are lost, unless the store fails.
  ///
  /// - Returns: how many events are still only in memory; 0 unless a store fails, or its folder cannot be written
  ///   (``Statistics/inMemoryBecause``). That folder is tried again here, and once a minute.
  @discardableResult
  public func persist() async -> Int {
    await dispatcher.persist(before: inbox.mark)
  }

  /// Delivers every earlier event, and retries as the back-off allows.
  ///
  /// Returns early on a lasting obstacle: a pause, missing consent, a failing store.
  ///
  /// - Parameter timeout: the longest wait. Events that are not delivered by then stay on disk and are delivered later.
  @discardableResult
  public func flush(timeout: Duration = .seconds(30)) async -> Tracker.FlushReport {
    await dispatcher.flush(timeout: timeout, before: inbox.mark)
  }

  /// Delivers what it can, then closes the store. Events sent later are dropped and counted.
  @discardableResult
  public func shutdown(timeout: Duration = .seconds(5)) async -> Tracker.FlushReport {
    let report = await dispatcher.shutDown(timeout: timeout)
    signal.finish()
    return report
  }

  /// The tracker's state and counters, as soon as the tracker has tried to open its store.
  public var statistics: Tracker.Statistics {
    get async {
      await start.current?.value
      return await dispatcher.statistics
    }
  }

  /// A stream of outcomes from now on. A reader that falls 1,024 outcomes behind loses the oldest of them.
  public func outcomes() -> AsyncStream<TrackingOutcome> {
    dispatcher.outcomes.stream()
  }

  /// Pauses delivery. Events are still stored.
  public func pause() async {
    await dispatcher.setPaused(true)
  }

  /// Ends any pause and delivers pending events that are due.
  public func resume() async {
    await dispatcher.setPaused(false)
  }

  /// Changes the endpoint and its format. Ends a pause that the old endpoint caused.
  ///
  /// Events that were logged before are kept for their destination, if that is another one: another tenant, or with
  /// ``TrackerConfiguration/StoreLocation/applicationSupport()`` also another address. They are sent when a tracker has that
  /// endpoint again. The statistics are then those of the new destination's store.
  ///
  /// - Parameters:
  ///   - endpoint: the new one.
  ///   - adopting: whether the new endpoint gets them. The store then stays that of the old one: the next launch names the old
  ///     endpoint in ``TrackerConfiguration/formerEndpoints``.
  public func setEndpoint(_ endpoint: TrackingEndpoint, adopting: Bool = false) async {
    await dispatcher.setEndpoint(endpoint, adopting: adopting, before: inbox.mark)
  }

  /// Sets whether events may be sent: by all trackers and processes of the app, and by later launches, whatever their
  /// destination (``TrackerConfiguration/party`` excepted). Returns when the decision is on disk and all is deleted that it asks for.
  ///
  /// Denying deletes and counts what was logged before, with the dead letters, for every destination of the app: also databases of
  /// former addresses and keys, and those that were set aside or left over. A tracker of the app that is running deletes its
  /// own when it next stores or sends something.
  ///
  /// If the decision cannot be kept, it holds until the process ends, and `storeFailed` says so.
  public func setConsent(_ consent: Tracker.Consent) async {
    dispatcher.decide(consent)
    await dispatcher.consentDecided(before: inbox.mark)
  }

  /// Sets whether events may be sent, from code that cannot wait, such as a button's action.
  ///
  /// Holds for the next event of this thread. Returns when the decision is on disk, after a few milliseconds; what it deletes
  /// is deleted soon after that, or by the next launch.
  public func setConsent(_ consent: Tracker.Consent) {
    dispatcher.decide(consent)
    let (dispatcher, mark) = (dispatcher, inbox.mark)
    Task { await dispatcher.consentDecided(before: mark) }
  }

  /// Deletes all pending events and dead letters, and counts them as dropped; also those in databases of the app's other
  /// destinations, except where a tracker is running. A request in flight is not cancelled; no other request of its batch follows.
  public func purge() async {
    await dispatcher.purge(before: inbox.mark)
  }

  /// The permanently refused events, oldest first, as many as the quota keeps.
  public func deadLetters() async throws -> [DeadLetter] {
    try await dispatcher.deadLetters()
  }

  /// Puts all dead letters that can be sent back into the queue. Returns their number.
  @discardableResult
  public func retryDeadLetters() async throws -> Int {
    try await dispatcher.retryDeadLetters()
  }

  /// Reads a small value of another part of the package.
  package func note(_ key: String) async throws -> Int64? {
    try await dispatcher.note(key)
  }

  /// Saves a small value for another part of the package.
  package func setNote(_ key: String, _ value: Int64?) async throws {
    try await dispatcher.setNote(key, value)
  }

  /// The ids of all pending events on disk.
  package func waitingIDs() async throws -> [EventID] {
    try await dispatcher.waitingIDs()
  }

  /// Accepts an event that another part of the package captured.
  @inline(__always)
  package func capture(_ event: CapturedEvent) {
    inbox.add(event)
  }

  /// Counts an event that was dropped before it was captured.
  func countDropped(_ reason: DropReason) {
    inbox.countDropped(reason)
  }
}

extension Tracker: EventLogging {
  /// Sends an event. Returns at once and never throws.
  ///
  /// A tracker on its own is the sink `.newTracker`; an event whose scope excludes that is dropped and counted.
  public func log(_ call: EventCall) {
    guard call.scope.includes(.newTracker) else { return countDropped(.outOfScope) }
    capture(
      CapturedEvent(
        time: call.time ?? wallMilliseconds(), name: call.name, payload: call.values, id: call.id,
        source: call.event, isUrgent: call.delivery == .immediately))
  }

  /// The tracker's own current mutations.
  public var mutations: [Mutation] { currentMutations.all }

  /// Adds, removes or reorders the tracker's own mutations for later events. Does nothing inside a change of its own.
  public func changeMutations(_ change: (inout [Mutation]) -> Void) {
    currentMutations.change(change) { inbox.setMutations(chain(of: $0)) }
  }

  /// How often each of the tracker's own mutations threw, by its name.
  public var mutationFailures: [String: Int] { currentMutations.failures.current }
}

// MARK: - Run

extension Tracker {
  /// Runs until the task is cancelled, then delivers what it can and closes the store. For servers whose service runner
  /// cancels its services at shutdown.
  ///
  /// Optional: it only ties the tracker's shutdown to a task.
  ///
  /// - Parameter shutdownTimeout: the longest wait for delivery after the cancellation.
  public func run(shutdownTimeout: Duration = .seconds(5)) async {
    let (untilCancelled, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in untilCancelled {}
    continuation.finish()
    // A new task, because a flush in a cancelled task returns at once.
    _ = await Task { await shutdown(timeout: shutdownTimeout) }.value
  }

  /// Tells the tracker that the network is probably available again: after a failure, it retries at once, at most every ten seconds.
  ///
  /// A server's `Retry-After` and a pause still apply.
  public func connectivityReturned() async {
    await dispatcher.connectivityReturned()
  }
}
