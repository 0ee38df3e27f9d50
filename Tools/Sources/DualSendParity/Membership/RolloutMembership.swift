import DualSend
package import DualSendCore
package import DualSendRemapping
package import DualSendRollout

/// Where a rollout document sends events, as far as two streams say what it asks for.
package struct RolloutMembership: Sendable {
  /// Where new payloads carry what a rollout asks for. The old payload has it where the table takes it from.
  package struct Keys: Sendable {
    /// The unit, for lines that do not name it themselves.
    package var unit: KeyPathPattern?
    package var appVersion: KeyPathPattern?
    package var platform: KeyPathPattern?
    /// By the attribute's name.
    package var attributes: [String: KeyPathPattern] = [:]

    package init() {}

    fileprivate var asksForContext: Bool { appVersion != nil || platform != nil || !attributes.isEmpty }
  }

  /// Whose an event is.
  package enum Unit: Sendable {
    /// The unit's id, or that there is none.
    case known(String?)
    /// The line does not say.
    case unknown
  }

  package let revision: Int64
  private let keys: Keys
  private let context: DecisionContext
  /// The document at the one time, or before any step of its schedules.
  private let first: RolloutSnapshot
  /// The document after each step, and since when it holds; the last step first.
  private let later: [(start: Int64, snapshot: RolloutSnapshot)]
  private let namedUnits: [String]

  /// - Parameters:
  ///   - context: what holds for every event of both streams; ``Keys`` win over it. Its unit is not used.
  ///   - time: reads schedules at one time, in milliseconds since 1970; `nil` reads them at each event's own.
  package init(_ document: RolloutDocument, context: DecisionContext, keys: Keys, at time: Int64?) {
    revision = document.revision
    self.keys = keys
    self.context = context
    first = RolloutSnapshot(document, at: time)
    let changes = time == nil ? document.changeTimes : []
    later = changes.reversed().map { (start: $0, snapshot: RolloutSnapshot(document, at: $0)) }
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }).sorted()
  }

  /// Where an event belongs that the rollout knows by one of these names.
  ///
  /// - Parameters:
  ///   - names: the old names that the event may have.
  ///   - time: milliseconds since 1970; `nil` where the line has none, which is before any step of a schedule.
  ///   - payload: the new payload, or what the table makes of the old one.
  package func membership(
    of names: [String], unit: Unit, time: Int64?, payload: [String: EventValue]
  ) -> EventMembership {
    let snapshot = later.first { $0.start <= time ?? .min }?.snapshot ?? first
    var context = keys.asksForContext ? keys.context(in: payload, over: context) : context
    return EventMembership(
      names.flatMap { name -> [EventMembership] in
        switch unit {
        case .known(let id):
          context.unitID = id
          return [EventMembership(snapshot.decision(for: name, context: context).outcome)]
        case .unknown: return possibilities(for: name, context, snapshot)
        }
      })
  }

  /// Whether a pair's new payload says anything that its old line does not.
  func readsPayload(of old: EventLine) -> Bool {
    keys.asksForContext || old.unit == nil && keys.unit != nil
  }

  /// Whose an event is: by its old line, else by its payload.
  func unit(of old: EventLine?, payload: [String: EventValue]) -> Unit {
    if let unit = old?.unit { return unit }
    return keys.unit.map { .known($0.value(in: payload)?.unitID) } ?? .unknown
  }

  /// Every outcome that some unit, or none, would have.
  private func possibilities(
    for name: String, _ context: DecisionContext, _ snapshot: RolloutSnapshot
  ) -> [EventMembership] {
    var context = context
    let intervals = snapshot.expectation(for: name, context: context)
    let anyUnit = SinkDecision.Outcome.allCases.filter { !(intervals?.buckets(of: $0).isEmpty ?? true) }
    let special = ([nil] + namedUnits).map { id in
      context.unitID = id
      return snapshot.decision(for: name, context: context).outcome
    }
    return (anyUnit + special).map { EventMembership($0) }
  }
}

extension RolloutMembership.Keys {
  fileprivate func context(in payload: [String: EventValue], over base: DecisionContext) -> DecisionContext {
    var context = base
    if let appVersion {
      context.appVersion = appVersion.value(in: payload).flatMap { DecisionContext.AppVersion.prefix(of: $0.text) }
    }
    if let platform { context.platform = platform.value(in: payload)?.text }
    for (key, path) in attributes { context.attributes[key] = path.value(in: payload)?.text }
    return context
  }
}

extension EventLine {
  /// Whose event the line says it is; `nil` if it does not say.
  fileprivate var unit: RolloutMembership.Unit? { namesUnit ? .known(unitID) : nil }
}

extension EventMembership {
  /// Where a decision sends an event.
  package init(_ outcome: SinkDecision.Outcome) {
    self.init(old: outcome.includesOldLogger, new: outcome.includesNewTracker)
  }
}
