public import DualSend
import DualSendCore
public import DualSendRollout
import DualSendTables

/// The record of one legacy event: the content of a golden file.
public struct GoldenRecord: Sendable, Hashable {
  /// The call site's event.
  public let input: LegacyEvent
  /// The selected sinks.
  public let outcome: SinkDecision.Outcome
  /// The reasons of the decision.
  public let explanation: SinkDecision.Explanation
  /// The event that the old logger got; `nil` if none.
  public let old: RecordingOldLogger.Entry?
  /// The event that the collector got, in wire form; `nil` if none.
  public let new: EventValue?
}

extension GoldenRecord {
  /// The file's content: indented JSON, deterministic.
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
