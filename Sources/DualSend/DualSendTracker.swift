public import DualSendCore
public import DualSendRemapping
public import DualSendRollout
public import DualSendTracking

/// Takes the old logger's place and sends each event to the old logger, the new tracker, or both, as the rollout says.
///
/// ```swift
/// let dualSend = DualSendTracker(oldLogger: oldLogger, collector: url, rollout: rolloutURL, remapping: table)
/// dualSend.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
/// ```
///
/// Nothing that happens on the way to the new tracker can throw to, block or alter the old call, and nothing that goes
/// wrong in the old logger can lose the new event. Safe to use from any thread.
public final class DualSendTracker: OldLogger, SinkFront {
  /// What is off by default.
  public struct Options: Sendable, Hashable {
    /// The key under which the old logger's parameters carry the new event's id, so that both streams can be joined
    /// event by event; `nil` leaves both streams untouched.
    ///
    /// With a key, both streams also carry what was decided for the event: the revision in force and the sinks that got
    /// it, such as `12:both`. Old parameters have it as `dual_send`, new events as `decision` beside their id. A comparison
    /// then needs no guess about which rollout the app had.
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
  /// All sinks but the old logger, and the mutations.
  private let board: SinkBoard
  let router: EventRouter
  private let stamp: EventStamp
  private let wallMilliseconds: @Sendable () -> Int64
  /// `nil` where the app has made the parts.
  let wiring: Wiring?

  /// Wraps an old logger, with parts that the app has made.
  ///
  /// - Parameters:
  ///   - oldLogger: called on the thread of the call site.
  ///   - tracker: gets every event for the new sink under its new names.
  ///   - remapping: the old names and keys and the new ones; by default nothing changes.
  ///   - rollout: where the rollout in force comes from, followed from event to event: a `RemoteConfigFetcher`, a
  ///     `MutableRollout`, or a fixed `RolloutSnapshot`; by default everything goes to the old logger alone.
  ///   - context: what rules may ask about besides the event; by default the app's version and platform. Its unit ID is
  ///     replaced by `unitID`.
  ///   - unitID: the installation or user that is bucketed, asked for each event; `nil` while it is not known.
  ///   - oldSinks: more sinks that get events under their old names. Each id is one sink's.
  ///   - newSinks: more sinks that get events under their new names.
  ///   - mutations: what changes the events, in order.
  ///   - sampling: the units whose pairs of old and new events are observed, and by what; by default none.
  ///   - options: what is off by default.
  ///   - time: the clock that stamps events.
  public convenience init(
    oldLogger: any OldLogger, tracker: Tracker, remapping: RemappingTable = RemappingTable(),
    rollout: some RolloutSource = RolloutSnapshot.oldLoggerOnly, context: DecisionContext = .app(),
    unitID: @escaping @Sendable () -> String?, oldSinks: [Sink] = [], newSinks: [Sink] = [],
    mutations: [Mutation] = [], sampling: ParitySampling? = nil, options: Options = Options(),
    time: TimeSource = .system
  ) {
    self.init(
      oldLogger: oldLogger, tracker: tracker, remapping: remapping, rollout: rollout, context: context,
      unitID: unitID, oldSinks: oldSinks, newSinks: newSinks, mutations: mutations, sampling: sampling,
      options: options, time: time, wiring: nil)
  }

  init(
    oldLogger: any OldLogger, tracker: Tracker, remapping: RemappingTable, rollout: some RolloutSource,
    context: DecisionContext, unitID: @escaping @Sendable () -> String?, oldSinks: [Sink], newSinks: [Sink],
    mutations: [Mutation], sampling: ParitySampling?, options: Options, time: TimeSource, wiring: Wiring?
  ) {
    self.wiring = wiring
    self.oldLogger = oldLogger
    self.tracker = tracker
    let remapping = RemappingTransform(remapping)
    self.remapping = remapping
    let principal = SinkPlace(
      .tracker(.newTracker, tracker), form: .new, renaming: remapping, observer: sampling?.pairObserver)
    board = SinkBoard(
      [principal] + newSinks.map { SinkPlace($0, form: .new, renaming: remapping) }
        + oldSinks.map { SinkPlace($0, form: .original) }, mutations: mutations)
    router = EventRouter(rollout, context: context, unitID: unitID, sampling: sampling)
    stamp = EventStamp(key: options.oldLoggerEventIDKey)
    wallMilliseconds = time.wallMilliseconds
  }

  /// Logs an event to every sink that the rollout in force selects. Returns at once and never throws.
  ///
  /// The old side gets the event's name and parameters; the new side what the remapping table makes of them, or the event's
  /// own new form if it is a `DualTypedEvent`.
  public func log(_ call: EventCall) {
    var call = call
    send(&call, by: router.route(for: call.name), through: board.pipeline)
  }

  /// Logs legacy events to every sink that the rollout in force selects. Returns at once and never throws.
  ///
  /// The old logger gets the name and the parameters as they are, on this thread. For the new tracker, the values are
  /// converted on this thread, because they may not leave it, and remapped later. A value that JSON cannot hold is
  /// left out of the new event and reported; the event still goes.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    let (route, pipeline) = (router.route(for: name), board.pipeline)
    for payload in parameters {
      var call = EventCall(name: name, values: .plain(payload))
      send(&call, by: route, through: pipeline)
    }
  }

  /// Logs one legacy event whose values are sendable, so that their conversion is left to the new tracker's thread; all
  /// else is as in ``logEvents(name:parameters:)``.
  ///
  /// The old logger gets an `EventValue` among them as its `plainValue`.
  ///
  /// A label of its own: between overloads the compiler does not look at whether values are sendable.
  public func logEvents(name: String, sendableParameters parameters: [String: any Sendable]) {
    var call = EventCall(name: name, values: .sendable(parameters))
    send(&call, by: router.route(for: name), through: board.pipeline)
  }

  /// Logs one legacy event that brings its own unit and time, as a replay or a server does.
  ///
  /// - Returns: the decision that was followed.
  @discardableResult
  public func logEvent(
    _ event: LegacyEvent, to scope: Sink.Scope = .all, delivery: EventCall.Delivery = .buffered
  ) -> SinkDecision {
    let route = router.route(for: event.name, unitID: event.unitID)
    var call = EventCall(
      name: event.name, values: .values(event.parameters), id: event.id, time: event.time, scope: scope,
      delivery: delivery)
    send(&call, by: route, through: board.pipeline)
    return route.decision
  }

  /// The whole way of an event as far as the caller's thread goes.
  ///
  /// - Parameters:
  ///   - call: gets its id and what mutations on this thread make of it.
  ///   - callsOldLogger: whether the old logger is called here; an event may call it by itself.
  /// - Returns: whether the event went on; `false` if a mutation dropped it.
  @discardableResult
  private func send(
    _ call: inout EventCall, by route: EventRoute, through pipeline: SinkPipeline, callsOldLogger: Bool = true
  ) -> Bool {
    // 1. capture: time, id, and the mutations of this thread. A mutation does not change who gets the event:
    // 2. decide is done with the route, once for all events of one call, by the name that the call site gave.
    let selection = route.selection
    let time = call.time ?? wallMilliseconds()
    if pipeline.needsPreparation {
      let id = call.id ?? stamp.newID(at: time)
      guard pipeline.prepare(&call, id: id, at: time, for: selection) else { return false }
    } else if call.id == nil, stamp.isOn {
      call.id = stamp.newID(at: time)
    }
    let reachesOldLogger = route.decision.shouldSendLogToOldLogger && call.scope.includes(.oldLogger)
    if stamp.isOn {
      call.decision = stamp.decision(
        on: call, by: route, reachesOldLogger: reachesOldLogger, receivers: pipeline.receivers(selection, call.scope))
    }
    // 3. hand over to the inboxes of the trackers, in memory. Before the old logger is called, so that nothing it does, not
    // even never to return, can lose the new event. 5. remap, 6. store, 7. deliver and 8. observe follow on each
    // tracker's own thread.
    pipeline.handOver(call, at: time, isObserved: route.isObserved && reachesOldLogger, to: selection)
    // 4. old sink, before the others that are called on this thread: it must not wait for what they do
    if reachesOldLogger, callsOldLogger {
      oldLogger.logEvents(name: call.name, parameters: [stamp.stamped(call)])
    }
    if pipeline.callsDirectly {
      pipeline.callDirectly(call, at: time, to: selection) { stamp.stamped(call) }
    }
    return true
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
  func handOver(name: String, parameters: [String: Any]) -> (decision: SinkDecision, oldCall: OldEventCall) {
    let (route, pipeline) = (router.route(for: name), board.pipeline)
    var call = EventCall(name: name, values: .plain(parameters))
    guard send(&call, by: route, through: pipeline, callsOldLogger: false) else { return (route.decision, .none) }
    let isUnchanged = !stamp.isOn && !pipeline.mutatesOnCaller
    return (route.decision, isUnchanged ? .unchanged : .with(stamp.stamped(call)))
  }

  /// Changes what rules may ask about besides the event, such as the user's country after a sign-in.
  public func setContext(_ context: DecisionContext) {
    router.set(context)
  }

  /// What the remapping met so far.
  public var remappingStatistics: RemappingStatistics {
    remapping.statistics
  }

  /// All sinks but the old logger, the new tracker first.
  public var sinks: [Sink] { board.places.map(\.sink) }

  /// The mutations in force.
  public var mutations: [Mutation] { board.mutations }

  /// Adds, removes or reorders mutations, for events that are logged from now on.
  public func changeMutations(_ change: (inout [Mutation]) -> Void) {
    board.changeMutations(change)
  }

  /// How often each mutation threw, by its name; once for each sink it was applied for.
  public var mutationFailures: [String: Int] { board.mutationFailures }
}
