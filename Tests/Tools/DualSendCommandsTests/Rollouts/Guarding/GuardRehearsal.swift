import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendRemapping
import DualSendRollout
import DualSendTool
import Foundation

/// A rollout of the fixtures' app that `guard` alone moves: its events are written to both streams as the live document says,
/// and `guard --once` looks at them.
struct GuardRehearsal {
  let folder: TemporaryFiles
  let recording = RecordingTerminal()
  private let events: ArraySlice<LegacyFiles.TrackingEvent>
  private let table: RemappingTable

  static let policy = """
    {
      "formatVersion": 1, "steps": [5, 25, 50, 100], "units": "events", "hold": "0s", "settle": "0s", "onBreach": "back",
      "bounds": [
        {"of": "failing", "limit": "2%", "together": true}, {"of": "failing", "limit": "5%", "required": false}
      ]
    }
    """

  init() throws {
    folder = try TemporaryFiles()
    events = try LegacyFiles.events().prefix(1_200)
    let file = LegacyFiles.folder.appendingPathComponent("legacy/remapping.json")
    table = try RemappingTable(reading: try Data(contentsOf: file))
    try folder.write("policy.json", Self.policy)
    for name in ["old", "new"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    _ = try folder.rollout(#""shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 5"#, salt: "tracker-2025")
  }

  var arguments: [String] {
    [
      "guard", folder.path("rollout.json"), "--policy", folder.path("policy.json"), "--old", folder.path("old"),
      "--new",
      folder.path("new"), "--remap", LegacyFiles.folder.appendingPathComponent("legacy/remapping.json").path,
      "--rollout", folder.path("rollout.json"),
    ]
  }

  var document: RolloutDocument {
    get throws { try RolloutDocument(reading: try folder.read("rollout.json").utf8) }
  }

  /// The share of units that get the new tracker, in percent.
  var share: Int? {
    get throws {
      let text = try folder.read("rollout.json")
      return try /"shouldSendLogToNewTracker": ([0-9]+)/.firstMatch(in: text).flatMap { Int($0.1) }
    }
  }

  func look(_ more: String...) async -> CommandStatus {
    await DualSendCommand.run(arguments + ["--once"] + more, on: recording.terminal)
  }

  /// A look whose standard input is a text.
  func look(_ more: String..., input: String) async throws -> CommandStatus {
    let input = RecordingTerminal(input: try folder.input(input))
    let status = await DualSendCommand.run(arguments + ["--once"] + more, on: input.terminal)
    recording.terminal.note(input.diagnostics)
    return status
  }

  /// Writes each event once more, made now, as a log shipper does: a file a round.
  ///
  /// - Parameters:
  ///   - outdated: the document that all apps use instead of the live one.
  ///   - isWrong: whether the new side of an event has another value than the table gives it.
  func ship(_ round: Int, by outdated: RolloutDocument? = nil, isWrong: (String) -> Bool = { _ in false }) throws {
    let rollout = RolloutSnapshot(try outdated ?? document)
    let now = EventValue.int(TimeSource.system.wallMilliseconds())
    var (old, new) = ("", "")
    for (index, event) in events.enumerated() {
      let id = EventValue.string("\(round)-\(index)")
      var line: [String: EventValue] = [
        "eventId": id, "name": .string(event.name), "parameters": .object(event.parameters), "time": now,
      ]
      line["unitID"] = event.unitID.map { .string($0) } ?? .null
      old += EventValue.object(line).canonicalText + "\n"
      guard rollout.decision(for: event.name, context: DecisionContext(unitID: event.unitID)).shouldSendLogToNewTracker
      else { continue }
      var remapped = table.apply(to: event.name, payload: event.parameters)
      if isWrong(event.name) { remapped.payload["wrong_row"] = true }
      let made: EventValue = [
        "eventId": id, "eventName": .string(remapped.name), "eventTime": now, "payload": .object(remapped.payload),
      ]
      new += made.canonicalText + "\n"
    }
    try folder.write("old/\(round).jsonl", old)
    try folder.write("new/\(round).jsonl", new)
  }

  /// Since when the guard judges events, in milliseconds since 1970-01-01T00:00:00Z.
  var stepStart: Int64 {
    get throws {
      guard case .object(let state) = try JSONReader().value(try folder.read("rollout.json.guard-state").utf8),
        case .int(let since)? = state["since"]
      else { return 0 }
      return since
    }
  }

  /// The decisions of the log but those to wait.
  func decisions() throws -> [String] {
    try folder.read("rollout.json.guard-log").split(separator: "\n").compactMap { line in
      guard case .object(let members) = try JSONReader().value(line.utf8),
        case .string(let action)? = members["action"],
        case .int(let to)? = members["to"], action != "wait"
      else { return nil }
      return "\(action) \(to / 1000)"
    }
  }
}
