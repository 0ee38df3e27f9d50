public import DualSend
import DualSendCore

/// What became of one legacy event on its way through the adapter: the content of a golden file.
public struct GoldenRecord: Sendable, Hashable {
  /// The event as the call site gave it.
  public let input: LegacyEvent
  /// Which sinks were chosen.
  public let outcome: SinkDecision.Outcome
  /// Why they were chosen.
  public let explanation: SinkDecision.Explanation
  /// What the old logger got; `nil` if nothing.
  public let old: RecordingOldLogger.Entry?
  /// What the collector got, in its wire form; `nil` if nothing.
  public let new: EventValue?
}

extension GoldenRecord {
  /// The file's content: JSON over many lines, always the same for the same record.
  public var text: String {
    IndentedJSON.text([
      ("input", inputValue), ("decision", decisionValue), ("old", oldValue), ("new", new ?? .null),
    ])
  }

  private var inputValue: EventValue {
    var members: [String: EventValue] = ["name": .string(input.name), "parameters": .object(input.parameters)]
    if let unitID = input.unitID { members["unitID"] = .string(unitID) }
    if let time = input.time { members["time"] = .int(time) }
    if let id = input.id { members["id"] = .string(id.description) }
    return .object(members)
  }

  private var decisionValue: EventValue {
    var members: [String: EventValue] = [
      "outcome": .string(outcome.rawValue), "oldLogger": .string(explanation.oldLogger.description),
      "newTracker": .string(explanation.newTracker.description),
    ]
    if let bucket = explanation.newTracker.bucket { members["bucket"] = .int(Int64(bucket)) }
    return .object(members)
  }

  private var oldValue: EventValue {
    old.map { ["name": .string($0.name), "parameters": .object($0.parameters)] } ?? .null
  }
}
