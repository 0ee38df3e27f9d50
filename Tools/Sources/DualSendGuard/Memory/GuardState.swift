package import DualSendCore
import DualSendRollout

/// What a guard knows from one look to the next.
package struct GuardState: Sendable, Hashable {
  /// A decision that is written down before anything is done about it.
  package struct Intent: Sendable, Hashable {
    package var decision: GuardDecision
    /// The text that is to be published; `nil` if nothing is.
    package var text: String?
    /// The step after it; `nil` below the first one.
    package var step: Int?
  }

  /// The step that holds; `nil` below the first one.
  package var step: Int?
  /// Since when it holds, in milliseconds since 1970-01-01T00:00:00Z.
  package var since: Int64
  /// The text that is live, as far as the guard knows.
  package var document: String
  /// How many decisions there were.
  package var number: Int64 = 0
  /// Which series were seen at this step, in this order.
  package var series: [String] = []
  /// Why the rollout stands until a person lets it go on; `nil` if it does not.
  package var stopped: String?
  package var isDone = false
  package var intent: Intent?
  /// Decisions that were not told yet.
  package var untold: [GuardDecision] = []
}

extension GuardState {
  private static let formatVersion: Int64 = 1

  /// The state as its file holds it.
  package var json: EventValue {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "since": .int(since), "document": .string(document),
      "number": .int(number), "series": .array(series.map { .string($0) }), "isDone": .bool(isDone),
      "untold": .array(untold.map(\.json)),
    ]
    members["step"] = step.map { .int(Int64($0)) }
    members["stopped"] = stopped.map { .string($0) }
    if let intent {
      var inner: [String: EventValue] = ["decision": intent.decision.json]
      inner["text"] = intent.text.map { .string($0) }
      inner["step"] = intent.step.map { .int(Int64($0)) }
      members["intent"] = .object(inner)
    }
    return .object(members)
  }

  /// - Returns: `nil` for anything but what ``json`` makes.
  package init?(_ value: EventValue) {
    guard case .object(let members) = value, members["formatVersion"] == .int(Self.formatVersion),
      case .int(let since)? = members["since"], case .string(let document)? = members["document"],
      case .int(let number)? = members["number"], case .array(let series)? = members["series"],
      case .bool(let isDone)? = members["isDone"], case .array(let untold)? = members["untold"]
    else { return nil }
    self.init(step: Self.step(members), since: since, document: document, number: number)
    self.isDone = isDone
    self.series = series.compactMap { if case .string(let text) = $0 { text } else { nil } }
    self.untold = untold.compactMap { GuardDecision($0) }
    if case .string(let text)? = members["stopped"] { stopped = text }
    guard let intent = members["intent"] else { return }
    guard case .object(let inner) = intent, let decision = inner["decision"].flatMap({ GuardDecision($0) }) else {
      return nil
    }
    var text: String?
    if case .string(let held)? = inner["text"] { text = held }
    self.intent = Intent(decision: decision, text: text, step: Self.step(inner))
  }

  private static func step(_ members: [String: EventValue]) -> Int? {
    if case .int(let step)? = members["step"] { Int(clamping: step) } else { nil }
  }
}
