@_spi(Tools) import DualSendCore

/// Takes the old logger's place and sends each event to the old logger, the new tracker, or both, as the rollout says.
///
/// ```swift
/// let dualSend = DualSendTracker(
///   oldLogger: oldLogger, tracker: Tracker(endpoint: url), remapping: table, rollout: snapshot,
///   unitID: { installationID })
/// dualSend.logEvents(name: "home.like_button.tap", parameters: ["item_id": 42])
/// ```
///
/// Nothing that happens on the way to the new tracker can throw to, block or alter the old call, and nothing that goes
/// wrong in the old logger can lose the new event. Safe to use from any thread.
public final class DualSendTracker: OldLogger {
  /// The new tracker, for what is sent to it alone.
  public let tracker: Tracker
  private let oldLogger: any OldLogger
  private let remapping: RemappingTransform
  /// What remaps the events whose pairs are observed.
  private let observed: any EventTransform
  private let rollout: RolloutInForce
  private let stamp: EventStamp
  private let wallMilliseconds: @Sendable () -> Int64

  /// Wraps an old logger.
  ///
  /// - Parameters:
  ///   - oldLogger: called on the thread of the call site.
  ///   - tracker: gets every event for the new sink under its new names.
  ///   - remapping: the old names and keys and the new ones; by default nothing changes.
  ///   - rollout: what decides until ``setRollout(_:)``; by default everything goes to the old logger alone.
  ///   - context: what rules may ask about besides the event; its unit ID is replaced by `unitID`.
  ///   - unitID: the installation or user that is bucketed, asked for each event; `nil` while it is not known.
  ///   - sampling: the units whose pairs of old and new events are observed, and by whom; by default none.
  ///   - options: what is off by default.
  ///   - time: the clock that stamps events.
  public init(
    oldLogger: any OldLogger, tracker: Tracker, remapping: RemappingTable = RemappingTable(),
    rollout: RolloutSnapshot = .oldLoggerOnly, context: DecisionContext = DecisionContext(),
    unitID: @escaping @Sendable () -> String?, sampling: ParitySampling? = nil,
    options: DualSendTracker.Options = DualSendTracker.Options(), time: TimeSource = .system
  ) {
    self.oldLogger = oldLogger
    self.tracker = tracker
    let remapping = RemappingTransform(remapping)
    self.remapping = remapping
    observed = sampling.map { ObservedTransform(remapping, observer: $0.observer) } ?? remapping
    self.rollout = RolloutInForce(rollout, context: context, unitID: unitID, sampling: sampling)
    stamp = EventStamp(key: options.oldLoggerEventIDKey)
    wallMilliseconds = time.wallMilliseconds
  }

  /// Sends legacy events to every sink that the rollout in force selects. Returns at once and never throws.
  ///
  /// The old logger gets the name and the parameters as they are, on this thread. For the new tracker, the values are
  /// converted on this thread, because they may not leave it, and remapped later. A value that JSON cannot hold is
  /// left out of the new event and reported; the event still goes.
  public func logEvents(name: String, parameters: [[String: Any]]) {
    let route = rollout.route(for: name)
    for payload in parameters {
      send(name, payload, by: route) {
        var converter = EventValueConverter()
        return .converted(converter.convert(payload), issues: converter.issues)
      }
    }
  }

  /// Sends legacy events as ``logEvents(name:parameters:)`` does, and leaves the conversion to the new tracker's thread.
  public func sendLogs(name: String, payloads: [[String: any Sendable]]) {
    let route = rollout.route(for: name)
    for payload in payloads {
      send(name, payload, by: route) { .sendable(payload) }
    }
  }

  /// Sends one legacy event; see ``sendLogs(name:payloads:)``.
  public func sendLog(name: String, payload: [String: any Sendable] = [:]) {
    sendLogs(name: name, payloads: [payload])
  }

  /// Sends one legacy event that brings its own unit and time, as a replay or a server does.
  ///
  /// - Returns: the decision that was followed.
  @discardableResult
  public func send(_ event: LegacyEvent) -> SinkDecision {
    let route = rollout.route(for: event.name, unitID: event.unitID)
    let original = event.parameters.mapValues(\.plainValue)
    send(event.name, original, by: route, id: event.id, time: event.time) { .values(event.parameters) }
    return route.decision
  }

  /// The way of every event. Steps 4 to 7 run on the tracker's own thread, after this has returned.
  private func send(
    _ name: String, _ original: @autoclosure () -> [String: Any], by route: EventRoute, id: EventID? = nil,
    time: Int64? = nil, values: () -> CapturedEvent.Payload
  ) {
    // 1. capture
    let time = time ?? wallMilliseconds()
    let id = id ?? stamp.makeID(at: time)
    // 2. decide: done by the caller, once for all events of one call
    if route.decision.shouldSendLogToNewTracker {
      // 4. remap, 5. store, 6. deliver, 7. observe. Handed over before the old logger is called, so that nothing it
      // does, not even never to return, can lose the new event.
      tracker.capture(CapturedEvent(time: time, name: name, payload: values(), id: id, transform: transform(route)))
    }
    // 3. old sink
    if route.decision.shouldSendLogToOldLogger {
      oldLogger.logEvents(name: name, parameters: [stamp.stamped(original(), id)])
    }
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
    rollout.route(for: name).decision
  }

  /// Sends one event to the new tracker if the rollout says so; the old logger is the caller's.
  ///
  /// - Returns: the decision that holds for both sinks.
  func sendToNewTracker(name: String, parameters: [String: Any]) -> SinkDecision {
    let route = rollout.route(for: name)
    if route.decision.shouldSendLogToNewTracker {
      var converter = EventValueConverter()
      let values = CapturedEvent.Payload.converted(converter.convert(parameters), issues: converter.issues)
      tracker.capture(
        CapturedEvent(time: wallMilliseconds(), name: name, payload: values, transform: transform(route)))
    }
    return route.decision
  }

  private func transform(_ route: EventRoute) -> any EventTransform {
    route.isObserved ? observed : remapping
  }

  /// Puts a rollout in force. Events that are being decided at this moment follow one or the other, never a mixture.
  public func setRollout(_ snapshot: RolloutSnapshot) {
    rollout.set(snapshot)
  }

  /// The rollout in force.
  public var currentRollout: RolloutSnapshot {
    rollout.snapshot
  }

  /// Changes what rules may ask about besides the event, such as the user's country after a sign-in.
  public func setContext(_ context: DecisionContext) {
    rollout.set(context)
  }

  /// What the remapping met so far.
  public var remappingStatistics: DualSendTracker.RemappingStatistics {
    remapping.statistics
  }
}

extension DualSendTracker {
  /// What a ``DualSendTracker`` does only if asked.
  public struct Options: Sendable, Hashable {
    /// The key under which the old logger's parameters carry the new event's id, so that both streams can be joined
    /// event by event; `nil` leaves the old parameters untouched.
    public var oldLoggerEventIDKey: String?

    /// Creates options; everything is off.
    public init(oldLoggerEventIDKey: String? = nil) {
      self.oldLoggerEventIDKey = oldLoggerEventIDKey
    }
  }
}
