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
  /// The most decisions in ``course``.
  private static let maximumCourse = 200

  /// Since when the step holds, in milliseconds since 1970-01-01T00:00:00Z.
  package var since: Int64
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
  /// Decisions that were not reported yet.
  package var untold: [GuardDecision] = []
  /// The channels that reported the first of ``untold``.
  package var toldBy: [String] = []
}

extension GuardState {
  /// Every text that an app may have, the live one last.
  package var revisions: [Revision] { earlier + [Revision(text: document, since: since)] }

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
    untold.append(decision)
    note(decision)
  }

  /// Notes that another text is live.
  mutating func replaceDocument(with text: String, at time: Int64) {
    if !text.isExactly(document) { earlier = Array(revisions.suffix(Self.maximumEarlier)) }
    (document, since) = (text, time)
  }
}

extension GuardState.Revision {
  fileprivate init?(_ value: EventValue) {
    guard case .object(let members) = value, case .string(let text)? = members["text"],
      case .int(let since)? = members["since"]
    else { return nil }
    self.init(text: text, since: since)
  }
}

extension GuardState.Breach {
  fileprivate init?(_ value: EventValue) {
    guard case .object(let members) = value, case .int(let from)? = members["from"], case .int(let to)? = members["to"],
      from <= to, case .array(let order)? = members["order"], case .object(let counts)? = members["counts"]
    else { return nil }
    self.init(
      period: from...to, order: order.compactMap { if case .string(let key) = $0 { key } else { nil } },
      counts: counts.compactMapValues { count in
        guard case .array(let numbers) = count, case .int(let failures)? = numbers.first,
          case .int(let trials)? = numbers.last, numbers.count == 2
        else { return nil }
        return [Int(failures), Int(trials)]
      })
  }
}

extension GuardState {
  private static let formatVersion: Int64 = 1

  /// The state as JSON.
  package var json: EventValue {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "since": .int(since), "document": .string(document),
      "number": .int(number), "series": .array(series.map { .string($0) }), "isDone": .bool(isDone),
      "policy": policy, "course": .array(course),
      "untold": .array(untold.map(\.json)), "toldBy": .array(toldBy.map { .string($0) }),
      "earlier": .array(earlier.map { ["text": .string($0.text), "since": .int($0.since)] }),
    ]
    members["seen"] = seen.map { ["time": .int($0.time), "uptime": .int($0.uptime)] }
    members["broken"] = broken.map { breach in
      [
        "from": .int(breach.period.lowerBound), "to": .int(breach.period.upperBound),
        "order": .array(breach.order.map { .string($0) }),
        "counts": .object(breach.counts.mapValues { .array($0.map { .int(Int64($0)) }) }),
      ]
    }
    members["isHeld"] = isHeld ? true : nil
    members["stopped"] = stopped.map { .string($0) }
    members["conflict"] = conflict.map { .string($0) }
    if let intent {
      var inner: [String: EventValue] = ["decision": intent.decision.json]
      inner["text"] = intent.text.map { .string($0) }
      members["intent"] = .object(inner)
    }
    return .object(members)
  }

  /// - Returns: `nil` for anything but what ``json`` makes.
  package init?(_ value: EventValue) {
    guard case .object(let members) = value, members["formatVersion"] == .int(Self.formatVersion),
      case .int(let since)? = members["since"], case .string(let document)? = members["document"],
      case .int(let number)? = members["number"], (0...Self.maximumNumber).contains(number),
      case .array(let series)? = members["series"],
      case .bool(let isDone)? = members["isDone"], case .array(let untold)? = members["untold"]
    else { return nil }
    self.init(since: since, document: document, number: number)
    self.isDone = isDone
    self.series = series.compactMap { if case .string(let text) = $0 { text } else { nil } }
    self.untold = untold.compactMap { GuardDecision($0) }
    if case .array(let earlier)? = members["earlier"] {
      self.earlier = earlier.compactMap { Revision($0) }
    }
    if case .array(let toldBy)? = members["toldBy"] {
      self.toldBy = toldBy.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    policy = members["policy"] ?? .null
    isHeld = members["isHeld"] == true
    if case .array(let course)? = members["course"] { self.course = course }
    seen = members["seen"].flatMap { GuardMoment($0) }
    broken = members["broken"].flatMap { Breach($0) }
    if case .string(let text)? = members["stopped"] { stopped = text }
    if case .string(let text)? = members["conflict"] { conflict = text }
    guard let intent = members["intent"] else { return }
    guard case .object(let inner) = intent, let decision = inner["decision"].flatMap({ GuardDecision($0) }) else {
      return nil
    }
    var text: String?
    if case .string(let held)? = inner["text"] { text = held }
    self.intent = Intent(decision: decision, text: text)
  }
}
