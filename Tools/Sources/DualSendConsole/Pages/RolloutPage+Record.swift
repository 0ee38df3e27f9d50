import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPage {
  /// The most entries on the page.
  private static let shownEntries = 200

  /// The record for the page: the last entries, newest first, without texts.
  func recordJSON(_ live: [UInt8]?) -> EventValue {
    guard let record else { return .null }
    do {
      let reading = try record.read(lines: Self.shownEntries)
      let findings = reading.findings(live: reading.entries.isEmpty ? nil : live, file: record.path)
      return [
        "entries": .array(reading.entries.reversed().map { $0.json(isWhole: false) }),
        "earlierLines": .int(Int64(reading.unread)), "problems": .array(findings.map { .string($0.message) }),
      ]
    } catch {
      let problem = (error as? CommandError)?.message ?? "\(error)"
      return ["entries": [], "earlierLines": 0, "problems": [.string(problem)]]
    }
  }

  /// One entry, with its plan, and its difference from the text in force.
  func recordEntry(_ id: String) throws -> EventValue {
    let entry = try entry(id)
    guard case .object(var members) = entry.json(isWhole: true) else { return .null }
    let bytes = Array(entry.publication.text.utf8)
    let live = inForce
    let edit = try? live.map { live in
      try RolloutRollback.text(RolloutRollback.Source(bytes, name: ""), withRevision: live.document.revision)
    }
    members["edit"] = .string(edit.map { String(decoding: $0, as: UTF8.self) } ?? entry.publication.text)
    members["isLive"] = .bool(bytes == live?.bytes)
    members["difference"] =
      LineDifference(from: String(decoding: live?.bytes ?? [], as: UTF8.self), to: entry.publication.text).json
    return .object(members)
  }

  func entry(_ id: String) throws -> PublicationRecord.Entry {
    guard let record else { throw ConsoleFailure(404, "the console keeps no record", help: "name one with --history") }
    do { return try record.entry(id) } catch let error as CommandError {
      throw ConsoleFailure(404, error.message, help: error.help)
    }
  }

  /// The message of a request.
  func message(_ request: ConsoleRequest) throws -> String? {
    guard let text = try request.optionalText("message") else { return nil }
    do { return try Publication.message(text) } catch let error as CommandError {
      throw ConsoleFailure(400, error.message, help: error.help)
    }
  }
}
