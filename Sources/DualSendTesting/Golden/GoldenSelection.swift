public import DualSend
import DualSendCore

/// Picks the events that golden files are made of out of many: of each name those with the smallest canonical text, so
/// that the order in which they come does not matter.
public struct GoldenSelection: Sendable {
  /// One event and the file that is about it.
  public struct Case: Sendable, Hashable {
    /// What the call site gave.
    public let event: LegacyEvent
    /// The golden file's name.
    public let file: String
  }

  private struct Candidate: Sendable {
    let text: [UInt8]
    let event: LegacyEvent
  }

  private let perName: Int
  private var candidates: [ExactText: [Candidate]] = [:]

  /// - Parameter perName: the most events of one name, at least 1.
  public init(perName: Int) {
    self.perName = max(1, perName)
  }

  /// Considers an event. Events that say the same count once.
  public mutating func add(_ event: LegacyEvent) {
    let candidate = Candidate(text: event.canonicalText, event: event)
    var smallest = candidates[ExactText(event.name), default: []]
    let position =
      smallest.firstIndex { !$0.text.lexicographicallyPrecedes(candidate.text) } ?? smallest.endIndex
    guard position < perName, position == smallest.endIndex || smallest[position].text != candidate.text else { return }
    smallest.insert(candidate, at: position)
    candidates[ExactText(event.name)] = Array(smallest.prefix(perName))
  }

  /// The picked events by name and canonical text.
  public var cases: [Case] {
    var known: Set<String> = []
    return candidates.sorted { $0.key < $1.key }.flatMap { name, candidates in
      // Many disks do not tell `Tap.json` from `tap.json`.
      let isTaken = !known.insert(GoldenFolder.fileName(name.text).lowercased()).inserted
      return candidates.enumerated().map { index, candidate in
        Case(event: candidate.event, file: GoldenFolder.fileName(name.text, case: index + 1, isHashed: isTaken))
      }
    }
  }
}

extension LegacyEvent {
  /// What an events file says of the event, in canonical JSON.
  fileprivate var canonicalText: [UInt8] {
    var members: [String: EventValue] = ["name": .string(name), "parameters": .object(parameters)]
    if let unitID { members["unitID"] = .string(unitID) }
    if let time { members["time"] = .int(time) }
    return EventValue.object(members).canonicalJSON
  }
}
