import DualSend
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendCore
import DualSendTool
import Foundation
import Testing

@Suite("What a document says without a fault and hardly anybody means", .timeLimit(.minutes(5)))
struct LintTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  static func warned(_ kind: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: LegacyFiles.folder.appendingPathComponent(kind + "/warned").path
    ).filter { $0.hasSuffix(".json") }.sorted().map { kind + "/warned/" + $0 }
  }

  private struct Finding: Equatable {
    let severity: String
    let code: String
    let hasPlace: Bool
    let hasHelp: Bool
  }

  private func findings(_ file: String) async throws -> [Finding] {
    let recording = RecordingTerminal()
    _ = await DualSendCommand.run(["validate", file, "--format", "json"], on: recording.terminal)
    guard case .object(let result) = try JSONReader().value(recording.results.utf8),
      case .array(let findings)? = result["findings"]
    else { return [] }
    return findings.compactMap { finding in
      guard case .object(let members) = finding, case .string(let code)? = members["code"],
        case .string(let severity)? = members["severity"]
      else { return nil }
      return Finding(
        severity: severity, code: code, hasPlace: members["line"]?.isNumber == true, hasHelp: members["help"] != .null)
    }
  }

  @Test(
    "is one warning with a place and a way out, and nothing else",
    arguments: try warned("remapping") + warned("rollout"))
  func warning(_ fixture: String) async throws {
    let file = LegacyFiles.folder.appendingPathComponent(fixture)
    let code = String(file.lastPathComponent.prefix(6))
    #expect(
      try await findings(file.path) == [Finding(severity: "warning", code: code, hasPlace: true, hasHelp: true)])
  }

  @Test("refuses no document: apps read it", arguments: try warned("remapping") + warned("rollout"))
  func accepted(_ fixture: String) async throws {
    let file = LegacyFiles.folder.appendingPathComponent(fixture)
    #expect(await DualSendCommand.run(["validate", file.path], on: recording.terminal) == .clean)
    #expect(await DualSendCommand.run(["validate", file.path, "--strict"], on: recording.terminal) == .findings)
    let bytes = try Data(contentsOf: file)
    if fixture.hasPrefix("rollout") {
      _ = try RolloutDocument(reading: bytes)
    } else {
      _ = try RemappingTable(reading: bytes)
    }
  }

  @Test("is silenced where it stands", arguments: try warned("remapping") + warned("rollout"))
  func silenced(_ fixture: String) async throws {
    let file = LegacyFiles.folder.appendingPathComponent(fixture)
    let code = String(file.lastPathComponent.prefix(6))
    // A list of codes cannot make itself right.
    guard code != "DS0009" else { return }
    let document = try JSONReader().value(Data(contentsOf: file)).allowing(code)
    #expect(try await findings(folder.file("allowed.json", document.canonicalText)).isEmpty)
    let other = try JSONReader().value(Data(contentsOf: file)).allowing(code == "DS0112" ? "DS0114" : "DS0112")
    #expect(try await findings(folder.file("other.json", other.canonicalText)).map(\.code) == [code])
  }

  @Test("is found behind a hundred that are silenced")
  func manyAllowed() async throws {
    let keys = (0..<150).map { "k\($0)" }
    let shared = keys.map { #""\#($0)": null"# }.joined(separator: ", ")
    let own = keys.map { #""\#($0)": {"to": "n.\#($0)", "allow": ["DS0115"]}"# }.joined(separator: ", ")
    let entries = #"{"*": {"parameters": {\#(shared), "z": null}}, "e": {"parameters": {\#(own), "z": "n.z"}}}"#
    #expect(try await findings(folder.table(entries)).map(\.code) == ["DS0115"])
  }

  @Test("is silenced by an `allow` of the row alone")
  func row() async throws {
    func table(_ allow: String) throws -> String {
      try folder.table(
        #"{"*": {"parameters": {"a": null, "b": null}}, "e": {"parameters": {"a": {"to": "x"\#(allow)}, "b": "y"}}}"#)
    }
    #expect(try await findings(table("")).map(\.code) == ["DS0115", "DS0115"])
    #expect(try await findings(table(#", "allow": ["DS0115"]"#)).map(\.code) == ["DS0115"])
  }

  @Test(
    "is not said of what is meant so",
    arguments: [
      // A swap and a chain give every event a name of its own.
      #"{"a": {"name": "b"}, "b": {"name": "a"}}"#, #"{"a": {"name": "b"}, "b": {"name": "c"}}"#,
      // Versions are strings that look like numbers.
      #"{"e": {"parameters": {"v": {"to": "v", "values": {"1.0": "one", "beta": "two"}, "default": "other"}}}}"#,
      // Spellings of one boolean, and what is no value.
      #"{"e": {"parameters": {"v": {"to": "v", "values": {"1": true, "yes": true, "0": false}, "default": false}}}}"#,
      #"{"e": {"parameters": {"v": {"to": "v", "values": {"": null, "-": null, "x": "y"}, "default": "z"}}}}"#,
      // There is no third boolean, and no third flag; a type converts what the table does not name.
      #"{"e": {"parameters": {"v": {"to": "v", "values": {"true": "on", "false": "off"}}}}}"#,
      #"{"e": {"parameters": {"v": {"to": "v", "values": {"1": "on", "0": "off"}}}}}"#,
      #"{"e": {"parameters": {"v": {"to": "v", "type": "int", "values": {"x": 1}}}}}"#,
      // An old key and a new one may have one name.
      #"{"e": {"parameters": {"price": {"to": "amount", "type": "double"}, "cost": {"to": "price", "type": "int"}}}}"#,
      // Integers and doubles are numbers.
      #"{"e": {"parameters": {"v": {"to": "v", "values": {"1": 1, "2": 2.5}, "default": 0}}}}"#,
      // A table that names what may pass.
      #"{"*": {"unmapped": "drop"}, "e": {"parameters": {"a": "b"}}}"#,
      // A drop that keeps a report short, one that undoes a row of `*`, and one that an event needs.
      #"{"e": {"parameters": {"a": null, "b": "c"}, "unmapped": "report"}}"#,
      #"{"*": {"parameters": {"a": "b"}}, "e": {"parameters": {"a": null, "c": "d"}, "unmapped": "drop"}}"#,
      #"{"*": {"parameters": {"a": null, "b": "c"}, "unmapped": "drop"}, "e": {"unmapped": "keep"}}"#,
      // The same key in two events, and a row that takes the place of one of `*`.
      #"{"*": {"parameters": {"uid": "user"}}, "e": {"parameters": {"uid": "account"}}, "f": {"parameters": {"x": "user_id"}}}"#,
      #"{"e": {"parameters": {"a[].x": "b[].x", "a[].y": "b[].y"}}}"#,
    ])
  func silent(_ entries: String) async throws {
    #expect(try await findings(folder.table(entries)) == [])
  }

  @Test(
    "is not said of a rollout that is meant so",
    arguments: [
      #""rules": [{"match": {"platform": ["iOS"]}, "shouldSendLogToNewTracker": 5}]"#,
      #""rules": [{"shouldSendLogToNewTracker": 5}]"#,
      #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-12-01T00:00:06Z", "percentage": 5}]}"#,
    ])
  func silentRollout(_ members: String) async throws {
    #expect(try await findings(folder.rollout(members)) == [])
  }
}

extension EventValue {
  /// The document with this `allow` in every entry and rule, and at the top of a rollout.
  fileprivate func allowing(_ code: String) -> EventValue {
    guard case .object(var members) = self else { return self }
    let allow: EventValue = [.string(code)]
    if case .object(let events)? = members["events"] {
      members["events"] = .object(events.mapValues { $0.with("allow", allow) })
      return .object(members)
    }
    if case .array(let rules)? = members["rules"] { members["rules"] = .array(rules.map { $0.with("allow", allow) }) }
    return EventValue.object(members).with("allow", allow)
  }

  private func with(_ key: String, _ value: EventValue) -> EventValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}
