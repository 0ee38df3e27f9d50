import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("A document that names sinks", .timeLimit(.minutes(5))) struct SinkDocumentTests {
  private func findings(_ text: String) -> [DocumentDiagnostic] {
    do {
      return try RolloutDocument(reading: Array(text.utf8), name: "rollout.json").warnings
    } catch {
      return error.diagnostics
    }
  }

  @Test("is read with sides, rules and every form that a flag may have")
  func everything() throws {
    let document = try sinkDocument(
      #"""
      "sinks": {"//": "a comment", "new": {"amplitude": 25, "_comment": 1, "b": {"schedule": [
        {"from": "2026-12-01T00:00:00Z", "percentage": 100}]}}, "old": {"console": false}},
      "rules": [{"sinks": {"new": {"amplitude": true}}}]
      """#)
    #expect(document.sinks.map(\.sink.key) == ["sinks.old.console", "sinks.new.amplitude", "sinks.new.b"])
    #expect(document.sinks[1].flag.percentage(at: nil)?.thousandths == 25_000)
    #expect(document.rules[0].sinks.map(\.flag) == [.percentage(.all)])
    #expect(document.changeTimes.count == 1)
    #expect(document.warnings.isEmpty)
  }

  @Test("needs no sinks")
  func none() throws {
    #expect(try sinkDocument(#""sinks": {}"#).sinks.isEmpty)
    #expect(findings(#"{"formatVersion": 2, "revision": 1, "salt": "test"}"#).isEmpty)
  }

  @Test("is refused with code, place and the way out, whatever is wrong with its sinks", arguments: Fault.all)
  fileprivate func faults(_ fault: Fault) throws {
    let found = findings(sinkText("\n" + fault.members, format: fault.format))
    let finding = try #require(found.first)
    #expect(found.map(\.code.rawValue) == [fault.code])
    #expect(finding.path.description == fault.path)
    #expect(finding.position == DocumentDiagnostic.Position(line: 2, column: fault.column))
    #expect(finding.help == fault.help)
    #expect(finding.message == fault.message)
  }

  @Test("is refused for sinks in a rule too if it is of format 1")
  func ruleOfFormat1() {
    let text = sinkText(#""rules": [{"sinks": {"new": {"a": 1}}}]"#, format: 1)
    #expect(findings(text).map(\.code.rawValue) == ["DS0215", "DS0214"])
  }

  @Test("offers `sinks` as a key only where it may stand")
  func knownKeys() {
    #expect(findings(sinkText(#""x": 1"#, format: 1)).first?.help?.contains("sinks") == false)
    #expect(findings(sinkText(#""x": 1"#)).first?.help?.contains("sinks") == true)
  }

  @Test("reports every fault of its sinks in one run")
  func allAtOnce() {
    let found = findings(
      sinkText(
        #""sinks": {"new": {"a b": 101, "newTracker": 5, "a": "5"}}, "rules": [{"sinks": {"new": {"b": -1, "a": 1}}}]"#)
    )
    #expect(
      found.map(\.code.rawValue) == ["DS0212", "DS0201", "DS0212", "DS0002", "DS0214", "DS0201"])
  }

  @Test("names at most 64 sinks")
  func tooMany() {
    func codes(_ count: Int) -> [String] {
      let sinks = (0..<count).map { "\"s\($0)\": 5" }.joined(separator: ", ")
      return findings(sinkText(#""sinks": {"new": {\#(sinks)}}"#)).map(\.code.rawValue)
    }
    #expect(codes(64).isEmpty)
    #expect(codes(65) == ["DS0216"])
  }

  @Test("has ids of at most 64 characters")
  func longIDs() {
    func codes(_ count: Int) -> [String] {
      findings(sinkText(#""sinks": {"new": {"\#(String(repeating: "a", count: count))": 5}}"#)).map(\.code.rawValue)
    }
    #expect(codes(64).isEmpty)
    #expect(codes(65) == ["DS0212"])
  }

  @Test("prints ids from outside escaped and bounded")
  func hostileIDs() throws {
    let id = #"\u001b[31m\u202e"# + String(repeating: "x", count: 100_000)
    let error = #expect(throws: DocumentError.self) { try sinkDocument(#""sinks": {"new": {"\#(id)": 5}}"#) }
    let text = try #require(error).description
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(text.utf8.count < 5_000)
  }

  @Test("may have a rule that only narrows sinks, and is warned of one that narrows none")
  func ruleWithoutFlag() {
    func codes(_ rule: String) -> [String] {
      findings(sinkText(#""sinks": {"new": {"a": 5}}, "rules": [\#(rule)]"#)).map(\.code.rawValue)
    }
    #expect(codes(#"{"sinks": {"new": {"a": 1}}}"#).isEmpty)
    #expect(codes(#"{"sinks": {"new": {}}}"#) == ["DS0220"])
    #expect(codes(#"{}"#) == ["DS0220"])
  }

  @Test("is too large to be compiled if its sinks are, and says so")
  func tooLarge() throws {
    let sinks = (0..<64).map { "\"s\($0)\": 5" }.joined(separator: ", ")
    let rules = (0..<400).map { #"{"match": {"events": ["e\#($0)"]}, "sinks": {"new": {\#(sinks)}}}"# }
    let text = sinkText(#""sinks": {"new": {\#(sinks)}}, "rules": [\#(rules.joined(separator: ","))]"#)
    #expect(findings(text).map(\.code.rawValue) == ["DS0211"])
  }
}

/// A document that is refused, and how.
private struct Fault: Sendable, CustomTestStringConvertible {
  let members: String
  var format = 2
  let code: String
  let path: String
  let column: Int
  let message: String
  let help: String?

  var testDescription: String { members }

  static let all: [Fault] = [
    Fault(
      members: #""sinks": {"new": {"a": 5}}"#, format: 1, code: "DS0215", path: "sinks", column: 1,
      message: "`sinks` needs format version 2",
      help: #"write `"formatVersion": 2`; apps that cannot read that refuse the document and keep the one they have"#),
    Fault(
      members: #""sinks": {"nwe": {}}"#, code: "DS0003", path: "sinks.nwe", column: 11, message: "unknown key `nwe`",
      help: "did you mean `new`?"),
    Fault(
      members: #""sinks": {"new": {"": 5}}"#, code: "DS0212", path: "sinks.new.", column: 19,
      message: "`` is not a sink's id", help: idHelp),
    Fault(
      members: #""sinks": {"new": {"\u212A": 5}}"#, code: "DS0212", path: "sinks.new.\u{212A}", column: 19,
      message: "`\u{212A}` is not a sink's id", help: idHelp),
    Fault(
      members: #""sinks": {"old": {"newTracker": 5}}"#, code: "DS0212", path: "sinks.old.newTracker", column: 19,
      message: "the flag `shouldSendLogToNewTracker` decides about `newTracker`, and nothing else does",
      help: "remove it; `sinks` is for further sinks of a side"),
    Fault(
      members: #""sinks": {"new": {"a": 5}, "old": {"a": 5}}"#, code: "DS0213", path: "sinks.new.a", column: 19,
      message: "`a` is a sink of both sides", help: "give each sink an id of its own"),
    Fault(
      members: #""sinks": {"new": {"amplitude": 5}}, "rules": [{"sinks": {"new": {"amplitud": 5}}}]"#, code: "DS0214",
      path: "rules[0].sinks.new.amplitud", column: 66,
      message: "the top level's `sinks.new` does not name `amplitud`", help: "did you mean `amplitude`?"),
    Fault(
      members: #""sinks": {"new": {"amplitude": 5}}, "rules": [{"sinks": {"old": {"amplitude": 5}}}]"#, code: "DS0214",
      path: "rules[0].sinks.old.amplitude", column: 66,
      message: "the top level's `sinks.old` does not name `amplitude`", help: "it is a sink of the new side"),
    Fault(
      members: #""rules": [{"sinks": {"new": {"amplitude": 5}}}]"#, code: "DS0214",
      path: "rules[0].sinks.new.amplitude", column: 30,
      message: "the top level's `sinks.new` does not name `amplitude`",
      help: "name it there first; at 100 it follows its side's flag"),
    Fault(
      members: #""sinks": {"new": {"a": 100.5001}}"#, code: "DS0201", path: "sinks.new.a", column: 24,
      message: "100.5001 has more than three decimals", help: "a percentage is 0…100 with at most three decimals"),
    Fault(
      members: #""sinks": {"new": {"a": null}}"#, code: "DS0002", path: "sinks.new.a", column: 24,
      message: "expected `true`, `false`, a percentage or a schedule, found null", help: nil),
    Fault(
      members: #""sinks": {"new": ["a"]}"#, code: "DS0002", path: "sinks.new", column: 18,
      message: "expected an object of sinks, each with its share, found an array", help: nil),
    Fault(
      members: #""sinks": {"amplitude": 25}"#, code: "DS0003", path: "sinks.amplitude", column: 11,
      message: "unknown key `amplitude`", help: "known keys: new, old"),
  ]

  private static let idHelp = "an id is 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `.` and `-`"
}
