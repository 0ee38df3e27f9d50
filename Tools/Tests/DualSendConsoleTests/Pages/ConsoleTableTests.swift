import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@Suite("The console's other pages")
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
      "id": .string(id), "time": 1, "unit": "unit-1",
      "old": ["name": "launch", "parameters": ["uid": "anna", "extra": 1]],
      "new": ["name": "open", "payload": ["user": .string(user), "extra": 1]],
      "decision": ["outcome": "both"],
    ]
  }

  private func with(_ arguments: String..., body: (ConsolePage) async throws -> Void) async throws {
    #expect(try await ConsolePage.with(["--remap", table] + arguments, body) == .clean)
  }

  @Test("coverage counts rows that fired and keys without one, and drafts a row for those")
  func coverage() async throws {
    try await with { page async throws in
      #expect(try await page.get("api/coverage").json.at("text") == .string(Self.text))
      _ = try await page.post("mirror", ["pairs": [mirrored(1, user: "anna"), mirrored(2, user: "anna")]])
      let json = try await page.get("api/coverage").json
      #expect(
        json.at("rows")?.list.map { [$0.at("line"), $0.at("fired")] } == [[.int(7), .int(2)], [.int(8), .int(0)]])
      #expect(json.at("rows.0.text") == #""uid": "user","#)
      #expect(
        json.at("keys") == [
          ["event": "launch", "key": "extra", "count": 2, "draft": ["event": "launch", "key": "extra", "to": "extra"]]
        ])
    }
  }

  @Test("an accepted draft stands in the text, where its event is, and nothing is written")
  func accept() async throws {
    try await with { page async throws in
      func accepted(_ event: String, into text: String) async throws -> String {
        let draft: EventValue = ["event": .string(event), "key": "a.b", "to": "c"]
        let answer = try await page.post("api/table/accept", ["text": .string(text), "draft": draft])
        #expect(answer.json.at("diagnostics") == [])
        return try #require(answer.json.at("text")?.text)
      }
      let text = try await accepted("launch", into: Self.text)
      #expect(text == Self.text.replacing("{\n        \"uid\"", with: "{\n        \"a.b\": \"c\",\n        \"uid\""))
      #expect(
        try await accepted("new.event", into: Self.text).contains(#""new.event": { "parameters": { "a.b": "c" } },"#))
      let empty = #"{"formatVersion": 1, "events": {"launch": {"name": "open"}, "shop": {"parameters": {}}}}"#
      #expect(try await accepted("launch", into: empty).contains(#"{"parameters": { "a.b": "c" },"name": "open"}"#))
      #expect(try await accepted("shop", into: empty).contains(#"{"parameters": { "a.b": "c" }}"#))
      #expect(try folder.read("table.json") == Self.text)
    }
  }

  @Test("a saved table judges the kept pairs again, and a refused one is not written")
  func save() async throws {
    try await with { page async throws in
      _ = try await page.post("mirror", ["pairs": [mirrored(1, user: "anna"), mirrored(2, user: "otto")]])
      #expect(try await page.get("api/state").json.at("totals.matched") == 1)
      let other = Self.text.replacing("\"user\"", with: "\"who\"")
      #expect(try await page.post("api/table/save", ["text": .string(other)]).status == 200)
      #expect(try folder.read("table.json") == other)
      #expect(try await page.get("api/state").json.at("totals.differs") == 2)
      let refused = try await page.post("api/table/save", ["text": .string(other.replacing("never", with: "who"))])
      #expect(refused.status == 422)
      #expect(refused.json.at("diagnostics")?.list.isEmpty == false)
      #expect(try folder.read("table.json") == other)
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
      let broken = try await page.post("api/table/try", ["name": "launch", "parameters": [:], "text": "{"])
      #expect(broken.json.at("event") == .null)
      #expect(broken.json.at("diagnostics.0.severity") == "error")
    }
  }

  @Test("parity by event and field, with its bound, which the rollout's gate obeys")
  func parity() async throws {
    let document = try folder.rollout(#""shouldSendLogToNewTracker": 5"#)
    try await with(document, "--max-mismatch", "50%") { page async throws in
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

  @Test("what two recordings of the old stream differ by is noise, in parity, its gate, and after the table is saved")
  func calibration() async throws {
    let recordings = [try recording("first.jsonl", otherUsers: 0), try recording("second.jsonl", otherUsers: 6)]
    let arguments = recordings.flatMap { ["--calibrate", $0] } + ["--max-mismatch", "50%"]
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
        #expect(try await page.post("api/table/save", ["text": .string(Self.text + "\n")]).status == 200)
      }
      try FileManager.default.removeItem(atPath: recordings[1])
      #expect(try await page.post("api/table/save", ["text": .string(Self.text)]).status == 500)
      #expect(try folder.read("table.json") == Self.text + "\n", "what cannot be put in force is not written")
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
      guard case .int(let revision) = live else { return }
      let back = EventValue.string("\(revision - 1)")
      let up = try await page.post("api/rollout/rollback", ["id": back])
      #expect(up.json.at("needs") == ["parity"])
      #expect(try await page.post("api/rollout/rollback", ["id": back, "allow": ["parity"]]).status == 200)
    }
  }

  @Test("health of a database that is not there yet, and no values in an export while they are hidden")
  func health() async throws {
    try await with("--database", folder.path("events.sqlite")) { page async throws in
      let json = try await page.get("api/health").json
      #expect(json.at("databases.0.summary") == "the file does not exist yet")
      #expect(json.at("deadLetters") == [])
      #expect(json.at("metrics.entries") == 0)
      #expect(try await page.get("api/deadletters/export").status == 403)
      #expect(try await page.post("api/deadletters/retry", [:]).status == 400)
      #expect(try await page.post("api/deadletters/retry", ["all": true]).json == ["retried": 0])
    }
  }
}
