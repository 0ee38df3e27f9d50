import DualSend
package import DualSendCore
package import DualSendRemapping
package import DualSendRollout

/// A rollout document with its time of publication.
package struct PublishedRollout: Sendable {
  package let document: RolloutDocument
  /// In milliseconds since 1970; `nil` for before all events.
  package let since: Int64?

  package init(_ document: RolloutDocument, since: Int64? = nil) {
    (self.document, self.since) = (document, since)
  }
}

/// The membership of events under rollout documents.
///
/// Apps fetch a document some time after its publication. So an event is judged by all revisions that its app can have
/// had: at the event's time, a revision is possible until ``late`` after the publication of the next one.
package struct RolloutMembership: Sendable {
  /// The paths in new payloads of the values that rollouts depend on.
  package struct Keys: Sendable {
    /// The unit, for lines without a `unitID`.
    package var unit: KeyPathPattern?
    package var properties: [ContextProperty: KeyPathPattern] = [:]
    /// The attributes by name.
    package var attributes: [String: KeyPathPattern] = [:]

    package init() {}

    fileprivate var asksForContext: Bool { !properties.isEmpty || !attributes.isEmpty }
  }

  /// The unit of an event.
  package enum Unit: Sendable {
    /// The unit's id; `nil` if the event has no unit.
    case known(String?)
    /// The line does not name a unit.
    case unknown
  }

  /// The default of ``late``: 24 hours.
  package static let defaultLateness: Int64 = 86_400_000
  /// How far device clocks may be behind the publisher's clock, in milliseconds: 5 minutes.
  private static let clockTolerance: Int64 = 300_000

  /// How long apps may use a revision after the next one is published, in milliseconds.
  package let late: Int64
  private let keys: Keys
  private let context: DecisionContext
  /// In the order of publication.
  private let revisions: [RevisionMembership]

  /// - Parameters:
  ///   - published: at least one document.
  ///   - late: in milliseconds. Not used with one document.
  ///   - context: the context of all events of both streams, overridden by ``Keys``. Its unit is not used.
  ///   - time: a fixed time for schedules, in milliseconds since 1970; `nil` for each event's own time.
  package init(
    _ published: [PublishedRollout], late: Int64 = defaultLateness, context: DecisionContext, keys: Keys,
    at time: Int64?
  ) {
    self.late = late
    self.keys = keys
    self.context = context
    revisions = published.enumerated()
      .sorted { ($0.element.since ?? .min, $0.offset) < ($1.element.since ?? .min, $1.offset) }
      .map { RevisionMembership($0.element, at: time) }
  }

  /// The revisions in the order of publication.
  var revisionNumbers: [Int64] { revisions.map(\.revision) }

  /// The membership of an event with one of these names.
  ///
  /// - Parameters:
  ///   - names: the possible old names.
  ///   - time: in milliseconds since 1970; `nil` if unknown. Then all revisions are possible, before all steps of
  ///     schedules.
  ///   - payload: the new payload, or the old one after the table.
  package func membership(
    of names: [String], unit: Unit, time: Int64?, payload: [String: EventValue]
  ) -> EventMembership {
    let context = context(in: payload)
    let answers = candidates(at: time).map { $0.membership(of: names, unit: unit, time: time, context) }
    var membership = EventMembership(answers, source: .document)
    membership.isInDoubt = !membership.isDefinite && answers.allSatisfy(\.isDefinite)
    return membership
  }

  /// Whether no app with the decision's revision can have made this decision; `false` for an unknown revision.
  package func contradicts(
    _ decision: CarriedDecision, of names: [String], unit: Unit, payload: [String: EventValue]
  ) -> Bool {
    let known = revisions.filter { $0.revision == decision.revision }
    let context = context(in: payload)
    return !known.isEmpty && !known.contains { $0.canDecide(decision, for: names, unit: unit, context) }
  }

  /// The revisions that an app can have had at a time.
  private func candidates(at time: Int64?) -> ArraySlice<RevisionMembership> {
    guard let time, revisions.count > 1 else { return revisions[...] }
    // A revision is possible from its publication until `late` after that of the next one.
    let end = revisions.lastIndex { ($0.since ?? .min).subtracting(Self.clockTolerance) <= time } ?? 0
    let start = revisions[...end].lastIndex { ($0.since ?? .min).adding(late) <= time } ?? 0
    return revisions[start...end]
  }

  private func context(in payload: [String: EventValue]) -> DecisionContext {
    keys.asksForContext ? keys.context(in: payload, over: context) : context
  }

  /// Whether the membership of a pair depends on its new payload.
  func readsPayload(of old: EventLine) -> Bool {
    keys.asksForContext || old.unit == nil && keys.unit != nil
  }

  /// The unit of an event, from its old line or else from its payload.
  func unit(of old: EventLine?, payload: [String: EventValue]) -> Unit {
    if let unit = old?.unit { return unit }
    return keys.unit.map { .known($0.value(in: payload)?.unitID) } ?? .unknown
  }
}

extension RolloutMembership.Keys {
  fileprivate func context(in payload: [String: EventValue], over base: DecisionContext) -> DecisionContext {
    var context = base
    for (property, path) in properties { context.report(path.value(in: payload)?.text, as: property) }
    for (key, path) in attributes { context.attributes[key] = path.value(in: payload)?.text }
    return context
  }
}

extension EventLine {
  /// The unit of the line; `nil` if it has no `unitID`.
  fileprivate var unit: RolloutMembership.Unit? { namesUnit ? .known(unitID) : nil }
}

extension Int64 {
  /// The sum, clamped to the range of `Int64`.
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  fileprivate func subtracting(_ other: Int64) -> Int64 { adding(-other) }
}
