import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

/// A host of documents that compares entity tags, and knows what it was asked.
private final class Host: Sendable {
  let files = Locked<[String: [UInt8]]>([:])
  /// What is done with a PUT of the document instead of taking it.
  let fault = Locked<(@Sendable (HTTPTransportRequest) -> Result<HTTPTransportResponse, HTTPTransportError>?)?>(nil)
  let token: String?

  init(_ text: String?, token: String? = nil) {
    self.token = token
    if let text { files.withLock { $0["/rollout.json"] = Array(text.utf8) } }
  }

  var text: String { String(decoding: files.current["/rollout.json"] ?? [], as: UTF8.self) }

  private static func tag(_ bytes: [UInt8]) -> String {
    "\"\(bytes.count)-\(bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFFFF })\""
  }

  var transport: ScriptedTransport {
    ScriptedTransport { request in
      if let token = self.token, request.headers["Authorization"] != token {
        return .success(HTTPTransportResponse(status: 401))
      }
      let path = request.url.path, known = self.files.current[path]
      if request.method == "PUT" {
        if path.hasSuffix("json"), let answer = self.fault.current?(request) { return answer }
        if let tag = request.headers["If-Match"], tag != known.map(Self.tag) {
          return .success(HTTPTransportResponse(status: 412))
        }
        self.files.withLock { $0[path] = request.body }
        return .success(HTTPTransportResponse(status: 201))
      }
      guard let known else { return .success(HTTPTransportResponse(status: 404)) }
      return .success(HTTPTransportResponse(status: 200, headers: ["etag": Self.tag(known)], body: known))
    }
  }
}

@Suite("Publishing is one act", .timeLimit(.minutes(5)))
struct PublishVerbTests {
  private static let url = "https://cdn.test/rollout.json"
  private let folder: TemporaryFiles

  init() throws { folder = try TemporaryFiles() }

  private static func text(_ share: Int, revision: Int, rules: String = "") -> String {
    #"{"formatVersion": 1, "revision": \#(revision), "salt": "test", "shouldSendLogToNewTracker": \#(share)\#(rules)}"#
  }

  private static let home = #", "rules": [{"match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 50}]"#

  @discardableResult
  private func run(
    _ arguments: String..., host: ScriptedTransport? = nil, input: String = ""
  ) async throws -> (status: CommandStatus, results: String, diagnostics: String) {
    let recording = RecordingTerminal(
      environment: ["XDG_STATE_HOME": folder.path("state")], input: try folder.input(input),
      transport: host ?? Host(nil).transport)
    let status = await DualSendCommand.run(arguments, on: recording.terminal)
    return (status, recording.results, recording.diagnostics)
  }

  private var record: PublicationRecord {
    get throws {
      let address = try #require(DocumentAddress(Self.url))
      return try #require(PublicationRecord(of: address, environment: ["XDG_STATE_HOME": folder.path("state")]))
    }
  }

  /// Leaves what a command leaves that was killed after its intent was on disk.
  private func interrupt(revision: Int, in record: PublicationRecord) throws -> String {
    let text = Self.text(0, revision: revision)
    var attempt = Publication(
      by: .kill, time: 3_000, user: "ada", message: nil, before: nil, after: Array(text.utf8))
    attempt.isAttempt = true
    try record.hold(waits: false).append(attempt)
    return text
  }

  // MARK: The verb

  @Test("replaces a file after one question, and refuses an edit of another text")
  func file() async throws {
    let live = try folder.file("live.json", Self.text(5, revision: 12))
    let next = try folder.file("next.json", Self.text(25, revision: 13))
    #expect(try await run("publish", next, "--to", live, input: "n\n").status == .findings)
    #expect(try folder.read("live.json") == Self.text(5, revision: 12))
    let done = try await run("publish", next, "--to", live, "--message", "25 %", input: "y\n")
    #expect(done.status == .clean && done.results.contains("20 %  old only → both"), "\(done)")
    #expect(try folder.read("live.json") == Self.text(25, revision: 13))
    #expect(try await run("publish", next, "--to", live, "--yes").diagnostics.contains("has this document already"))
    for revision in [12, 13] {
      let stale = try folder.file("stale.json", Self.text(50, revision: revision))
      let refused = try await run("publish", stale, "--to", live, "--yes")
      #expect(refused.status == .couldNotRun && refused.diagnostics.contains("was not edited from it"), "\(refused)")
    }
    let date = try folder.file("date.json", Self.text(25, revision: 20_261_128))
    #expect(try await run("publish", date, "--to", live).results.contains("REVISION: 13 → 20261128"))
    let highest = try folder.file("highest.json", Self.text(25, revision: .max))
    #expect(try await run("publish", highest, "--to", live, "--yes").diagnostics.contains("leaves no room"))
    #expect(try await run("publish", next, "--to", live, "--header", "A: b", "--yes").status == .usage)
    #expect(try await run("publish", "--to", live).status == .usage)
  }

  @Test(
    "never puts a document for another audience in the place of one that names its own", arguments: ["", "staging"])
  func audience(of other: String) async throws {
    func text(_ revision: Int, _ audience: String) -> String {
      Self.text(5, revision: revision)
        .replacing(#""salt""#, with: audience.isEmpty ? #""salt""# : #""audience": "\#(audience)", "salt""#)
    }
    let live = try folder.file("live.json", text(12, "production"))
    let refused = try await run("publish", try folder.file("other.json", text(13, other)), "--to", live, "--yes")
    #expect(refused.status == .couldNotRun && refused.diagnostics.contains("documents for production"), "\(refused)")
    let own = try folder.file("own.json", text(13, "production").replacing(": 5}", with: ": 6}"))
    #expect(try await run("publish", own, "--to", live, "--yes").status == .clean)
    #expect(try await run("kill", live, "--yes").status == .clean)
  }

  @Test("sends its header fields with each request, the entity tag with the PUT, and records at an address by itself")
  func address() async throws {
    let host = Host(Self.text(5, revision: 12), token: "Bearer t")
    let transport = host.transport
    let next = try folder.file("next.json", Self.text(25, revision: 13))
    #expect(try await run("publish", next, "--to", Self.url, "--yes", host: transport).status == .couldNotRun)
    let header = ["--to", Self.url, "--header", "Authorization: Bearer t", "--yes"]
    let done = try await run("publish", next, header[0], header[1], header[2], header[3], header[4], host: transport)
    #expect(done.status == .clean, "\(done)")
    let put = try #require(transport.requests.last { $0.method == "PUT" })
    #expect(put.headers["If-Match"] != nil && host.text == Self.text(25, revision: 13))
    let entries = try record.read(last: 9).entries
    #expect(entries.map(\.revision) == [12, 13] && entries.allSatisfy { $0.outcome == .published })
    let killed = try await run("kill", Self.url, "--yes", header[2], header[3], host: transport)
    #expect(killed.diagnostics.contains("`dualsend kill \(Self.url) --header … --undo` goes back"), "\(killed)")
    #expect(try await run("kill", Self.url, "--undo", "--yes", header[2], header[3], host: transport).status == .clean)
    #expect(host.text == Self.text(25, revision: 15))
    let history = try await run("history", Self.url, header[2], header[3], host: transport)
    #expect(history.status == .clean && history.results.contains("14 → 15"), "\(history)")
  }

  @Test("another who published in between is said, and nothing is sent or taken", arguments: [true, false])
  func between(isTold: Bool) async throws {
    let host = Host(Self.text(5, revision: 12))
    let other = Self.text(0, revision: 13)
    if isTold { host.fault.withLock { $0 = { _ in .success(HTTPTransportResponse(status: 412)) } } }
    // Without a tag that is compared, another text follows at once.
    if !isTold {
      host.fault.withLock {
        $0 = { [host] request in
          host.files.withLock { $0["/rollout.json"] = Array(other.utf8) }
          return .success(HTTPTransportResponse(status: 200))
        }
      }
    }
    let next = try folder.file("next.json", Self.text(25, revision: 13))
    let refused = try await run("publish", next, "--to", Self.url, "--yes", host: host.transport)
    #expect(refused.status == .couldNotRun)
    #expect(
      refused.diagnostics.contains(isTold ? "another published first" : "another text was read back"), "\(refused)")
    let last = try record.read(last: 9).entries.last
    #expect(last?.outcome != .published && last?.isUnknown == !isTold)
  }

  @Test("of a file and its address that differ, an edit is refused with the difference, and a kill takes the address")
  func places() async throws {
    let host = Host(Self.text(50, revision: 20, rules: Self.home))
    let file = try folder.file("live.json", Self.text(50, revision: 12))
    let next = try folder.file("next.json", Self.text(60, revision: 21))
    let refused = try await run("publish", next, "--to", file, "--to", Self.url, "--yes", host: host.transport)
    #expect(refused.status == .couldNotRun && refused.diagnostics.contains("+++"), "\(refused)")
    let killed = try await run("kill", file, "--publish", Self.url, "--event", "home.*", "--yes", host: host.transport)
    #expect(killed.status == .clean, "\(killed)")
    #expect(try host.text.contains("\"revision\": 21") && host.text == folder.read("live.json"))
    #expect(killed.results.contains("now: `home.*` goes to the old logger only"))
  }

  // MARK: What was interrupted

  @Test("an interrupted publication is found by the next command, which takes a higher revision")
  func interrupted() async throws {
    let host = Host(Self.text(50, revision: 12))
    _ = try interrupt(revision: 13, in: record)
    let history = try await run("history", Self.url, host: host.transport)
    #expect(history.status == .findings && history.results.contains("NOT KNOWN"), "\(history)")
    let resumed = try await run("publish", "--resume", "--to", Self.url, host: host.transport)
    #expect(resumed.status == .couldNotRun && resumed.diagnostics.contains("still not known"), "\(resumed)")
    let killed = try await run("kill", Self.url, "--yes", host: host.transport)
    #expect(
      killed.diagnostics.contains("revision 13 was sent at 1970-01-01T00:00:03.000Z, its outcome is not known"),
      "\(killed.diagnostics)")
    #expect(killed.status == .clean && host.text.contains("\"revision\": 14"))
    #expect(try await run("publish", "--resume", "--to", Self.url, host: host.transport).status == .clean)
  }

  @Test("resume finds what is live, and sends nothing")
  func resume() async throws {
    let text = try interrupt(revision: 13, in: record)
    let transport = Host(text).transport
    let resumed = try await run("publish", "--resume", "--to", Self.url, host: transport)
    #expect(resumed.status == .clean && resumed.diagnostics.contains("and is live"), "\(resumed)")
    #expect(!transport.requests.contains { $0.method == "PUT" })
    #expect(try record.read(last: 1).lastPublished?.revision == 13)
  }

  @Test("a file that a killed command did not replace is known not to be published")
  func interruptedFile() async throws {
    let live = try folder.file("live.json", Self.text(50, revision: 12))
    _ = try interrupt(revision: 13, in: PublicationRecord(besideDocument: live))
    let killed = try await run("kill", live, "--yes")
    #expect(killed.status == .clean && killed.diagnostics.contains("was not published"), "\(killed)")
    #expect(try folder.read("live.json").contains("\"revision\": 14"))
  }

  // MARK: The record

  @Test("is ordered by revision, whatever a machine's clock says, and --undo goes back to before the last kill")
  func order() async throws {
    let live = try folder.file("live.json", Self.text(50, revision: 12, rules: Self.home))
    #expect(try await run("kill", live, "--event", "home.*", "--yes").status == .clean)
    let text = try folder.read("live.json")
    let next = try folder.file(
      "next.json", text.replacing("\"revision\": 13", with: "\"revision\": 14").replacing(": 50,", with: ": 60,"))
    #expect(try await run("publish", next, "--to", live, "--yes").status == .clean)
    // A machine whose clock is ahead recorded an older text.
    let older = Publication(
      by: .added, time: 9_000_000_000_000, user: "bob", message: nil, before: nil,
      after: Array(Self.text(1, revision: 3).utf8))
    #expect(PublicationRecord(besideDocument: live).add(older).isEmpty)
    let undone = try await run("kill", live, "--undo", "--yes")
    #expect(undone.status == .clean, "\(undone)")
    #expect(try folder.read("live.json") == Self.text(50, revision: 15, rules: Self.home))
    #expect(try await run("kill", live, "--undo", "--yes").diagnostics.contains("nothing to undo"))
  }

  @Test("survives a release folder and a link that are swapped")
  func swapped() async throws {
    let manager = FileManager.default
    for release in ["r1", "r2"] {
      try manager.createDirectory(atPath: folder.path(release), withIntermediateDirectories: false)
      _ = try folder.file(release + "/live.json", Self.text(50, revision: 12))
    }
    let current = folder.path("current"), live = current + "/live.json"
    try manager.createSymbolicLink(atPath: current, withDestinationPath: "r1")
    #expect(try await run("kill", live, "--yes").status == .clean)
    try manager.removeItem(atPath: current)
    try manager.createSymbolicLink(atPath: current, withDestinationPath: "r2")
    #expect(try await run("kill", live, "--yes").status == .clean)
    #expect(try folder.read("r2/live.json").contains("\"revision\": 14"), "revision 13 has another text")
    #expect(try PublicationRecord(besideDocument: live).read(last: 9).entries.compactMap(\.revision) == [12, 13, 14])
  }

  @Test("that cannot be written is said before the question")
  func unwritable() async throws {
    let live = try folder.file("live.json", Self.text(50, revision: 12))
    try FileManager.default.createDirectory(atPath: live + ".history.jsonl", withIntermediateDirectories: false)
    let asked = try await run("kill", live, input: "n\n")
    let warning = try #require(asked.diagnostics.range(of: "warning[DS0412]"))
    let question = try #require(asked.diagnostics.range(of: "publish this?"))
    #expect(asked.status == .findings && warning.lowerBound < question.lowerBound)
  }

  // MARK: Signatures

  @Test("a signed document stays signed, beside a link's target too, and at a host of files")
  func signed() async throws {
    let key = folder.path("key")
    #expect(try await run("sign", "new", "--output", key).status == .clean)
    try FileManager.default.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: false)
    let real = try folder.file("real/live.json", Self.text(50, revision: 12))
    #expect(try await run("sign", real, "--signing-key", key).status == .clean)
    let before = try folder.read("real/live.json.sig")
    let link = folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    #expect(try await run("kill", link, "--yes").status == .couldNotRun)
    #expect(try folder.read("real/live.json") == Self.text(50, revision: 12))
    #expect(try await run("kill", link, "--yes", "--signing-key", key).status == .clean)
    let after = try folder.read("real/live.json.sig")
    #expect(after != before && !FileManager.default.fileExists(atPath: link + ".sig"))

    let host = Host(Self.text(50, revision: 12))
    host.files.withLock { $0["/rollout.json.sig"] = Array(before.utf8) }
    #expect(try await run("kill", Self.url, "--yes", host: host.transport).status == .couldNotRun)
    #expect(host.text == Self.text(50, revision: 12))
    let killed = try await run("kill", Self.url, "--yes", "--signing-key", key, host: host.transport)
    #expect(killed.status == .clean, "\(killed)")
    let signature = String(decoding: host.files.current["/rollout.json.sig"] ?? [], as: UTF8.self)
    #expect(signature != before && RolloutSignature(base64: signature) != nil)

    let linked = folder.path("linked.key")
    try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    let readable = try await run("sign", real, "--signing-key", linked)
    #expect(readable.status == .couldNotRun && readable.diagnostics.contains("other users of this machine"))
  }

  // MARK: Names

  @Test("a kill takes the collector's name, that of several old ones too, and refuses one that is not known")
  func names() async throws {
    let live = try folder.file("live.json", Self.text(100, revision: 3))
    _ = try folder.file(
      "remapping.json",
      #"{"formatVersion": 1, "events": {"home.like_button.tap": {"name": "home.like.tap"}, "home.heart": {"name": "home.like.tap"}}}"#
    )
    let killed = try await run("kill", live, "--event", "home.like.tap", "--yes")
    #expect(
      killed.status == .clean && killed.diagnostics.contains("as the app logs it: `home.heart`, `home.like_button.tap`")
    )
    let rollout = RolloutSnapshot(try RolloutDocument(reading: Array(folder.read("live.json").utf8)))
    func receives(_ event: String) -> Bool {
      rollout.decision(for: event, context: DecisionContext(unitID: "u")).shouldSendLogToNewTracker
    }
    #expect(!receives("home.heart") && !receives("home.like_button.tap") && receives("home.like.tap"))
    let unknown = try await run("kill", live, "--event", "home.hearts", "--yes")
    #expect(unknown.status == .couldNotRun && unknown.diagnostics.contains("did you mean `home.heart`?"), "\(unknown)")
    #expect(try await run("kill", live, "--event", "home.hearts", "--unknown-event", "--yes").status == .clean)
    for name in ["a,b", "a b"] { #expect(try await run("kill", live, "--event", name, "--yes").status == .usage) }
  }

  @Test("an edit or a rollback that takes a kill back must say so")
  func undoesKill() async throws {
    let live = try folder.file("live.json", Self.text(50, revision: 12, rules: Self.home))
    #expect(try await run("kill", live, "--event", "home.*", "--yes").status == .clean)
    let next = try folder.file("next.json", Self.text(60, revision: 14, rules: Self.home))
    let refused = try await run("publish", next, "--to", live, "--yes")
    #expect(refused.status == .findings && refused.diagnostics.contains("error[DS0422]"), "\(refused)")
    let older = try folder.file("older.json", Self.text(50, revision: 11, rules: Self.home))
    #expect(try await run("rollback", live, "--to", older, "-o", live).status == .findings)
    #expect(try await run("publish", next, "--to", live, "--yes", "--allow-undo").status == .clean)
  }

  @Test("a rollback to the address in force publishes there, and one to another address is a usage error")
  func rollback() async throws {
    let host = Host(Self.text(50, revision: 14))
    let older = try folder.file("older.json", Self.text(5, revision: 11))
    let asked = try await run("rollback", Self.url, "--to", older, "-o", Self.url, host: host.transport)
    #expect(asked.status == .couldNotRun && asked.diagnostics.contains("--yes"))
    #expect(host.text == Self.text(50, revision: 14))
    let done = try await run("rollback", Self.url, "--to", older, "-o", Self.url, "--yes", host: host.transport)
    #expect(done.status == .clean && host.text == Self.text(5, revision: 15), "\(done)")
    #expect(try await run("rollback", Self.url, "--to", older, "-o", Self.url + "x").status == .usage)
    #expect(try await run("watch", Self.url, "--once", "--revision", "15", host: host.transport).status == .clean)
    let other = try await run("watch", Self.url, "--once", "--revision", "14", host: host.transport)
    #expect(other.status == .findings && other.diagnostics.contains("DS0423"))
  }
}
