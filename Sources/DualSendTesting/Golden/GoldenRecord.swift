public import DualSend
import DualSendCore
package import DualSendRollout
import DualSendTables

/// The record of one legacy event: the content of a golden file.
public struct GoldenRecord: Sendable, Hashable {
  /// The call site's event.
  public let input: LegacyEvent
  /// The selected sinks.
  public let outcome: SinkDecision.Outcome
  /// The reasons of the decision.
  package let explanation: SinkDecision.Explanation
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

// MARK: - Golden verdict

/// The result of comparing a record with its golden file.
public enum GoldenVerdict: Sendable, Hashable {
  /// The file has the same content.
  case matches
  /// The contents differ. Holds the differing lines: `-` in the file, `+` now.
  case differs(String)
  /// The file does not exist.
  case missing
}

/// The error of a failed golden check. Contains payloads.
public enum GoldenFailure: Error, Sendable, Hashable {
  /// The contents differ.
  case differs(file: String, lines: String)
  /// The file does not exist.
  case missing(file: String)
  /// Files without an event.
  case orphaned(files: [String])
  /// The file was recorded. A recording run always fails.
  case recorded(file: String)
  /// Recording was requested on CI.
  case recordingRefused
  /// The file or its folder cannot be read or written. Holds the system's message.
  case inaccessible(file: String, reason: String)
}

extension GoldenFailure: CustomStringConvertible {
  /// The message and how to fix it.
  public var description: String {
    switch self {
    case .differs(let file, let lines):
      """
      the golden file \(file) differs (- golden file, + now):
      \(lines)
      if the new content is right, \(Self.howToRecord)
      """
    case .missing(let file): "the golden file \(file) is missing; \(Self.howToRecord)"
    case .orphaned(let files): "no event belongs to these golden files, delete them: \(files.joined(separator: ", "))"
    case .recorded(let file):
      "the golden file \(file) was recorded; look at it, commit it, and run again without recording"
    case .recordingRefused: "golden files are not recorded where `CI` is set; unset \(GoldenMode.recordingVariable)"
    case .inaccessible(let file, let reason): "\(file): \(reason)"
    }
  }

  private static var howToRecord: String {
    "record it with \(GoldenMode.recordingVariable)=1, look at it, and commit it"
  }
}

/// Whether golden files are compared or written.
public enum GoldenMode: Sendable, Hashable {
  /// Files are compared.
  case verify
  /// Files are written.
  case record

  /// The environment variable that enables recording if it is `1`.
  public static let recordingVariable = "DUALSEND_RECORD_GOLDEN"

  /// Reads the mode from a process's environment.
  ///
  /// - Throws: ``GoldenFailure/recordingRefused`` if recording is requested and `CI` is set and not empty.
  public init(environment: [String: String]) throws(GoldenFailure) {
    guard environment[Self.recordingVariable] == "1" else {
      self = .verify
      return
    }
    guard !Self.refusesRecording(in: environment) else { throw .recordingRefused }
    self = .record
  }

  /// Whether recording is refused because this is a CI run: `CI` is set and not empty.
  public static func refusesRecording(in environment: [String: String]) -> Bool {
    environment["CI"]?.isEmpty == false
  }
}
