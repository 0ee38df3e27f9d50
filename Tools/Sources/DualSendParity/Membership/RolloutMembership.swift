import DualSend
package import DualSendCore
package import DualSendRemapping
package import DualSendRollout

/// A rollout document, and when apps could first get it.
package struct PublishedRollout: Sendable {
  package let document: RolloutDocument
  /// Milliseconds since 1970; `nil` if it was there before any event.
  package let since: Int64?

  package init(_ document: RolloutDocument, since: Int64? = nil) {
    (self.document, self.since) = (document, since)
  }
}

/// Where rollout documents send events, as far as two streams say what they ask for.
///
/// Apps fetch a document some time after it was published. An event is therefore judged by every revision that its app could
/// have had: those published at most ``late`` before the next one was, seen from the event's own time.
package struct RolloutMembership: Sendable {
  /// Where new payloads carry what a rollout asks for. The old payload has it where the table takes it from.
  package struct Keys: Sendable {
    /// The unit, for lines that do not name it themselves.
    package var unit: KeyPathPattern?
    package var properties: [ContextProperty: KeyPathPattern] = [:]
    /// By the attribute's name.
    package var attributes: [String: KeyPathPattern] = [:]

    package init() {}

    fileprivate var asksForContext: Bool { !properties.isEmpty || !attributes.isEmpty }
  }

  /// Whose an event is.
  package enum Unit: Sendable {
    /// The unit's id, or that there is none.
    case known(String?)
    /// The line does not say.
    case unknown
  }

  /// How long apps may go on with a revision after the next one was published, in milliseconds: 24 hours.
  package static let defaultLateness: Int64 = 86_400_000
  /// How far a device's clock may be behind the one that published, in milliseconds: 5 minutes.
  private static let clockTolerance: Int64 = 300_000

  /// How long apps may go on with a revision after the next one was published, in milliseconds.
  package let late: Int64
  private let keys: Keys
  private let context: DecisionContext
  /// In the order in which they were published.
  private let revisions: [RevisionMembership]

  /// - Parameters:
  ///   - published: at least one document.
  ///   - late: milliseconds; without meaning for one document.
  ///   - context: what holds for every event of both streams; ``Keys`` win over it. Its unit is not used.
  ///   - time: reads schedules at one time, in milliseconds since 1970; `nil` reads them at each event's own.
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

  /// The revisions in the order in which they were published.
  var revisionNumbers: [Int64] { revisions.map(\.revision) }

  /// Where an event belongs that the rollout knows by one of these names.
  ///
  /// - Parameters:
  ///   - names: the old names that the event may have.
  ///   - time: milliseconds since 1970; `nil` where the line has none: any revision may have been in force, before any
  ///     step of its schedules.
  ///   - payload: the new payload, or what the table makes of the old one.
  package func membership(
    of names: [String], unit: Unit, time: Int64?, payload: [String: EventValue]
  ) -> EventMembership {
    let context = context(in: payload)
    let answers = candidates(at: time).map { $0.membership(of: names, unit: unit, time: time, context) }
    var membership = EventMembership(answers, source: .document)
    membership.isInDoubt = !membership.isDefinite && answers.allSatisfy(\.isDefinite)
    return membership
  }

  /// Whether a stamp says what no app with its revision can have decided; `false` if the revision is not known here.
  package func contradicts(
    _ stamp: DecisionStamp, of names: [String], unit: Unit, payload: [String: EventValue]
  ) -> Bool {
    let known = revisions.filter { $0.revision == stamp.revision }
    let context = context(in: payload)
    return !known.isEmpty && !known.contains { $0.canDecide(stamp, for: names, unit: unit, context) }
  }

  /// The revisions that an app could have had at a time.
  private func candidates(at time: Int64?) -> ArraySlice<RevisionMembership> {
    guard let time, revisions.count > 1 else { return revisions[...] }
    // One begins when it is published and ends `late` after the next one is.
    let end = revisions.lastIndex { ($0.since ?? .min).subtracting(Self.clockTolerance) <= time } ?? 0
    let start = revisions[...end].lastIndex { ($0.since ?? .min).adding(late) <= time } ?? 0
    return revisions[start...end]
  }

  private func context(in payload: [String: EventValue]) -> DecisionContext {
    keys.asksForContext ? keys.context(in: payload, over: context) : context
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
  /// Whose event the line says it is; `nil` if it does not say.
  fileprivate var unit: RolloutMembership.Unit? { namesUnit ? .known(unitID) : nil }
}

extension Int64 {
  /// The sum, or the nearest number that there is.
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  fileprivate func subtracting(_ other: Int64) -> Int64 { adding(-other) }
}
