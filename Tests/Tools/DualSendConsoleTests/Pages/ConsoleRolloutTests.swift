import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

@Suite("The console's rollout page", .timeLimit(.minutes(5)))
struct ConsoleRolloutTests {
  private let folder: TemporaryFiles
  private let document: String
  private static let text = """
    {
      "formatVersion": 1,
      "revision": 12,
      "salt": "test",
      "rules": [
        { "name": "home", "match": { "events": ["home.*"] }, "shouldSendLogToNewTracker": 25 }
      ],
      "shouldSendLogToNewTracker": 5
    }
    """

  init() throws {
    folder = try TemporaryFiles()
    document = try folder.file("rollout.json", Self.text)
  }

  private func with(_ arguments: String..., body: (ConsolePage) async throws -> Void) async throws {
    let all = [document] + arguments
    #expect(try await ConsolePage.with(all, body) == .clean)
  }

  private func edited(_ percent: Int, revision: Int = 12) -> EventValue {
    .string(
      Self.text.replacing("\"shouldSendLogToNewTracker\": 25", with: "\"shouldSendLogToNewTracker\": \(percent)")
        .replacing("\"revision\": 12", with: "\"revision\": \(revision)"))
  }

  @Test("shows what is live, with its history")
  func overview() async throws {
    try await with { page async throws in
      let answer = try await page.get("api/rollout")
      #expect(answer.json.at("text") == .string(Self.text))
      #expect(answer.json.at("revision") == 12)
      #expect(answer.json.at("signed") == false)
      #expect(answer.json.at("record.entries") == [])
      #expect(try await page.get("api/state").json.at("document.revision") == 12)
    }
  }

  @Test("shows where a guard stands that moves the document, and why")
  func guarded() async throws {
    try await with { page async throws in
      #expect(try await page.get("api/rollout").json.at("guard") == .null)
      try folder.write(
        "rollout.json.guard-state",
        #"{"formatVersion":1,"since":0,"document":"","number":2,"series":[],"isDone":false,"untold":[],"stopped":"lost","policy":{"steps":[]},"course":[{"time":0,"to":5000}]}"#
      )
      let line =
        #"{"action":"back","from":25000,"number":2,"series":[],"time":"2026-01-01T00:00:00Z","to":5000,"why":"lost"}"#
      try folder.write("rollout.json.guard-log", line + "\n" + #"{"action":"wa"#)
      let answer = try await page.get("api/rollout").json
      #expect(answer.at("guard.action") == "back" && answer.at("guard.to") == 5000)
      #expect(answer.at("guard.stopped") == "lost" && answer.at("guard.course") == [["time": 0, "to": 5000]])
      #expect(answer.at("guard.policy") == ["steps": []] && answer.at("guard.since") == 0)
    }
  }

  @Test("records the events that it receives, and refuses them if it cannot")
  func recorded() async throws {
    let line: EventValue = [
      "eventId": "01920000-0000-7000-8000-000000000001", "eventName": "open", "eventTime": 5, "payload": ["a": 1],
    ]
    try await with("--output", folder.path("new.jsonl")) { page async throws in
      #expect(try await page.post(events: [line]) == 200)
    }
    #expect(try folder.read("new.jsonl") == line.canonicalText + "\n")
    try await with("--output", "/dev/full") { page async throws in
      #expect(try await page.post(events: [line]) == 507)
    }
  }

  @Test("finds faults at their places, in UTF-16 columns")
  func diagnostics() async throws {
    try await with { page async throws in
      let text = #"{"formatVersion": 1, "revision": 1, "salt": "😀", "sallt": 1}"#
      let json = try await page.post("api/rollout/check", ["text": .string(text)]).json
      let finding = try #require(json.at("diagnostics")?.list.first { $0.at("code") == "DS0003" })
      let start = try #require(text.utf16.firstRange(of: Array("\"sallt\"".utf16))?.lowerBound)
      let column = text.utf16.distance(from: text.startIndex, to: start) + 1
      #expect(finding.at("column") == .int(Int64(column)))
      #expect(finding.at("endColumn") == .int(Int64(column + 7)))
      #expect(finding.at("pointer") == "/sallt")
      #expect(json.at("plan") == .null)
      let broken = try await page.post("api/rollout/check", ["text": "{"]).json
      #expect(broken.at("diagnostics.0.severity") == "error")
    }
  }

  @Test("proves an edit while it is typed: populations, plan, sliders")
  func check() async throws {
    try await with { page async throws in
      let json = try await page.post("api/rollout/check", ["text": edited(40)]).json
      let home = json.at("groups")?.list.first { $0.at("events.0") == "home.*" }
      #expect(
        home?.at("outcomes") == [["outcome": "oldOnly", "share": 60], ["outcome": "both", "share": 40]])
      let move = try #require(json.at("plan.moves.0"))
      #expect(move.at("share") == 15)
      #expect(move.at("events") == ["home.*"])
      #expect(move.at("evicts") == false)
      #expect(move.at("exampleUnit")?.text?.isEmpty == false)
      #expect(json.at("plan.summary")?.text?.hasPrefix("Plan: 1 group of events changes") == true)
      #expect(
        json.at("flags")?.list.map { $0.at("pointer") } == [
          "/rules/0/shouldSendLogToNewTracker", "/shouldSendLogToNewTracker",
        ])
      #expect(json.at("flags.0.percent") == 40)
      #expect(json.at("gate") == .null)
    }
  }

  @Test("lists units that rules name, and the change of the text against the live one")
  func namedUnits() async throws {
    try await with { page async throws in
      let text = """
        {"formatVersion": 1, "revision": 9, "salt": "s", "shouldSendLogToNewTracker": 0, "rules": [
          {"match": {"unitIDs": ["qa-1", "qa-2"]}, "shouldSendLogToNewTracker": 100}]}
        """
      let json = try await page.post("api/rollout/check", ["text": .string(text)]).json
      let named = try #require(json.at("groups")?.list.first { $0.at("units") != nil })
      #expect(
        named.at("units") == [["unit": "qa-1", "outcome": "both"], ["unit": "qa-2", "outcome": "both"]])
      #expect(named.at("unitCount") == 2)
      #expect(json.at("difference")?.list.contains { $0.at("kind") == "added" } == true)
      let same = try await page.post("api/rollout/check", ["text": edited(25)]).json
      #expect(same.at("difference")?.list.allSatisfy { $0.at("kind") == "same" } == true)
    }
  }

  @Test("a slider changes one number and nothing else")
  func flag() async throws {
    try await with { page async throws in
      let members: [String: EventValue] = [
        "text": edited(25), "pointer": "/rules/0/shouldSendLogToNewTracker", "percent": 12.5,
      ]
      let answer = try await page.post("api/rollout/flag", members)
      #expect(answer.json.at("text")?.text == Self.text.replacing("Tracker\": 25", with: "Tracker\": 12.5"))
      for (pointer, percent) in [
        ("/salt", 5), ("/rules/7/shouldSendLogToNewTracker", 5), ("/shouldSendLogToNewTracker", 101),
      ] {
        let wrong: [String: EventValue] = [
          "text": edited(25), "pointer": .string(pointer), "percent": .int(Int64(percent)),
        ]
        #expect([400, 422].contains(try await page.post("api/rollout/flag", wrong).status))
      }
    }
  }

  @Test("publishes under the next revision, keeps the old one, and refuses a text that is older by then")
  func publish() async throws {
    try await with { page async throws in
      let answer = try await page.post("api/rollout/publish", ["text": edited(40)])
      #expect(answer.status == 200)
      #expect(answer.json.at("revision") == 13)
      let written = try folder.read("rollout.json")
      #expect(written == edited(40, revision: 13).text)
      #expect(answer.json.at("text")?.text == written)
      #expect(try await page.get("rollout.json").json.at("revision") == 13)
      let kept = try await page.get("api/rollout").json.at("record.entries")?.list ?? []
      #expect(kept.map { $0.at("after.revision") } == [13, 12] && kept.map { $0.at("isLive") } == [true, false])

      let stale = try await page.post("api/rollout/publish", ["text": edited(50)])
      #expect(stale.status == 409)
      #expect(stale.json.at("needs") == [])
      #expect(try folder.read("rollout.json") == written)
    }
  }

  @Test("asks for the word before it evicts anybody")
  func evictions() async throws {
    try await with { page async throws in
      let refused = try await page.post("api/rollout/publish", ["text": edited(10)])
      #expect(refused.status == 409)
      #expect(refused.json.at("needs") == ["evictions"])
      #expect(refused.json.at("objections")?.list.map { $0.at("word") } == ["evictions"])
      #expect(try folder.read("rollout.json") == Self.text)
      #expect(try await page.post("api/rollout/publish", ["text": edited(10), "allow": ["neither"]]).status == 409)
      #expect(try await page.post("api/rollout/publish", ["text": edited(10), "allow": ["anything"]]).status == 400)
      #expect(try await page.post("api/rollout/publish", ["text": edited(10), "allow": ["evictions"]]).status == 200)
    }
  }

  @Test("refuses what apps would refuse, with its places")
  func refused() async throws {
    try await with { page async throws in
      for text in ["{}", "", Self.text.replacing("\"salt\"", with: "\"sált\"")] {
        let answer = try await page.post("api/rollout/publish", ["text": .string(text)])
        #expect(answer.status == 422)
        #expect(answer.json.at("diagnostics")?.list.isEmpty == false)
      }
      #expect(try folder.read("rollout.json") == Self.text)
    }
  }

  @Test("signs the bytes that are published, and what replaces a signed document")
  func sign() async throws {
    let key = folder.path("key")
    let recording = RecordingTerminal()
    _ = await ConsoleCommand.run(["sign", "new", "--output", key], on: recording.terminal)
    let publicKey = recording.results.trimmingCharacters(in: .whitespacesAndNewlines)
    try await with("--signing-key", key) { page async throws in
      #expect(try await page.post("api/rollout/publish", ["text": edited(40), "sign": true]).status == 200)
      let verify = ["sign", "check", document, "--public-key", publicKey]
      #expect(await ConsoleCommand.run(verify, on: recording.terminal) == .clean)
      #expect(try await page.get("api/rollout").json.at("signed") == true)
      let signature = try folder.read("rollout.json.sig").trimmingCharacters(in: .whitespacesAndNewlines)
      let text = try folder.read("rollout.json")
      #expect(
        try await page.post("api/rollout/sign", ["text": .string(text)]).json.at("signature") == .string(signature))

      #expect(try await page.post("api/rollout/publish", ["text": edited(50, revision: 13)]).status == 200)
      #expect(await ConsoleCommand.run(verify, on: recording.terminal) == .clean)
    }
    // Without the key, a signed document stays as it is.
    let before = try folder.read("rollout.json")
    try await with { page async throws in
      #expect(try await page.post("api/rollout/publish", ["text": edited(60, revision: 14)]).status == 409)
      #expect(try folder.read("rollout.json") == before)
    }
  }

  @Test("does not sign without a key")
  func noKey() async throws {
    try await with { page async throws in
      #expect(try await page.post("api/rollout/publish", ["text": edited(40), "sign": true]).status == 409)
      #expect(try folder.read("rollout.json") == Self.text)
    }
  }

  /// The names of the record's entries, newest first.
  private func ids(_ page: ConsolePage) async throws -> [String] {
    try await page.get("api/rollout").json.at("record.entries")?.list.compactMap { $0.at("id")?.text } ?? []
  }

  @Test("goes back to any kept revision under a new one, and shows the difference before")
  func rollBack() async throws {
    try await with { page async throws in
      _ = try await page.post("api/rollout/publish", ["text": edited(40)])
      let ids = try await ids(page)
      let view = try await page.get("api/rollout/record/\(ids[1])").json
      let changed = view.at("difference")?.list.filter { $0.at("kind") != "same" } ?? []
      #expect(changed.map { $0.at("kind") } == ["removed", "added", "removed", "added"])
      #expect(changed.last?.at("line")?.text?.contains("25") == true)

      #expect(view.at("edit") == edited(25, revision: 13))
      let refused = try await page.post("api/rollout/rollback", ["entry": .string(ids[1])])
      #expect(refused.status == 409)
      #expect(refused.json.at("needs") == ["evictions"])
      let answer = try await page.post("api/rollout/rollback", ["entry": .string(ids[1]), "allow": ["evictions"]])
      #expect(answer.json.at("revision") == 14)
      #expect(try folder.read("rollout.json") == edited(25, revision: 14).text)
      #expect(try await page.post("api/rollout/rollback", ["entry": "ffffff"]).status == 404)
      #expect(try await page.get("api/rollout/record/ffffff").status == 404)
      #expect(
        try await page.post("api/rollout/rollback", ["entry": .string(try await self.ids(page)[0])]).status == 409)
    }
  }

  @Test("says in a line what each revision changed")
  func changes() async throws {
    try await with { page async throws in
      func publish(_ change: (String) -> String) async throws {
        let live = try #require(try await page.get("api/rollout").json.at("text")?.text)
        let allow: EventValue = ["evictions"]
        #expect(
          try await page.post("api/rollout/publish", ["text": .string(change(live)), "allow": allow]).status == 200)
      }
      try await publish { $0.replacing(": 25", with: ": 30").replacing(": 5\n", with: ": 2.5\n") }
      try await publish { $0.replacing("home.*", with: "start.*") }
      try await publish { $0.replacing(#"{ "name": "home""#, with: #"{ "name": "start""#) }
      let changes = try await page.get("api/rollout/changes").json
      #expect(
        try await ids(page).map { changes.at("record.\($0)") } == [
          #"rule "start" was rule "home""#, #"rule "home": other conditions"#,
          #"top level, new tracker: 5 % → 2.5 %; rule "home", new tracker: 25 % → 30 %"#, nil,
        ])
    }
  }

  @Test("a rollback of what another person has changed meanwhile is refused, and shows the difference")
  func staleRollback() async throws {
    try await with { page async throws in
      _ = try await page.post("api/rollout/publish", ["text": edited(40)])
      let tag = try #require(try await page.get("api/rollout").json.at("tag"))
      let id = try #require(try await ids(page).first)
      #expect(try await page.post("api/rollout/stop", ["publish": true]).status == 200)
      let stopped = try folder.read("rollout.json")
      let back: [String: EventValue] = ["entry": .string(id), "tag": tag, "allow": ["evictions", "parity"]]
      let refused = try await page.post("api/rollout/rollback", back)
      #expect(refused.status == 409 && refused.json.at("current.difference") != nil)
      #expect(try folder.read("rollout.json") == stopped)
    }
  }

  @Test("says what words and codes mean, as the articles do")
  func help() async throws {
    try await with { page async throws in
      let help = try await page.get("api/help").json
      let words = help.at("words")?.list ?? [], codes = help.at("codes")?.list ?? []
      #expect(words.contains { $0.at("word") == "bucket" && $0.at("meaning") == "a unit's number from 0 to 99,999" })
      #expect(codes.contains { $0.at("code") == "DS0103" && $0.at("wayOut")?.text?.contains("rename") == true })
      #expect(codes.allSatisfy { $0.at("code")?.text?.wholeMatch(of: /DS[0-9]{4}/) != nil })
      #expect(words.count > 40 && codes.count > 100)
      #expect(!(words + codes).contains { "\($0)".contains("<doc:") || "\($0)".contains("](") })
    }
  }

  @Test("changes nothing where a file cannot be written")
  func unwritable() async throws {
    let key = folder.path("key")
    _ = await ConsoleCommand.run(["sign", "new", "--output", key], on: RecordingTerminal().terminal)
    try await with("--signing-key", key) { page async throws in
      // A folder in the place of the signature keeps whoever it is from writing there.
      try FileManager.default.createDirectory(
        atPath: folder.path("rollout.json.sig"), withIntermediateDirectories: true)
      let answer = try await page.post("api/rollout/publish", ["text": edited(40), "sign": true])
      #expect(answer.status == 500)
      #expect(try folder.read("rollout.json") == Self.text)
      #expect(try await page.get("api/rollout").json.at("record.entries")?.list.isEmpty == true)
    }
  }

  @Test("explains as the command does")
  func explain() async throws {
    try await with { page async throws in
      let answer = try await page.post(
        "api/rollout/explain", ["text": edited(25), "unit": "unit-7", "name": "home.view", "platform": "iOS"])
      let recording = RecordingTerminal()
      let command = [
        "explain", document, "--event", "home.view", "--unit", "unit-7", "--platform", "iOS", "--format", "json",
      ]
      _ = await ConsoleCommand.run(command, on: recording.terminal)
      #expect(answer.json == (try JSONReader().value(recording.results.utf8)))
      #expect(try await page.post("api/rollout/explain", ["text": edited(25), "name": "home.*"]).status == 400)
    }
  }

  @Test("takes over what somebody else published")
  func outside() async throws {
    try await with { page async throws in
      try folder.write("rollout.json", edited(40, revision: 20).text ?? "")
      #expect(try await page.get("api/rollout").json.at("revision") == 20)
      #expect(try await page.post("api/rollout/publish", ["text": edited(50, revision: 20)]).json.at("revision") == 21)
    }
  }

  @Test("offers an edit that raises one event and nobody else, by the app's name, which needs the table")
  func promote() async throws {
    let needing: [String: EventValue] = ["name": "home.seen", "percent": 60, "text": edited(25)]
    try await with { page async throws in #expect(try await page.post("api/parity/promote", needing).status == 409) }
    _ = try folder.file("remapping.json", #"{"formatVersion": 1, "events": {"view": {"name": "seen"}}}"#)
    try await with { page async throws in
      let renamed = try await page.post("api/parity/promote", ["name": "seen", "percent": 60, "text": edited(25)]).json
      #expect(renamed.at("text")?.text?.contains(#""events": ["view"]"#) == true, "\(renamed)")
      let promote: [String: EventValue] = ["name": "home.view", "percent": 60, "text": edited(25)]
      let text = try #require(try await page.post("api/parity/promote", promote).json.at("text"))
      let check = try await page.post("api/rollout/check", ["text": text]).json
      #expect(check.at("diagnostics") == [])
      #expect(check.at("plan.moves")?.list.map { $0.at("events") } == [["home.view"]])
      #expect(check.at("plan.moves.0.share") == 35)
      let again: [String: EventValue] = ["name": "home.view", "percent": 70, "text": text]
      let raised = try #require(try await page.post("api/parity/promote", again).json.at("text")?.text)
      #expect(raised == text.text?.replacing(": 60 }", with: ": 70 }"))
    }
  }

  @Test("says what is missing where no document was named")
  func noDocument() async throws {
    let status = try await ConsolePage.with([]) { page async throws in
      #expect(try await page.get("api/rollout").status == 404)
      #expect(try await page.get("api/coverage").status == 404)
      #expect(try await page.get("api/parity").status == 404)
      #expect(try await page.get("rollout.json").status == 404)
      #expect(try await page.post("api/rollout/publish", ["text": "{}"]).status == 404)
      #expect(try await page.post("api/rollout/check", ["text": edited(40)]).json.at("diagnostics") == [])
    }
    #expect(status == .clean)
  }

  @Test("does not start with a document that is refused")
  func refusedAtStart() async throws {
    let wrong = try folder.file("wrong.json", "{}")
    #expect(try await ConsolePage.with([wrong]) { _ in Issue.record("it started") } == .couldNotRun)
    #expect(try await ConsolePage.with(["-"]) { _ in Issue.record("it started") } == .usage)
  }
}
