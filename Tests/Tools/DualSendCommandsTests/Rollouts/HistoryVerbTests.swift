import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend history", .timeLimit(.minutes(5)))
struct HistoryVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles
  private let document: String
  private var record: PublicationRecord { PublicationRecord(besideDocument: document) }

  init() throws {
    folder = try TemporaryFiles()
    document = try folder.rollout(#""shouldSendLogToNewTracker": 5"#, named: "live.json", revision: 1)
  }

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(arguments, on: recording.terminal)
  }

  private func publication(_ message: String, revision: Int = 0) -> Publication {
    let text = #"{"formatVersion": 1, "revision": \#(revision), "salt": "test"}"#
    return Publication(by: .added, time: 0, user: "ops", message: message, before: nil, after: Array(text.utf8))
  }

  @Test("records a changed document once, and tells of one that is not recorded")
  func add() async throws {
    #expect(await run("history", document, "--add", "--message", "the first", "--user", "ada") == .clean)
    #expect(await run("history", document, "--add") == .clean)
    _ = try folder.rollout(#""shouldSendLogToNewTracker": 25"#, named: "live.json", revision: 2)
    #expect(await run("history", document) == .findings)
    #expect(recording.diagnostics.contains("DS0414") && recording.diagnostics.contains("revision 1 → 2"))
    #expect(recording.results.contains("the first") && recording.results.contains("ada"))
    #expect(await run("history", document, "--add", "--message", "a raise") == .clean)
    let entries = try record.read(last: 10).entries
    #expect(entries.map(\.publication.message) == ["the first", "a raise"])
    #expect(entries[1].publication.plan?.contains("old only → both") == true)
  }

  @Test("a rollback goes back to an entry, records who and why, and replaces no signed document without a key")
  func rollback() async throws {
    #expect(await run("history", document, "--add") == .clean)
    let first = try #require(try record.read(last: 10).entries.first)
    _ = try folder.rollout(#""shouldSendLogToNewTracker": 25"#, named: "live.json", revision: 2)
    let signature = try folder.file("live.json.sig", "old")
    let back = ["rollback", document, "--to-entry", String(first.id.prefix(6)), "--output", document, "--yes"]
    let arguments = back + ["--message", "crashes", "--user", "ada"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.contains("live.json is signed"))
    #expect(try folder.read("live.json").contains(#""revision": 2"#) && folder.read("live.json.sig") == "old")
    try FileManager.default.removeItem(atPath: signature)
    let status = await DualSendCommand.run(arguments, on: recording.terminal)
    #expect(status == .clean, "\(recording.diagnostics)")
    let last = try #require(try record.read(last: 10).lastPublished?.publication)
    #expect(last.by == .rollback && last.backTo == first.id && last.message == "crashes" && last.user == "ada")
    #expect(last.before?.revision == 2 && last.after.revision == 3)
    #expect(try folder.read("live.json") == last.text)
  }

  @Test("keeps an incomplete line, skips bad ones with a warning, and sorts what a merge put in another order")
  func merged() async throws {
    let lines = [publication("late", revision: 2), publication("early", revision: 1)].map(\.json.canonicalText)
    let text = "<<<<<<< ours\n\(lines[0])\n=======\r\n\(lines[1])\n\(lines[1])\n>>>>>>> theirs\n{\"torn\": "
    let path = try folder.file("live.json.history.jsonl", text)
    #expect(record.add(publication("after", revision: 3)).isEmpty)
    #expect(try folder.read("live.json.history.jsonl").hasPrefix(text + "\n"))
    #expect(path == record.path)
    let reading = try record.read(last: 100)
    #expect(reading.entries.map(\.publication.message) == ["early", "late", "after"])
    #expect(
      reading.findings(live: nil, file: path).map { $0.message.prefix(6) } == ["line 1", "line 3", "line 6", "line 7"])
  }

  @Test("a text that does not match its hash is not an entry")
  func damaged() throws {
    let line = publication("x").json.canonicalText
    _ = try folder.file(
      "live.json.history.jsonl", line.replacing(#"\"revision\": 0"#, with: #"\"revision\": 2"#) + "\n")
    let reading = try record.read(last: 10)
    #expect(reading.entries.isEmpty && reading.findings(live: nil, file: "").count == 1)
  }

  @Test("reads only the last lines, and finds any entry by name")
  func bounded() throws {
    let lines = (0..<1_000).map { publication("entry \($0)", revision: $0).json.canonicalText }
    _ = try folder.file("live.json.history.jsonl", lines.joined(separator: "\n") + "\n")
    let reading = try record.read(last: 3)
    #expect(reading.entries.map(\.publication.message) == ["entry 997", "entry 998", "entry 999"])
    #expect(reading.unread == 997)
    let first = try #require(try record.read(last: 1_000).entries.first)
    #expect(try record.entry(first.id) == first)
    #expect(throws: CommandError.self) { try record.entry("zzzzzz") }
  }

  @Test("shows hostile texts escaped, in every form")
  func hostile() async throws {
    let evil = "a\u{1b}[31m\u{202e}|<b>\u{7}"
    var hostile = Publication(
      by: .added, time: 0, user: evil, message: evil + "\n::error::x", before: nil, after: Array("{}".utf8), plan: evil,
      gate: .string(evil), backTo: evil)
    (hostile.stops, hostile.undoes, hostile.isAttempt) = ([evil], evil, true)
    let id: String
    do {
      let hold = try record.hold(waits: false)
      id = try hold.append(hostile)
      _ = try hold.append(Publication.line(.refused(evil), of: id, time: 0))
    }
    for arguments in [[], ["--format", "markdown"], ["--format", "json"], ["--entry", id]] {
      _ = await DualSendCommand.run(["history", document] + arguments, on: recording.terminal)
    }
    let all = recording.results + recording.diagnostics
    #expect(!all.unicodeScalars.contains { ["\u{1b}", "\u{202e}", "\u{7}"].contains($0) })
    #expect(all.contains(#"\|\<b\>"#))
  }

  @Test("refuses a message with control characters, or of more than 2,000 characters")
  func message() throws {
    #expect(throws: CommandError.self) { try Publication.message("a\u{1b}b") }
    #expect(throws: CommandError.self) { try Publication.message("a\u{202e}b") }
    #expect(throws: CommandError.self) { try Publication.message(String(repeating: "x", count: 2_001)) }
    #expect(try Publication.message(" two\r\nlines \n") == "two\nlines")
    #expect(try Publication.message(" \n") == nil)
  }

  @Test("a record that cannot be written is a warning, and the publication counts")
  func unwritable() async throws {
    try FileManager.default.createDirectory(atPath: record.path, withIntermediateDirectories: false)
    _ = try folder.rollout(#""shouldSendLogToNewTracker": 25"#, named: "live.json", revision: 2)
    let older = try folder.rollout(#""shouldSendLogToNewTracker": 5"#, named: "older.json", revision: 1)
    #expect(await run("rollback", document, "--to", older, "--output", document, "--yes") == .clean)
    #expect(recording.diagnostics.contains("warning[DS0412]"))
    #expect(try folder.read("live.json").contains("\"revision\": 3"))
  }

  private func act(_ path: String, at address: String? = nil, on terminal: Terminal? = nil) throws -> PublicationAct {
    let target = PublicationTarget(DocumentInput(argument: path), at: address.flatMap { DocumentAddress($0) })
    return PublicationAct(target, record: record, on: terminal ?? recording.terminal, sleep: { _ in })
  }

  @Test("a second publication is refused while another process publishes, and one over a changed document too")
  func conflict() async throws {
    let act = try act(document)
    let draft = try #require(try act.draft(.stopping([.prefix("")]), after: try await act.look()))
    func publish() async throws { _ = try await act.publish(draft, user: nil, message: nil) }
    for path in [record.path, document] {
      let lock = try LockedFile.lock(path, waits: false)
      await #expect(throws: CommandError.self) { try await publish() }
      withExtendedLifetime(lock) {}
    }
    let before = try folder.read("live.json")
    try folder.write("live.json", before + " ")
    await #expect(throws: CommandError.self) { try await publish() }
    #expect(try record.read(last: 1).entries.isEmpty)
    try folder.write("live.json", before)
    try await publish()
    #expect(try record.read(last: 9).entries.map(\.outcome) == [.published, .published])
  }

  @Test("a link that is swapped during a publication changes neither file, and the record stays beside the link")
  func swapped() async throws {
    let (one, other) = (try folder.read("live.json"), "{}")
    let (link, second) = (folder.path("link.json"), try folder.file("other.json", other))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: document)
    let live = Locked(Array(one.utf8))
    let transport = ScriptedTransport { request in
      if request.url.pathExtension == "sig" { return .success(HTTPTransportResponse(status: 404)) }
      if request.method == "PUT" {
        live.withLock { $0 = request.body ?? [] }
        try? FileManager.default.removeItem(atPath: link)
        try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: second)
      }
      return .success(HTTPTransportResponse(status: 200, body: live.current))
    }
    var act = try act(link, at: "https://cdn.test/rollout.json", on: RecordingTerminal(transport: transport).terminal)
    let record = PublicationRecord(besideDocument: link)
    act = PublicationAct(act.target, record: record, on: act.terminal, sleep: { _ in })
    let draft = try #require(try act.draft(.stopping([.prefix("")]), after: try await act.look()))
    let error = await #expect(throws: CommandError.self) {
      _ = try await act.publish(draft, user: nil, message: nil)
    }
    #expect(error?.message.contains("was linked to another file") == true, "\(String(describing: error))")
    #expect(try folder.read("live.json") == one && folder.read("other.json") == other)
    #expect(record.path == link + ".history.jsonl")
    #expect(try PublicationRecord(besideDocument: link).read(last: 9).lastPublished?.revision == 2, "apps have it")
  }

  @Test("a pipe is no record, and has none beside it; it is not waited for", .timeLimit(.minutes(5)))
  func pipe() async throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let calls = [["history", pipe, "--add"], ["history", document, "--add", "--history", pipe], ["history", pipe]]
    for arguments in calls {
      let recording = RecordingTerminal()
      #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .couldNotRun)
      #expect(recording.diagnostics.contains("--history"), "\(recording.diagnostics)")
    }
  }

  @Test("two processes append at once, and no line is torn or lost")
  func processes() async throws {
    let path = folder.path("shared.jsonl")
    let texts = try (0..<12).map { number in
      try folder.rollout(#""shouldSendLogToNewTracker": \#(number)"#, named: "r\(number).json", revision: number + 1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, text) in texts.enumerated() {
        group.addTask { [folder] in
          let arguments = ["history", text, "--add", "--history", path, "--message", "\(number)"]
          let status = try await ChildCommand(arguments: arguments).run(in: folder).status
          #expect(status == 0)
        }
      }
      try await group.waitForAll()
    }
    let reading = try PublicationRecord(path).read(last: 100)
    #expect(reading.findings(live: nil, file: path).isEmpty)
    #expect(Set(reading.entries.compactMap(\.publication.message)) == Set((0..<12).map(String.init)))
  }
}
