import DualSendCore
import DualSendRollout
import DualSendTracking

/// The way of an event where there is more than an old logger and a tracker: more sinks, mutations, a scope. The steps are
/// those of `DualSendTracker.swift`.
extension DualSendTracker {
  /// Takes an event as far as the caller's thread goes.
  ///
  /// - Returns: what the old logger is to get of it, for a call site that calls it by itself.
  @discardableResult
  func fanOut(_ call: EventCall, by route: EventRoute) -> OldLoggerCall {
    // 1. capture: all sinks know the event by one id.
    let time = call.time ?? wallMilliseconds()
    let id = call.id ?? stamp.newID(at: time)
    var call = call
    call.mutate(by: callerMutations, id: id, time: time)
    // 2. decide: the rollout for each side, and for a sink that it narrows. 3. hand over, in memory.
    var encodings = SharedEncodings()
    for entry in sinks.stored where route.includes(entry, call.scope) {
      let form = call.form(for: entry.side)
      let transform = entry.transform(for: call, isObserved: route.isObserved)
      entry.sink.tracker?.capture(
        CapturedEvent(
          time: time, name: form.name, payload: form.payload, id: id, transform: transform, source: call.source,
          isUrgent: call.delivery == .immediately,
          shared: sinks.mayShare ? encodings.encoding(on: entry.side, by: transform) : nil))
    }
    // 4. old sink, before the others that are called on this thread: it must not wait for what they do.
    let oldCall = OldLoggerCall(name: call.name, parameters: call.parameters, stamp: stamp, id: id)
    if route.decision.shouldSendLogToOldLogger, call.scope.includes(.oldLogger) { oldCall.make(to: oldLogger) }
    for entry in sinks.direct where route.includes(entry, call.scope) {
      callDirectly(entry, with: call, oldCall, time: time)
    }
    return oldCall
  }

  private func callDirectly(
    _ entry: SinkSet.Entry, with call: EventCall, _ oldCall: OldLoggerCall, time: Int64
  ) {
    if entry.side == .old, case .logger(let logger) = entry.sink.outlet { return oldCall.make(to: logger) }
    let form = call.form(for: entry.side)
    var event = TrackingEvent(id: oldCall.id, time: time, name: form.name, payload: form.payload.converted.values)
    if let transform = entry.transform(for: call, isObserved: false) {
      event = transform.transformed(event, source: call.source)
    }
    switch entry.sink.outlet {
    case .logger(let logger):
      logger.logEvents(name: event.name, parameters: [event.payload.mapValues(\.plainValue)])
    case .direct(let sink): sink.receive(event)
    case .tracker: break
    }
  }
}

/// A call of an old logger with the parameters of one event.
struct OldLoggerCall {
  let name: String
  let parameters: EventCall.Parameters
  let stamp: EventStamp
  let id: EventID

  /// The parameters, with the id that joins both streams where that is asked for.
  var stamped: [String: Any] { stamp.stamped(parameters.dictionary, id) }

  func make(to logger: any OldLogger) {
    logger.logEvents(name: name, parameters: [stamped])
  }
}

extension EventRoute {
  /// Whether the rollout and the call let a sink have the event.
  fileprivate func includes(_ entry: SinkSet.Entry, _ scope: Sink.Scope) -> Bool {
    includes(entry.sink.id, on: entry.side) && scope.includes(entry.sink.id)
  }
}
