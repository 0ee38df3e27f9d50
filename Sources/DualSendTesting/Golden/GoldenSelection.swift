public import DualSend
import DualSendCore

/// Selects events for golden files: of each name those with the smallest canonical text, independent of their order.
public struct GoldenSelection: Sendable {
  /// One event and its golden file.
  public struct Case: Sendable, Hashable {
    /// The call site's event.
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

  /// - Parameter perName: the most events for each name, at least 1.
  public init(perName: Int) {
    self.perName = max(1, perName)
  }

  /// Adds a candidate. Equal events count once.
  public mutating func add(_ event: LegacyEvent) {
    let candidate = Candidate(text: event.canonicalText, event: event)
    var smallest = candidates[ExactText(event.name), default: []]
    let position =
      smallest.firstIndex { !$0.text.lexicographicallyPrecedes(candidate.text) } ?? smallest.endIndex
    guard position < perName, position == smallest.endIndex || smallest[position].text != candidate.text else { return }
    smallest.insert(candidate, at: position)
    candidates[ExactText(event.name)] = Array(smallest.prefix(perName))
  }

  /// The selected events, sorted by name and canonical text.
  public var cases: [Case] {
    var known: Set<String> = []
    return candidates.sorted { $0.key < $1.key }.flatMap { name, candidates in
      // Many file systems are case-insensitive.
      let isTaken = !known.insert(GoldenFolder.fileName(name.text).lowercased()).inserted
      return candidates.enumerated().map { index, candidate in
        Case(event: candidate.event, file: GoldenFolder.fileName(name.text, case: index + 1, isHashed: isTaken))
      }
    }
  }
}

extension LegacyEvent {
  /// The event as in an events file, in canonical JSON.
  fileprivate var canonicalText: [UInt8] {
    var members: [String: EventValue] = ["name": .string(name), "parameters": .object(parameters)]
    if let unitID { members["unitID"] = .string(unitID) }
    if let time { members["time"] = .int(time) }
    return EventValue.object(members).canonicalJSON
  }
}
