import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

/// Every field that comes from outside holds what terminals, logs, pages and CI systems obey, and every verb prints it.
@Suite("Hostile text", .timeLimit(.minutes(5)))
struct HostileTextTests {
  /// Escape sequences, forged lines and commands, an order that is turned round, and the marks of Markdown and HTML.
  static let hostile =
    "\u{1B}]0;title\u{7}\u{1B}[2J\n::error::forged\r\n##[error]x\u{202E}\u{2066}\u{9B}31m\u{7F}\u{85}\u{2028}|`<b>&"
  private static let long = hostile + String(repeating: "A", count: 256 << 10)
  static let forms = ["text", "json", "github"]

  let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  func json(_ value: EventValue, named name: String = "document.json") throws -> String {
    try folder.file(name, value.canonicalText)
  }

  /// A rollout whose every text is hostile.
  func rollout(revision: Int64 = 1, new: Int64 = 100, named name: String = "rollout.json") throws -> String {
    let text = EventValue.string(Self.hostile)
    return try json(
      [
        "formatVersion": 1, "revision": .int(revision), "salt": text, "shouldSendLogToNewTracker": .int(new),
        "rules": [
          [
            "name": text,
            "match": [
              "events": [.string(Self.hostile + "*")], "platform": [text], "unitIDs": [text],
              "attributes": .object([Self.hostile: [text]]),
            ],
            "shouldSendLogToNewTracker": 7,
          ]
        ],
      ], named: name)
  }

  func table() throws -> String {
    try json(
      [
        "formatVersion": 1,
        "events": .object([
          Self.hostile: ["name": .string("new" + Self.hostile), "parameters": .object([key: "renamed"])],
          "unused": ["parameters": .object([key: .string(key + "2")])],
        ]),
      ], named: "table.json")
  }

  /// A key that a table can name: without a dot or a bracket.
  private var key: String { Self.hostile.filter { !".[]\\".contains($0) } }

  func eventsFile(_ value: String = hostile) throws -> String {
    let event: EventValue = [
      "name": .string(Self.hostile), "unitID": .string(value), "time": 1,
      "parameters": .object([key: .string(value), value: 1, "nested": .object([value: .string(value)])]),
    ]
    let broken = "{\"name\": \"\(String(repeating: "B", count: 100))\u{202E}\u{1B}\", "
    return try folder.file("events.jsonl", [event.canonicalText, broken, "[\"\u{9B}"].joined(separator: "\n"))
  }

  func run(
    _ arguments: [String], form: String? = nil, isTerminal: Bool = false,
    transport: any HTTPTransport = AnsweringCollector(answer: .success(HTTPTransportResponse(status: 200))),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> (status: CommandStatus, text: String) {
    let recording = RecordingTerminal(isTerminal: isTerminal, environment: ["NO_COLOR": "1"], transport: transport)
    let status = await DualSendCommand.run(arguments + (form.map { ["--format", $0] } ?? []), on: recording.terminal)
    for (name, text) in [("results", recording.results), ("diagnostics", recording.diagnostics)] {
      // How a command is used is explained to people, whatever form they ask for.
      let faults = Self.faults(in: text, form: status == .usage ? nil : form)
      #expect(faults.isEmpty, "\(name) of \(arguments.first ?? "") \(form ?? "")", sourceLocation: sourceLocation)
    }
    return (status, recording.results + recording.diagnostics)
  }

  /// What a reader of these bytes would obey, be it a terminal, a person or a CI system.
  static func faults(in text: String, form: String?) -> [String] {
    var faults: [String] = []
    for scalar in text.unicodeScalars where scalar != "\n" {
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
        faults.append("U+" + String(scalar.value, radix: 16))
      default: break
      }
    }
    for line in text.split(separator: "\n") {
      let start = line.drop(while: \.isWhitespace)
      let isOurs =
        form == "github"
        && ["::error file=", "::error line=", "::error title=", "::warning file=", "::warning title="].contains {
          line.hasPrefix($0)
        }
      if start.hasPrefix("::"), !isOurs { faults.append("a command: \(start.prefix(40))") }
      if line.contains("##[") { faults.append("a command: ##[") }
      if line.hasPrefix("forged") { faults.append("a forged line") }
      if form == "json", (try? JSONReader(maximumBytes: 64 << 20).value(line.utf8)) == nil {
        faults.append("no JSON: \(line.prefix(40))")
      }
      if form != "json", line.utf8.count > 20_000 { faults.append("a line of \(line.utf8.count) bytes") }
    }
    return faults
  }

  @Test("in documents is printed by no verb as it is", arguments: forms)
  func documents(_ form: String) async throws {
    let (rollout, later) = (try rollout(), try rollout(revision: 2, new: 5, named: "later.json"))
    let table = try table()
    let unknown = try json([
      "formatVersion": 1, "revision": 1, "salt": "s", Self.hostile: 1, "missingUnit": .string(Self.hostile),
      "rules": [["name": .string(Self.hostile), "match": [:], "shouldSendLogToNewTracker": .string(Self.hostile)]],
    ])
    let twice = try folder.file("twice.json", #"{"revision": 1, "\u001b\u202e\n::x": 1, "\u001b\u202e\n::x": 2}"#)
    _ = await run(["validate", rollout, table, unknown, twice], form: form)
    _ = await run(["plan", rollout, later], form: form)
    _ = await run(["simulate", rollout, "--events", try eventsFile()], form: form)
    _ = await run(
      ["explain", rollout, "--event", Self.hostile, "--unit", Self.hostile, "--platform", Self.hostile], form: form)
    _ = await run(
      ["explain", rollout, "--event", Self.hostile, "--attribute", Self.hostile + "=" + Self.hostile], form: form)
    _ = await run(["explain", "--bucket", "--salt", Self.hostile, "--unit", Self.hostile], form: form)
  }

  @Test("in events is printed by no verb as it is", arguments: forms)
  func events(_ form: String) async throws {
    let (rollout, table, events) = (try rollout(), try table(), try eventsFile())
    let payload = EventValue.object([key: .string(Self.hostile), "other": .string(Self.hostile)]).canonicalText
    _ = await run(["explain", "--remap", table, "--event", Self.hostile, "--payload", payload], form: form)
    _ = await run(["remap", table, "--events", events], form: form, isTerminal: true)
    _ = await run(["table", "coverage", table, "--events", events], form: form)
    let golden = [
      "--events", events, "--remap", table, "--rollout", rollout, "--folder", folder.path("golden"),
    ]
    _ = await run(["golden", "verify"] + golden, form: form)
    _ = await run(["golden", "record"] + golden, form: form)
    _ = try json(["formatVersion": 1, "events": [:]], named: "table.json")
    try folder.write("golden/orphan\u{1B}\u{202E}.json", "\u{1B}\r::error::")
    #expect(await run(["golden", "verify"] + golden, form: form).status == .findings)
  }

  @Test("from a collector is printed by no verb as it is, nor stored", arguments: forms)
  func collector(_ form: String) async throws {
    let replay = [
      "replay", "--events", try eventsFile(), "--remap", try table(), "--rollout", try rollout(), "--endpoint",
      "http://collector.test/", "--database", folder.path("db.sqlite"), "--output", folder.path("old.jsonl"),
      "--timeout", "0.5",
    ]
    _ = await run(replay, form: form, transport: AnsweringCollector(rejecting: Self.long))
    for verb in ["check", "letters"] { _ = await run(["db", verb, folder.path("db.sqlite")], form: form) }
    let words = HTTPTransportError.connectionFailed(Self.long)
    try FileManager.default.removeItem(atPath: folder.path("db.sqlite"))
    _ = await run(replay, form: form, transport: AnsweringCollector(answer: .failure(words)))
  }

  @Test("in two streams is printed by no form of a report as it is", arguments: ["text", "json", "markdown", "html"])
  func parity(_ form: String) async throws {
    let id = "019b76da-a800-7daf-9b9e-279aa86e597d"
    let old: EventValue = [
      "name": .string(Self.hostile), "parameters": .object(["eventId": .string(id), key: 1, Self.hostile: "a"]),
    ]
    let lone: EventValue = ["name": .string(Self.hostile), "parameters": ["eventId": .string(Self.hostile)]]
    let new: EventValue = [
      "eventId": .string(id), "eventName": "x", "eventTime": 1, "payload": .object([Self.hostile: "b"]),
    ]
    let (oldFile, newFile) = (
      try folder.file("old.jsonl", old.canonicalText + "\n" + lone.canonicalText + "\n\u{1B}"),
      try json(new, named: "new.jsonl")
    )
    let arguments = ["parity", "--old", oldFile, "--new", newFile, "--remap", try table()]
    let recording = RecordingTerminal()
    _ = await DualSendCommand.run(arguments + ["--format", form], on: recording.terminal)
    #expect(!recording.results.isEmpty)
    #expect(Self.faults(in: recording.results + recording.diagnostics, form: form).isEmpty)
    if form == "markdown" || form == "html" { #expect(!recording.results.contains("|`<b>")) }
    if form == "html" { #expect(!recording.results.contains("<b>")) }
  }

  @Test("in a file's name is printed by no verb as it is", arguments: forms)
  func fileNames(_ form: String) async throws {
    let name = folder.path("\u{1B}]0;x\u{7}\n::error::forged\n\u{202E}.json")
    for arguments in [
      ["validate", name], ["plan", name, name], ["explain", name, "--event", "a"], ["remap", name],
      ["table", "coverage", name, "--events", name], ["simulate", name, "--events", name], ["db", "check", name],
      ["db", "letters", name],
      ["sign", name, "--signing-key", name],
    ] {
      #expect(await run(arguments, form: form).status == .couldNotRun)
    }
    try Data("{".utf8).write(to: URL(fileURLWithPath: name))
    let broken = [
      ["validate", name], ["remap", name], ["db", "check", name], ["sign", name, "--signing-key", name],
    ]
    for arguments in broken {
      #expect(await run(arguments, form: form).status != .clean)
    }
    _ = await run(["validate", "--no-such-option", Self.hostile])
  }

  @Test("of a quarter of a megabyte is cut short", arguments: forms)
  func longValues(_ form: String) async throws {
    let number = String(repeating: "9", count: 256 << 10)
    for text in [
      #"{"formatVersion": \#(number), "revision": 1, "salt": "s"}"#,
      #"{"formatVersion": 1, "revision": \#(number), "salt": "s", "shouldSendLogToNewTracker": \#(number)}"#,
      EventValue.object(["revision": 1, Self.long: 1]).canonicalText,
      EventValue.object(["revision": 1, "missingUnit": .string(Self.long)]).canonicalText,
      EventValue.object(["formatVersion": 1, "events": .object([Self.long: ["name": 1]])]).canonicalText,
    ] {
      let (status, printed) = await run(["validate", try folder.file("document.json", text)], form: form)
      #expect(status != .clean)
      #expect(printed.utf8.count < 20_000)
    }
    let events = try eventsFile(Self.long)
    #expect(await run(["table", "coverage", try table(), "--events", events]).text.utf8.count < 20_000)
    #expect(await run(["simulate", try rollout(), "--events", events], form: form).text.utf8.count < 20_000)
  }

  @Test("that is a secret of an address is never printed", arguments: forms)
  func secrets(_ form: String) async throws {
    let address = "http://user:password@collector.test/in?token=secret"
    let replay = [
      "replay", "--events", try eventsFile(), "--remap", try table(), "--rollout", try rollout(), "--database",
      folder.path("db.sqlite"), "--output", folder.path("old.jsonl"), "--timeout", "0.5", "--endpoint",
    ]
    let failing = AnsweringCollector(answer: .failure(.connectionFailed("no route to \(address)")))
    for endpoint in [address, "ftp://user:pass/word@collector.test/?secret"] {
      let (status, text) = await run(replay + [endpoint], form: form, transport: failing)
      #expect(status == .couldNotRun || status == .usage)
      #expect(text.contains("collector.test"))
      for secret in ["user", "pass", "secret"] { #expect(!text.contains(secret + ":") && !text.contains("=" + secret)) }
      #expect(!text.contains("password") && !text.contains("word@"))
    }
  }
}

/// A collector without a network: gives one answer, or rejects every event for a reason.
struct AnsweringCollector: HTTPTransport {
  private let answer: @Sendable (HTTPTransportRequest) -> Result<HTTPTransportResponse, HTTPTransportError>

  init(answer: Result<HTTPTransportResponse, HTTPTransportError>) {
    self.answer = { _ in answer }
  }

  init(rejecting reason: String) {
    answer = { request in
      let body = request.headers["Content-Encoding"] == nil ? request.body : nil
      guard case .array(let events)? = try? JSONReader().value(body ?? []) else {
        return .success(HTTPTransportResponse(status: 500))
      }
      let rejected = events.compactMap { event -> EventValue? in
        guard case .object(let members) = event, let id = members["eventId"] else { return nil }
        return ["eventId": id, "reason": .string(reason)]
      }
      let text = EventValue.object(["rejected": .array(rejected)]).canonicalText
      return .success(HTTPTransportResponse(status: 200, body: Array(text.utf8)))
    }
  }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    try answer(request).get()
  }
}
