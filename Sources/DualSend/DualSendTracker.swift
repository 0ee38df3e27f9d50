public import DualSendCore
public import DualSendRemapping
public import DualSendRollout
public import DualSendTracking

/// Takes the old logger's place and sends each event to the old logger, the new tracker, or both, as the rollout says.
///
/// ```swift
/// let dualSend = DualSendTracker(
///   oldLogger: oldLogger, tracker: Tracker(endpoint: url), remapping: table, rollout: fetcher,
///   unitID: { installationID.current })
/// dualSend.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
/// ```
///
/// Nothing that happens on the way to the new tracker can throw to, block or alter the old call, and nothing that goes
/// wrong in the old logger can lose the new event. Safe to use from any thread.
public final class DualSendTracker: OldLogger {
  /// What is off by default.
  public struct Options: Sendable, Hashable {
    /// The key under which the old logger's parameters carry the new event's id, so that both streams can be joined
    /// event by event; `nil` leaves the old parameters untouched.
    public var oldLoggerEventIDKey: String?

    /// Creates options; everything is off.
    public init(oldLoggerEventIDKey: String? = nil) {
      self.oldLoggerEventIDKey = oldLoggerEventIDKey
    }
  }

  /// The new tracker, for what is sent to it alone.
  public let tracker: Tracker
  let oldLogger: any OldLogger
  private let remapping: RemappingTransform
  /// All sinks but the old logger.
  let sinks: SinkSet
  let callerMutations: MutationChain
  private let failures = MutationFailures()
  /// What the new tracker's events take, unless their pairs are observed …
  private let remap: (any EventTransform)?
  /// … and if they are.
  private let observed: (any EventTransform)?
  /// Whether there is more than an old logger and a tracker, so that an event takes the longer way.
  private let fansOut: Bool
  let router: EventRouter
  let stamp: EventStamp
  let wallMilliseconds: @Sendable () -> Int64

  /// Wraps an old logger.
  ///
  /// - Parameters:
  ///   - oldLogger: called on the thread of the call site.
  ///   - tracker: gets every event for the new sink under its new names.
  ///   - remapping: the old names and keys and the new ones; by default nothing changes.
  ///   - rollout: where the rollout in force comes from, followed from event to event: a `RemoteConfigFetcher`, a
  ///     `MutableRollout`, or a fixed `RolloutSnapshot`; by default everything goes to the old logger alone.
  ///   - context: what rules may ask about besides the event; its unit ID is replaced by `unitID`.
  ///   - unitID: the installation or user that is bucketed, asked for each event; `nil` while it is not known.
  ///   - oldSinks: more sinks that get events under their old names. Each id is one sink's.
  ///   - newSinks: more sinks that get events under their new names.
  ///   - mutations: what adds to or changes the events' parameters, in order.
  ///   - sampling: the units whose pairs of old and new events are observed, and by whom; by default none.
  ///   - options: what is off by default.
  ///   - time: the clock that stamps events.
  public init(
    oldLogger: any OldLogger, tracker: Tracker, remapping: RemappingTable = RemappingTable(),
    rollout: some RolloutSource = RolloutSnapshot.oldLoggerOnly, context: DecisionContext = DecisionContext(),
    unitID: @escaping @Sendable () -> String?, oldSinks: [Sink] = [], newSinks: [Sink] = [],
    mutations: [Mutation] = [], sampling: ParitySampling? = nil, options: Options = Options(),
    time: TimeSource = .system
  ) {
    self.oldLogger = oldLogger
    self.tracker = tracker
    let remapping = RemappingTransform(remapping)
    self.remapping = remapping
    let chain = MutationChain(mutations, failures: failures)
    callerMutations = chain.onCaller
    sinks = SinkSet(
      tracker: tracker, old: oldSinks, new: newSinks, remapping: remapping, observer: sampling?.observer,
      mutations: chain)
    remap = sinks.stored.first?.transforms.transform(bringsNewForm: false, isObserved: false)
    observed = sinks.stored.first?.transforms.transform(bringsNewForm: false, isObserved: true)
    fansOut = sinks.all.count > 1 || !callerMutations.isEmpty
    router = EventRouter(rollout, context: context, unitID: unitID, sampling: sampling)
    stamp = EventStamp(key: options.oldLoggerEventIDKey)
    wallMilliseconds = time.wallMilliseconds
  }

  /// Logs legacy events to every sink that the rollout in force selects. Returns at once and never throws.
  ///
  /// The old logger gets the name and the parameters as they are, on this thread. For the new tracker, the values are
  /// converted on this thread, because they may not leave it, and remapped later. A value that JSON cannot hold is
  /// left out of the new event and reported; the event still goes.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    let route = router.route(for: name)
    for payload in parameters {
      log(name, payload, by: route) { .converting(payload) }
    }
  }

  /// Logs one legacy event whose values are sendable, so that their conversion is left to the new tracker's thread; all
  /// else is as in ``logEvents(name:parameters:)``.
  ///
  /// The old logger gets an `EventValue` among them as its `plainValue`.
  ///
  /// A label of its own: between overloads the compiler does not look at whether values are sendable.
  public func logEvents(name: String, sendableParameters parameters: [String: any Sendable]) {
    let route = router.route(for: name)
    if fansOut {
      fanOut(EventCall(name, parameters), by: route)
    } else {
      log(name, EventCall.Parameters.sendable(parameters).dictionary, by: route) { .sendable(parameters) }
    }
  }

  /// Logs one legacy event that brings its own unit and time, as a replay or a server does.
  ///
  /// - Returns: the decision that was followed.
  @discardableResult
  public func logEvent(
    _ event: LegacyEvent, to scope: Sink.Scope = .all, delivery: Delivery = .buffered
  ) -> SinkDecision {
    let route = router.route(for: event.name, unitID: event.unitID)
    if fansOut || scope != .all || delivery != .buffered {
      fanOut(
        EventCall(
          name: event.name, parameters: .values(event.parameters), payload: .values(event.parameters),
          id: event.id, time: event.time, scope: scope, delivery: delivery), by: route)
    } else {
      log(event.name, event.parameters.mapValues(\.plainValue), by: route, id: event.id, time: event.time) {
        .values(event.parameters)
      }
    }
    return route.decision
  }

  /// The whole way of an event as far as the caller's thread goes.
  @inline(__always)
  private func log(
    _ name: String, _ original: @autoclosure () -> [String: Any], by route: EventRoute, id: EventID? = nil,
    time: Int64? = nil, values: () -> CapturedEvent.Payload
  ) {
    if fansOut {
      fanOut(EventCall(name: name, parameters: .plain(original()), payload: values(), id: id, time: time), by: route)
      return
    }
    let id = handOver(name, by: route, id: id, time: time, values: values)
    // 4. old sink
    if route.decision.shouldSendLogToOldLogger {
      oldLogger.logEvents(name: name, parameters: [stamp.stamped(original(), id)])
    }
  }

  /// The steps before the old sink: every event takes them, whoever calls the old logger afterwards.
  ///
  /// - Returns: the id that both streams carry; `nil` if nobody asked for one.
  @inline(__always)
  private func handOver(
    _ name: String, by route: EventRoute, id: EventID? = nil, time: Int64? = nil,
    values: () -> CapturedEvent.Payload
  ) -> EventID? {
    // 1. capture
    let time = time ?? wallMilliseconds()
    let id = id ?? stamp.makeID(at: time)
    // 2. decide: done with the route, once for all events of one call
    if route.decision.shouldSendLogToNewTracker {
      // 3. hand over to the new tracker's inbox, in memory. Before the old logger is called, so that nothing it does, not
      // even never to return, can lose the new event. 5. remap, 6. store, 7. deliver and 8. observe follow on the
      // tracker's own thread.
      tracker.capture(
        CapturedEvent(
          time: time, name: name, payload: values(), id: id, transform: route.isObserved ? observed : remap))
    }
    return id
  }
}

extension DualSendTracker {
  /// What the rollout in force decides for an event of this name, for call sites that send to both sinks by hand.
  ///
  /// ```swift
  /// let decision = dualSend.decision(for: "home.view")
  /// if decision.shouldSendLogToOldLogger { oldLogger.logEvents(name: "home.view", parameters: old) }
  /// if decision.shouldSendLogToNewTracker { dualSend.tracker.sendLog(name: "home.view", payload: new) }
  /// ```
  public func decision(for name: String) -> SinkDecision {
    router.route(for: name).decision
  }

  /// Takes a typed event as far as the new tracker; its old sink is called by the event itself.
  ///
  /// - Returns: the decision that holds for both sinks, and the original parameters with the event's id where both streams
  ///   are to carry one; `nil` for parameters that stay as they are.
  func handOver(name: String, parameters: [String: Any]) -> (decision: SinkDecision, stamped: [String: Any]?) {
    let route = router.route(for: name)
    if fansOut {
      let call = EventCall(
        name: name, parameters: .plain(parameters), payload: .converting(parameters), scope: .except([.oldLogger]))
      let oldCall = fanOut(call, by: route)
      return (route.decision, stamp.key == nil && callerMutations.isEmpty ? nil : oldCall.stamped)
    }
    let id = handOver(name, by: route) { .converting(parameters) }
    return (route.decision, id.map { stamp.stamped(parameters, $0) })
  }

  /// Changes what rules may ask about besides the event, such as the user's country after a sign-in.
  public func setContext(_ context: DecisionContext) {
    router.set(context)
  }

  /// What the remapping met so far.
  public var remappingStatistics: RemappingStatistics {
    remapping.statistics
  }

  /// How often each mutation threw, by its name; once for each sink it was applied for.
  public var mutationFailures: [String: Int] {
    failures.current
  }
}

extension CapturedEvent.Payload {
  /// Values that may not leave the caller's thread, converted on it.
  static func converting(_ values: [String: Any]) -> CapturedEvent.Payload {
    var converter = EventValueConverter()
    return .converted(converter.convert(values), issues: converter.issues)
  }
}
