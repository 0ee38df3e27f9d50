import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@Suite("The console's other pages", .timeLimit(.minutes(5)))
struct ConsoleTableTests {
  private let folder: TemporaryFiles
  private let table: String
  private static let text = """
    {
      "formatVersion": 1,
      "events": {
        "launch": {
          "name": "open",
          "parameters": {
            "uid": "user",
            "idle": "never"
          }
        }
      }
    }
    """

  init() throws {
    folder = try TemporaryFiles()
    table = try folder.file("table.json", Self.text)
  }

  private func mirrored(_ number: Int, user: String) -> EventValue {
    let id = "018bcfe5-6800-7000-8000-00000000000\(number)"
    return [
      "id": .string(id), "time": 1, "unit": .string("unit-\(number)"),
      "old": ["name": "launch", "parameters": ["uid": "anna", "extra": 1]],
      "new": ["name": "open", "payload": ["user": .string(user), "extra": 1]],
      "decision": ["outcome": "both"],
    ]
  }

  private func with(_ arguments: String..., body: (ConsolePage) async throws -> Void) async throws {
    #expect(try await ConsolePage.with(["--remap", table] + arguments, body) == .clean)
  }

  @Test("coverage counts rows that fired and keys without one")
  func coverage() async throws {
    try await with { page async throws in
      #expect(try await page.get("api/coverage").json.at("text") == .string(Self.text))
      _ = try await page.post("mirror", ["pairs": [mirrored(1, user: "anna"), mirrored(2, user: "anna")]])
      let json = try await page.get("api/coverage").json
      #expect(
        json.at("rows")?.list.map { [$0.at("line"), $0.at("fired")] } == [[.int(7), .int(2)], [.int(8), .int(0)]])
      #expect(json.at("rows.0.text") == #""uid": "user","#)
      #expect(json.at("keys") == [["event": "launch", "key": "extra", "count": 2]])
    }
  }

  @Test("tries a payload and shows the way of each value")
  func attempt() async throws {
    try await with { page async throws in
      let json = try await page.post("api/table/try", ["name": "launch", "parameters": ["uid": "x", "extra": 2]]).json
      #expect(json.at("event") == ["name": "open", "payload": ["user": "x", "extra": 2]])
      #expect(json.at("known") == true)
      #expect(try await page.post("api/table/try", ["name": "other", "parameters": [:]]).json.at("known") == false)
      #expect(
        json.at("trace.1") == [
          "path": "user", "from": "uid", "how": "moved", "row": ["line": 7, "text": #""uid": "user","#],
        ])
      #expect(try await page.post("api/table/try", ["name": "launch"]).status == 400)
    }
  }

  @Test("parity by event and field, with its bound, which the rollout's gate obeys")
  func parity() async throws {
    let document = try folder.rollout(#""shouldSendLogToNewTracker": 5"#)
    try await with(document, "--max-failing", "50%") { page async throws in
      _ = try await page.post(
        "mirror", ["pairs": .array((0..<9).map { mirrored($0, user: $0 == 0 ? "otto" : "anna") })])
      let json = try await page.get("api/parity").json
      #expect(json.at("limit") == 0.5)
      #expect(json.at("events.0.name") == "launch")
      #expect(json.at("events.0.pairs") == 9)
      #expect(json.at("events.0.verdict") == "allowed")
      #expect(json.at("events.0.percent") == 5)
      #expect(json.at("events.0.fields.0.path") == "user")
      #expect(json.at("events.0.fields.0.outcome") == "valueChanged")
      let raise = try folder.read("rollout.json").replacing(": 5", with: ": 25")
      let check = try await page.post("api/rollout/check", ["text": .string(raise)]).json
      #expect(check.at("gate.events.0.fromPercent") == 5)
      #expect(check.at("gate.events.0.toPercent") == 25)
    }
  }

  @Test("the counts by day that are kept beside the document, whole and for an event, read again when they change")
  func keptDays() async throws {
    let document = try folder.rollout(#""shouldSendLogToNewTracker": 5"#)
    let file = folder.path("rollout.json.parity.jsonl")
    func line(_ date: String, _ event: String, failing: Int) -> String {
      #"{"date":"\#(date)","differing":\#(failing),"event":"\#(event)","events":9,"failing":\#(failing),"#
        + #""judged":9,"lost":0,"pairs":9,"revision":3,"undecided":0,"unexpected":0}"# + "\n"
    }
    try await with(document) { page async throws in
      #expect(try await page.get("api/parity/days").json == .null)
      try folder.write(
        "rollout.json.parity.jsonl",
        line("2026-11-01", "launch", failing: 1) + line("2026-11-02", "launch", failing: 0)
          + line("2026-11-02", "other", failing: 2))
      let all = try await page.get("api/parity/days").json
      #expect(all.at("file") == .string(file))
      #expect(all.at("days.0.date") == "2026-11-01")
      #expect(all.at("days.0.time") == .int(1_793_491_200_000))
      #expect(all.at("days.1.judged") == 18)
      #expect(try await page.get("api/parity/days?event=launch").json.at("days.1.judged") == 9)
      try folder.write("rollout.json.parity.jsonl", "something else\n")
      let broken = try await page.get("api/parity/days").json
      #expect(broken.at("days") == [])
      #expect(broken.at("problem") == .string("\(file):1 is not a line of kept parity, or one that is there already"))
    }
  }

  /// Old events of nine ids, as a recording holds them; the first ones have another user.
  private func recording(_ name: String, otherUsers: Int) throws -> String {
    let lines = (0..<9).map { number in
      let id = "018bcfe5-6800-7000-8000-00000000000\(number)"
      let user = number < otherUsers ? "ida" : "anna"
      return #"{"eventId":"\#(id)","name":"launch","parameters":{"uid":"\#(user)"},"time":1,"unitID":null}"#
    }
    return try folder.file(name, lines.joined(separator: "\n"))
  }

  @Test(
    "what two recordings of the old stream differ by is noise, in parity, its gate, and after the table has changed")
  func calibration() async throws {
    let recordings = [try recording("first.jsonl", otherUsers: 0), try recording("second.jsonl", otherUsers: 6)]
    let arguments = recordings.flatMap { ["--calibrate", $0] } + ["--max-failing", "50%", "--count-events"]
    let status = try await ConsolePage.with(["--remap", table] + arguments) { page async throws in
      _ = try await page.post(
        "mirror", ["pairs": .array((0..<9).map { mirrored($0, user: $0 < 7 ? "otto" : "anna") })])
      for _ in 0..<2 {
        let json = try await page.get("api/parity").json
        #expect(json.at("calibration") == ["pairs": 9, "differing": 6])
        #expect(json.at("events.0.differing") == 1)
        #expect(json.at("events.0.noise") == 6)
        #expect(json.at("events.0.fields.0.noise") == 6)
        #expect(json.at("events.0.verdict") == "allowed")
        try folder.write("table.json", Self.text + "\n")
        #expect(try await page.get("api/state").json.at("table.problem") == .null)
      }
      try FileManager.default.removeItem(atPath: recordings[1])
      try folder.write("table.json", Self.text)
      #expect(try await page.get("api/state").json.at("table.problem") != .null, "its noise cannot be measured")
      #expect(try await page.get("api/coverage").json.at("text") == .string(Self.text + "\n"))
    }
    #expect(status == .clean)
  }

  @Test("recordings that cannot measure noise are refused before it listens")
  func noNoise() async throws {
    let first = try recording("first.jsonl", otherUsers: 0)
    let empty = try folder.file("empty.jsonl", "")
    let terminal = RecordingTerminal()
    let arguments = ["console", "--remap", table, "--calibrate", first, "--calibrate"]
    #expect(await ConsoleCommand.run(arguments + [empty], on: terminal.terminal) == .couldNotRun)
    #expect(terminal.diagnostics.contains("no event in common"))
    #expect(await ConsoleCommand.run(arguments + ["nowhere"], on: terminal.terminal) == .couldNotRun)
    #expect(terminal.results.isEmpty)
    for wrong in [["--remap", table, "--calibrate", first], ["--calibrate", first, "--calibrate", first]] {
      #expect(await ConsoleCommand.run(["console"] + wrong, on: terminal.terminal) == .usage)
    }
  }

  @Test("publishing what parity does not allow asks for the word")
  func gate() async throws {
    let document = try folder.rollout(#""shouldSendLogToNewTracker": 5"#)
    try await with(document) { page async throws in
      _ = try await page.post("mirror", ["pairs": [mirrored(0, user: "otto")]])
      let raise = EventValue.string(try folder.read("rollout.json").replacing(": 5", with: ": 25"))
      let refused = try await page.post("api/rollout/publish", ["text": raise])
      #expect(refused.json.at("needs") == ["parity"])
      #expect(refused.json.at("objections.0.message")?.text?.contains("launch") == true)
      #expect(try await page.post("api/rollout/publish", ["text": raise, "allow": ["parity"]]).status == 200)
      // Down, which nothing objects to but evictions, and up again by way of the history.
      let lower = EventValue.string(try folder.read("rollout.json").replacing(": 25", with: ": 5"))
      #expect(try await page.post("api/rollout/publish", ["text": lower, "allow": ["evictions"]]).status == 200)
      let live = try #require(try await page.get("api/rollout").json.at("revision"))
      let entries = try await page.get("api/rollout").json.at("record.entries")?.list ?? []
      let back = try #require(entries.first { $0.at("after.revision") != live }?.at("id"))
      let up = try await page.post("api/rollout/rollback", ["entry": back])
      #expect(up.json.at("needs") == ["parity"])
      #expect(try await page.post("api/rollout/rollback", ["entry": back, "allow": ["parity"]]).status == 200)
    }
  }
}
