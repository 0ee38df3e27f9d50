public import DualSendCore
public import Foundation

/// Takes events in, keeps them on disk until the collector has them, and delivers them in batches.
///
/// ```swift
/// let tracker = Tracker(endpoint: url)
/// tracker.log("home.view", ["item_id": 42])
/// await tracker.flush()
/// ```
///
/// Sending never throws, never waits and never touches the disk: the caller's thread stamps the event and appends it
/// to a bounded queue in memory. One ordered writer behind it converts, stores and delivers. Events sent from one
/// thread are delivered in the order in which they were sent. Safe to use from any thread; create one for each store.
public final class Tracker: Sendable {
  private let inbox: Inbox
  private let signal: AsyncStream<Void>.Continuation
  let dispatcher: TrackingDispatcher
  private let wallMilliseconds: @Sendable () -> Int64
  private let ownMutations: Locked<[Mutation]>
  /// Held while the mutations change, so that a change may log and read.
  private let order = Locked(())
  private let failures = MutationFailures()

  /// Creates a tracker with the default configuration, which keeps its events in the app's support folder, in a database of
  /// this endpoint's own; see ``TrackerConfiguration/StoreLocation``.
  public convenience init(endpoint: URL) {
    self.init(configuration: TrackerConfiguration(endpoint: TrackingEndpoint(url: endpoint)))
  }

  /// Creates a tracker. The store is opened in the background; events sent before wait in memory.
  public init(configuration: TrackerConfiguration) {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let inbox = Inbox(capacity: configuration.inboxCapacity, signal: signal)
    let dispatcher = TrackingDispatcher(configuration: configuration, inbox: inbox)
    self.inbox = inbox
    self.signal = signal
    self.dispatcher = dispatcher
    wallMilliseconds = configuration.time.wallMilliseconds
    ownMutations = Locked(configuration.mutations)
    inbox.setMutations(chain(of: configuration.mutations))
    Task { await dispatcher.run(signals) }
  }

  deinit {
    signal.finish()
  }

  private func chain(of mutations: [Mutation]) -> MutationChain? {
    mutations.isEmpty ? nil : MutationChain(mutations, failures: failures)
  }

  /// Sends one event. Returns at once and never throws.
  ///
  /// - Parameters:
  ///   - name: the event's name.
  ///   - payload: the event's values. One that JSON cannot hold is left out and reported as an outcome; the event still
  ///     goes.
  public func sendLog(name: String, payload: [String: any Sendable] = [:]) {
    capture(CapturedEvent(time: wallMilliseconds(), name: name, payload: .sendable(payload)))
  }

  /// Sends one event whose values already are `EventValue`s. Returns at once and never throws.
  public func sendLog(name: String, payload: [String: EventValue]) {
    capture(CapturedEvent(time: wallMilliseconds(), name: name, payload: .values(payload)))
  }

  /// Sends one event whose values need not be sendable: they are converted on the caller's thread. Never throws.
  @_disfavoredOverload
  public func sendLog(name: String, payload: [String: Any]) {
    var converter = EventValueConverter()
    let values = converter.convert(payload)
    let converted = CapturedEvent.Payload.converted(values, issues: converter.issues)
    capture(CapturedEvent(time: wallMilliseconds(), name: name, payload: converted))
  }

  /// Sends several events of one name, in order. Returns at once and never throws.
  public func sendLogs(name: String, payloads: [[String: any Sendable]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }

  /// Sends several events of one name, in order. Returns at once and never throws.
  public func sendLogs(name: String, payloads: [[String: EventValue]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }

  /// Sends several events of one name whose values need not be sendable, in order. Never throws.
  @_disfavoredOverload
  public func sendLogs(name: String, payloads: [[String: Any]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }

  /// Waits until every event sent before is on disk.
  ///
  /// Without it an event is committed by itself within ``TrackerConfiguration/commitDelay``, 50 ms by default. A process
  /// that is killed, or crashes, loses what came in that window and nothing older, as long as the store works.
  ///
  /// - Returns: how many events are still only in memory: 0, unless the store fails.
  @discardableResult
  public func persist() async -> Int {
    await dispatcher.persist()
  }

  /// Delivers every event sent before, retrying as the back-off allows.
  ///
  /// Returns early when something lasting stands in the way: a pause, missing consent, a failing store.
  ///
  /// - Parameter timeout: the longest wait. What is not delivered by then stays on disk and goes out later.
  @discardableResult
  public func flush(timeout: Duration = .seconds(30)) async -> Tracker.FlushReport {
    await dispatcher.flush(timeout: timeout)
  }

  /// Delivers what it can, then closes the store. Events sent later are dropped and counted.
  @discardableResult
  public func shutdown(timeout: Duration = .seconds(5)) async -> Tracker.FlushReport {
    let report = await dispatcher.shutDown(timeout: timeout)
    signal.finish()
    return report
  }

  /// How the tracker stands.
  public var statistics: Tracker.Statistics {
    get async { await dispatcher.statistics }
  }

  /// What happens to events from now on. A listener that falls 1,024 outcomes behind loses the oldest of them.
  public func outcomes() -> AsyncStream<TrackingOutcome> {
    dispatcher.outcomes.stream()
  }

  /// Holds delivery; events go on being stored.
  public func pause() async {
    await dispatcher.setPaused(true)
  }

  /// Ends a pause, whatever began it, and delivers what is due.
  public func resume() async {
    await dispatcher.setPaused(false)
  }

  /// Changes where batches go and in which format, those of events that wait too; ends a pause that the old endpoint caused.
  ///
  /// The store remains the one of the endpoint that the tracker was made with. An app that makes its next tracker with
  /// the new address names the old one: ``TrackerConfiguration/StoreLocation/applicationSupport(movedFrom:)``.
  public func setEndpoint(_ endpoint: TrackingEndpoint) async {
    await dispatcher.setEndpoint(endpoint)
  }

  /// Changes whether events may be sent. Denying deletes, and counts, everything that waits.
  public func setConsent(_ consent: Tracker.Consent) async {
    await dispatcher.setConsent(consent)
  }

  /// Deletes everything that waits and counts it as dropped. A request that is under way is not called back.
  public func purge() async {
    await dispatcher.purge()
  }

  /// The events that the collector refused for good, oldest first; as many as the quota keeps.
  public func deadLetters() async throws -> [DeadLetter] {
    try await dispatcher.deadLetters()
  }

  /// Puts every dead letter back into the queue. Returns how many.
  @discardableResult
  public func retryDeadLetters() async throws -> Int {
    try await dispatcher.retryDeadLetters()
  }

  /// A small value that the store keeps for another part of the package.
  public func note(_ key: String) async throws -> Int64? {
    try await dispatcher.note(key)
  }

  /// Keeps a small value for another part of the package.
  public func setNote(_ key: String, _ value: Int64?) async throws {
    try await dispatcher.setNote(key, value)
  }

  /// The ids of everything that waits on disk.
  public func waitingIDs() async throws -> [EventID] {
    try await dispatcher.waitingIDs()
  }

  /// Hands over an event that another part of the package has captured.
  @inline(__always)
  package func capture(_ event: CapturedEvent) {
    inbox.add(event)
  }

  /// Counts an event that was given up before it was captured.
  func countDropped(_ reason: DropReason) {
    inbox.turnAway(reason)
  }
}

extension Tracker: EventLogging {
  /// Sends an event in its new form, if it brings one. Returns at once and never throws.
  ///
  /// A tracker alone is the sink `.newTracker`: an event that is meant for others only is not for it.
  public func log(_ call: EventCall) {
    guard call.scope.includes(.newTracker) else { return }
    let content = call.content(in: .new)
    capture(
      CapturedEvent(
        time: call.time ?? wallMilliseconds(), name: content.name, payload: content.payload, id: call.id,
        source: call.event, isUrgent: call.delivery == .immediately))
  }

  /// The tracker's own mutations in force.
  public var mutations: [Mutation] { ownMutations.current }

  /// Adds, removes or reorders the tracker's own mutations, for events that come from now on.
  public func changeMutations(_ change: (inout [Mutation]) -> Void) {
    order.withLock { _ in
      var mutations = mutations
      change(&mutations)
      ownMutations.withLock { $0 = mutations }
      inbox.setMutations(chain(of: mutations))
    }
  }

  /// How often each of the tracker's own mutations threw, by its name.
  public var mutationFailures: [String: Int] { failures.current }
}
