package import DualSendCore
import DualSendRollout

/// The state of a guard between looks.
package struct GuardState: Sendable, Hashable {
  /// A decision that is stored before it is carried out.
  package struct Intent: Sendable, Hashable {
    package var decision: GuardDecision
    /// The text to publish, if any.
    package var text: String?
  }

  /// A text that was live.
  package struct Revision: Sendable, Hashable {
    package var text: String
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var since: Int64
  }

  /// What broke a bound, so that lines that come late can withdraw the breach.
  package struct Breach: Sendable, Hashable {
    /// The share that was lowered, in thousandths of a percent.
    var share: Int
    /// The time of the judged events, in milliseconds since 1970-01-01T00:00:00Z.
    var period: ClosedRange<Int64>
    /// The keys of the step's series in the order in which they were seen, which sets their levels.
    var order: [String]
    /// The broken series by key, each with its failures and trials.
    var counts: [String: [Int]]
  }

  /// The most decisions: a number that no guard reaches and that can be counted on.
  private static let maximumNumber: Int64 = 1 << 53
  /// The most revisions in ``earlier``.
  private static let maximumEarlier = 8
  /// The most decisions in ``course`` and in ``untold``.
  private static let maximumCourse = 200

  /// Since when events are judged, in milliseconds since 1970-01-01T00:00:00Z.
  package var since: Int64 {
    didSet { begun = since }
  }
  /// When the step began: before ``since`` if it began again without lines that are gone.
  package var begun: Int64
  /// The live text at the last look.
  package var document: String
  /// The texts that were live before, the oldest one first. Some apps still use them.
  package var earlier: [Revision] = []
  /// The number of decisions so far.
  package var number: Int64 = 0
  /// The series seen at this step, in order.
  package var series: [String] = []
  /// The reason of the stop, until `--resume`; `nil` if the rollout is not stopped.
  package var stopped: String?
  package var broken: Breach?
  /// The shares whose breach was withdrawn, in thousandths of a percent, until `--resume`.
  package var withdrawn: [Int] = []
  package var isDone = false
  /// Whether the guard was resumed, so that a share below the first step is a person's choice.
  package var isHeld = false
  /// The time of the last look; `nil` before the first.
  package var seen: GuardMoment?
  /// The text of another that the guard refused and told of; `nil` if the document is its own.
  package var conflict: String?
  package var intent: Intent?
  /// The summary of the policy for the console.
  package var policy: EventValue = .null
  /// The newest decisions except those to wait: their times, actions and shares.
  package var course: [EventValue] = []
  /// The newest decisions that a channel did not report yet.
  package var untold: [GuardDecision] = []
  /// How far each channel is, by name.
  package var queues: [String: Queue] = [:]
}

extension GuardState {
  /// Every text that an app may have, the live one last.
  package var revisions: [Revision] { earlier + [Revision(text: document, since: begun)] }

  package init(since: Int64, document: String, number: Int64 = 0) {
    (self.since, begun, self.document, self.number) = (since, since, document, number)
  }

  /// Judges only events from now on, and keeps the failures of the step.
  mutating func beginAgain(at time: Int64) {
    let begun = begun
    (since, series) = (time, [])
    self.begun = begun
  }

  /// Notes a decision that was carried out.
  mutating func note(_ decision: GuardDecision) {
    let entry: EventValue = [
      "time": .int(decision.time), "action": .string(decision.action.rawValue),
      "to": .int(Int64(decision.to.thousandths)),
    ]
    course = Array((course + [entry]).suffix(Self.maximumCourse))
  }

  /// Ends the intent, whose decision is in the log.
  mutating func finish(_ decision: GuardDecision) {
    (number, intent) = (decision.number, nil)
    untold = Array((untold + [decision]).suffix(Self.maximumCourse))
    note(decision)
  }

  /// Notes that another text is live.
  mutating func replaceDocument(with text: String, at time: Int64) {
    if !text.isExactly(document) { earlier = Array(revisions.suffix(Self.maximumEarlier)) }
    (document, since) = (text, time)
  }
}

// MARK: - JSON

extension GuardState {
  private static let formatVersion: Int64 = 1

  /// The state as JSON.
  package var json: EventValue {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "since": .int(since), "begun": .int(begun),
      "document": .string(document), "number": .int(number), "series": .array(series.map { .string($0) }),
      "isDone": .bool(isDone), "isHeld": .bool(isHeld), "policy": policy, "course": .array(course),
      "untold": .array(untold.map(\.json)), "queues": .object(queues.mapValues(\.json)),
      "earlier": .array(earlier.map { ["text": .string($0.text), "since": .int($0.since)] }),
      "withdrawn": .array(withdrawn.map { .int(Int64($0)) }),
    ]
    members["seen"] = seen?.json
    members["broken"] = broken?.json
    members["stopped"] = stopped.map { .string($0) }
    members["conflict"] = conflict.map { .string($0) }
    members["intent"] = intent.map { ["decision": $0.decision.json, "text": $0.text.map { .string($0) } ?? .null] }
    return .object(members)
  }

  /// - Returns: `nil` for anything but what ``json`` makes.
  package init?(_ value: EventValue) {
    guard value["formatVersion"]?.number == Self.formatVersion, let since = value["since"]?.number,
      let document = value["document"]?.text, let number = value["number"]?.number,
      (0...Self.maximumNumber).contains(number), let series = value["series"]?.list,
      case .bool(let isDone)? = value["isDone"], let untold = value["untold"]?.list
    else { return nil }
    self.init(since: since, document: document, number: number)
    begun = value["begun"]?.number ?? since
    (self.isDone, isHeld) = (isDone, value["isHeld"] == true)
    self.series = series.compactMap(\.text)
    self.untold = untold.compactMap { GuardDecision($0) }
    earlier = (value["earlier"]?.list ?? []).compactMap { revision in
      guard let text = revision["text"]?.text, let since = revision["since"]?.number else { return nil }
      return Revision(text: text, since: since)
    }
    if case .object(let queues)? = value["queues"] { self.queues = queues.compactMapValues { Queue($0) } }
    withdrawn = (value["withdrawn"]?.list ?? []).compactMap { $0.number.map { Int(clamping: $0) } }
    policy = value["policy"] ?? .null
    course = value["course"]?.list ?? []
    seen = value["seen"].flatMap { GuardMoment($0) }
    broken = value["broken"].flatMap { Breach($0) }
    (stopped, conflict) = (value["stopped"]?.text, value["conflict"]?.text)
    guard let intent = value["intent"] else { return }
    guard let decision = intent["decision"].flatMap({ GuardDecision($0) }) else { return nil }
    self.intent = Intent(decision: decision, text: intent["text"]?.text)
  }
}

extension GuardState.Breach {
  fileprivate var json: EventValue {
    [
      "share": .int(Int64(share)), "from": .int(period.lowerBound), "to": .int(period.upperBound),
      "order": .array(order.map { .string($0) }),
      "counts": .object(counts.mapValues { .array($0.map { .int(Int64($0)) }) }),
    ]
  }

  fileprivate init?(_ value: EventValue) {
    guard let share = value["share"]?.number, let from = value["from"]?.number, let to = value["to"]?.number,
      from <= to, let order = value["order"]?.list, case .object(let counts)? = value["counts"]
    else { return nil }
    self.init(
      share: Int(clamping: share), period: from...to, order: order.compactMap(\.text),
      counts: counts.compactMapValues { count in
        let numbers = (count.list ?? []).compactMap { $0.number.map { Int(clamping: $0) } }
        return numbers.count == 2 ? numbers : nil
      })
  }
}

extension EventValue {
  subscript(key: String) -> EventValue? { if case .object(let members) = self { members[key] } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Int64? { if case .int(let number) = self { number } else { nil } }
  var list: [EventValue]? { if case .array(let elements) = self { elements } else { nil } }
}
