public import DualSendCore
public import DualSendRemapping
public import DualSendRollout
public import DualSendTracking
import Logging

/// Replaces the old logger, and sends each event to the old logger, the new tracker, or both, as the rollout decides.
///
/// ```swift
/// let dualSend = DualSendTracker(oldLogger: oldLogger, collector: url, rollout: rolloutURL, remapping: table)
/// dualSend.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
/// ```
///
/// The new side cannot throw to, block or change the old call, and the old logger cannot make the new side lose an
/// event. Safe to use from any thread.
public final class DualSendTracker: OldLogger, SinkContainer {
  /// The new tracker, for events that only it receives.
  public let tracker: Tracker
  let oldLogger: any OldLogger
  private let remapping: RemappingProcessor
  /// All sinks except the old logger, and the mutations.
  private let registry: SinkRegistry
  let router: EventRouter
  private let joinKeys: JoinKeys
  private let wallMilliseconds: @Sendable () -> Int64
  /// `nil` if the app created the parts.
  let wiring: Wiring?
  /// The breaker; `nil` if the app has not turned it on.
  public let breaker: Breaker?

  /// Wraps an old logger, with parts that the app creates.
  ///
  /// - Parameters:
  ///   - oldLogger: the app's old logger, called on the caller's thread.
  ///   - tracker: receives the events of the new side, with new names.
  ///   - remapping: maps old names and keys to new ones. By default nothing changes.
  ///   - rollout: the current rollout, read for each event: a `RemoteConfigFetcher`, a `MutableRollout`, or a fixed
  ///     `RolloutSnapshot`. By default all events go only to the old logger.
  ///   - unitID: returns the installation or user to bucket, for each event; `nil` if unknown.
  ///   - configure: changes any option.
  public convenience init(
    oldLogger: any OldLogger, tracker: Tracker, remapping: RemappingTable = RemappingTable(),
    rollout: some RolloutSource = RolloutSnapshot.oldLoggerOnly, unitID: @escaping @Sendable () -> String?,
    configure: (inout Options) -> Void = { _ in }
  ) {
    var options = Options()
    configure(&options)
    self.init(
      oldLogger, remapping, Parts(tracker: tracker, unitID: unitID, wiring: nil), rollout, options)
  }

  /// What the adapter is made of, besides its options.
  struct Parts {
    let tracker: Tracker
    let unitID: @Sendable () -> String?
    let wiring: Wiring?
  }

  init(
    _ oldLogger: any OldLogger, _ table: RemappingTable, _ parts: Parts, _ rollout: some RolloutSource,
    _ options: Options
  ) {
    let remapping = RemappingProcessor(table, recorder: options.recordsTableUse ? parts.tracker : nil)
    wiring = parts.wiring
    tracker = parts.tracker
    breaker = options.breaker
    self.oldLogger = oldLogger
    self.remapping = remapping
    let principal = SinkBinding(
      .tracker(.newTracker, tracker), form: .new, renaming: remapping, observer: options.sampling?.pairObserver)
    registry = SinkRegistry(
      [principal] + options.newSinks.map { SinkBinding($0, form: .new, renaming: remapping) }
        + options.oldSinks.map { SinkBinding($0, form: .original) }, mutations: options.mutations)
    let router = EventRouter(
      rollout, context: options.context, unitID: parts.unitID, sampling: options.sampling, breaker: breaker)
    self.router = router
    joinKeys = JoinKeys(key: options.oldLoggerEventIDKey, limit: options.oldParameterLimit)
    wallMilliseconds = options.time.wallMilliseconds
    breaker?.connect(tracker, sinks: options.newSinks) { [weak router] in router?.breakerChanged() }
  }

  /// Logs an event to every sink that the rollout selects. Returns at once and never throws.
  ///
  /// The old side gets the event's name and parameters, the new side the remapped event.
  public func log(_ call: EventCall) {
    var call = call
    send(&call, by: router.route(for: call.name), through: registry.pipeline)
  }

  /// Logs an event by its name and parameters; see `EventLogging.log(_:parameters:to:delivery:)`, which this replaces for call sites
  /// that know the adapter's type, because a call through a protocol takes longer.
  public func log(
    _ name: String, parameters: [String: any Sendable] = [:], to scope: Sink.Scope = .all,
    delivery: EventCall.Delivery = .buffered
  ) {
    var call = EventCall(name: name, values: .sendable(parameters), scope: scope, delivery: delivery)
    send(&call, by: router.route(for: name), through: registry.pipeline)
  }

  /// Logs legacy events to every sink that the rollout selects. Returns at once and never throws.
  ///
  /// One call is one call of the old logger, on this thread, with the unchanged name and parameters; also with no
  /// parameters at all. For the new tracker, each dictionary is an event: its values are converted on this thread, because
  /// they are not sendable, and remapped later. A value that JSON cannot hold is left out of the new event and reported; the
  /// rest of the event is sent.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    let (route, pipeline) = (router.route(for: name), registry.pipeline)
    if parameters.count == 1 {
      var call = EventCall(name: name, original: parameters[0])
      send(&call, by: route, through: pipeline)
      return
    }
    let selection = route.selection
    var taken: [(call: EventCall, time: Int64, reachesOldLogger: Bool)] = []
    for payload in parameters {
      var call = EventCall(name: name, original: payload)
      guard let (time, reachesOldLogger) = handOver(&call, by: route, to: selection, through: pipeline) else {
        continue
      }
      taken.append((call, time, reachesOldLogger))
    }
    if parameters.isEmpty, route.decision.shouldSendLogToOldLogger, !isReentrant(name) { callOldLogger(name, []) }
    // Mutations may have changed the name of some.
    var rest = taken.filter(\.reachesOldLogger)[...]
    while let name = rest.first?.call.name {
      let together = rest.prefix { $0.call.name.isExactly(name) }
      callOldLogger(name, together.map { joinKeys.parameters(of: $0.call) })
      rest = rest.dropFirst(together.count)
    }
    guard pipeline.callsDirectly else { return }
    for (call, time, _) in taken {
      pipeline.callDirectly(call, at: time, to: selection) { joinKeys.parameters(of: call) }
    }
  }

  /// Logs one legacy event with its own unit and time, for replays and servers.
  ///
  /// - Returns: the decision.
  @discardableResult
  public func logEvent(
    _ event: LegacyEvent, to scope: Sink.Scope = .all, delivery: EventCall.Delivery = .buffered
  ) -> SinkDecision {
    let route = router.route(for: event.name, unitID: event.unitID)
    var call = EventCall(
      name: event.name, values: .values(event.parameters), id: event.id, time: event.time, scope: scope,
      delivery: delivery)
    send(&call, by: route, through: registry.pipeline)
    return route.decision
  }

  /// The part of an event's path that runs on the caller's thread.
  ///
  /// - Parameters:
  ///   - call: receives its id and the changes of mutations on this thread.
  ///   - callsOldLogger: whether to call the old logger here. An ``OldTypedEvent`` calls it itself.
  /// - Returns: `false` if a mutation dropped the event.
  @discardableResult
  private func send(
    _ call: inout EventCall, by route: EventRoute, through pipeline: SinkPipeline, callsOldLogger: Bool = true
  ) -> Bool {
    let selection = route.selection
    guard let (time, reachesOldLogger) = handOver(&call, by: route, to: selection, through: pipeline) else {
      return false
    }
    // 4. old logger, before the other sinks on this thread, so that it does not wait for them.
    if reachesOldLogger, callsOldLogger {
      callOldLogger(call.name, [joinKeys.parameters(of: call)])
    }
    if pipeline.callsDirectly {
      pipeline.callDirectly(call, at: time, to: selection) { joinKeys.parameters(of: call) }
    }
    return true
  }

  private func callOldLogger(_ name: String, _ parameters: [[String: Any]]) {
    OldCalls.during(name, of: self) { oldLogger.logEvents(name: name, parameters: parameters) }
  }

  /// Whether the old logger, which is being called with this event, has given it to the adapter again. Without the check, the
  /// two would call each other until the stack overflows.
  private func isReentrant(_ name: String) -> Bool {
    guard OldCalls.contains(name, of: self) else { return false }
    Logger(label: "dualsend.adapter").error(
      "the old logger gives \(name.printable()) to the adapter again: wrap the logger behind that facade")
    return true
  }

  /// Steps 1 to 3 for one event.
  ///
  /// - Returns: its time, and whether the old logger gets it; `nil` if a mutation dropped it.
  private func handOver(
    _ call: inout EventCall, by route: EventRoute, to selection: SinkSelection, through pipeline: SinkPipeline
  ) -> (time: Int64, reachesOldLogger: Bool)? {
    if isReentrant(call.name) { return nil }
    // 1. capture: time, id, and the mutations of this thread. Step 2, decide, is done with the route, once for all
    // events of a call, by the call site's name; mutations do not affect it.
    let time = call.time ?? wallMilliseconds()
    if pipeline.needsPreparation {
      let id = call.id ?? joinKeys.newID(at: time)
      guard pipeline.prepare(&call, id: id, at: time, for: selection) else { return nil }
    } else if call.id == nil, joinKeys.isOn {
      call.id = joinKeys.newID(at: time)
    }
    let reachesOldLogger =
      route.decision.shouldSendLogToOldLogger
      && (call.scope.includes(.oldLogger) || route.isForOldLoggerInstead && call.scope.includes(.newTracker))
    if joinKeys.isOn {
      call.decision = joinKeys.decision(
        on: call, by: route, reachesOldLogger: reachesOldLogger, receivers: pipeline.receivers(selection, call.scope))
    }
    // 3. hand over to the trackers' inboxes, in memory. This comes before the old logger, so that the new event is safe
    // even if that never returns. Steps 5 remap, 6 store, 7 deliver and 8 observe follow on each tracker's own queue.
    pipeline.handOver(call, at: time, isObserved: route.isObserved && reachesOldLogger, to: selection)
    return (time, reachesOldLogger)
  }
}

extension DualSendTracker {
  /// The current decision for events with this name, for call sites that send to both sinks themselves.
  ///
  /// ```swift
  /// let decision = dualSend.decision(for: "home.view")
  /// if decision.shouldSendLogToOldLogger { oldLogger.logEvents(name: "home.view", parameters: old) }
  /// if decision.shouldSendLogToNewTracker { dualSend.tracker.sendLog(name: "home.view", payload: new) }
  /// ```
  public func decision(for name: String) -> SinkDecision {
    router.route(for: name).decision
  }

  /// Sends a typed event to the new side. The event itself calls the old logger.
  func handOver(name: String, parameters: [String: Any]) -> (decision: SinkDecision, oldCall: OldEventCall) {
    let (route, pipeline) = (router.route(for: name), registry.pipeline)
    var call = EventCall(name: name, original: parameters)
    guard send(&call, by: route, through: pipeline, callsOldLogger: false) else { return (route.decision, .none) }
    let isUnchanged = !joinKeys.isOn && !pipeline.mutatesOnCaller
    return (route.decision, isUnchanged ? .unchanged : .with(joinKeys.parameters(of: call)))
  }

  /// Changes the context for rules, such as the user's country after a sign-in.
  public func setContext(_ context: DecisionContext) {
    router.set(context)
  }

  /// How many old events got no id, because the app uses its key or there are too many parameters; see
  /// ``Options/oldLoggerEventIDKey``.
  public var oldEventsWithoutID: Int { joinKeys.leftOutCount }

  /// The statistics of the remapping so far.
  public var remappingStatistics: RemappingStatistics {
    remapping.statistics
  }

  /// The names for which the table has an entry and that came to the new side on this installation in the last days, today's
  /// included, sorted. Rows for names that no installation reports can go.
  ///
  /// - Parameter days: at least 1; days begin at midnight UTC.
  /// - Returns: `nil` without ``Options/recordsTableUse``.
  /// - Throws: if the tracker's database cannot be read.
  public func remappedNames(inLast days: Int) async throws -> [String]? {
    try await remapping.use?.names(inLast: days, before: wallMilliseconds())
  }

  /// All sinks except the old logger, the new tracker first.
  public var sinks: [Sink] { registry.bindings.map(\.sink) }

  /// The current mutations.
  public var mutations: [Mutation] { registry.mutations }

  /// Adds, removes or reorders mutations for events that are logged from now on.
  public func changeMutations(_ change: (inout [Mutation]) -> Void) {
    registry.changeMutations(change)
  }

  /// How often each mutation threw, by its name; counted for each sink.
  public var mutationFailures: [String: Int] { registry.mutationFailures }
}
