import DualSendCollector
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend watch", .timeLimit(.minutes(5)))
struct WatchVerbTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private static func document(_ revision: Int, _ members: String = "") -> [UInt8] {
    Array(
      #"{"formatVersion": 1, "revision": \#(revision), "salt": "test"\#(members.isEmpty ? "" : ", " + members)}"#.utf8)
  }

  /// Asks once.
  private func watch(
    _ url: URL, _ arguments: String...
  ) async -> (status: CommandStatus, results: String, diagnostics: String) {
    let recording = RecordingTerminal()
    let status = await DualSendCommand.run(["watch", url.absoluteString, "--once"] + arguments, on: recording.terminal)
    return (status, recording.results, recording.diagnostics)
  }

  private func serving(_ run: (CollectorServer, URL) async throws -> Void) async throws {
    let server = CollectorServer()
    try await server.start()
    await server.setDocument(Self.document(3), at: "/live.json")
    try await run(server, try #require(await server.url("/live.json")))
    await server.stop()
  }

  @Test("says which revision is in force")
  func accepted() async throws {
    try await serving { _, url in
      let found = await watch(url)
      #expect(found.status == .clean)
      #expect(found.results == "revision 3 is in force, as served\n")
      #expect(found.diagnostics.isEmpty)
    }
  }

  @Test("tells which revisions the fleet has, by the collector's log")
  func fleet() async throws {
    try folder.write(
      "collector.jsonl", #"{"decision":"3:both","eventId":"x","eventName":"tap","eventTime":1,"payload":{}}"#)
    try await serving { _, url in
      let found = await watch(url, "--fleet", folder.path("collector.jsonl"))
      #expect(
        found.results
          == "revision 3 is in force, as served\nthe fleet: no event of the last 5 minutes names a revision\n")
      #expect(await watch(url, "--fleet", folder.path("none.jsonl")).status == .couldNotRun)
      let json = await watch(url, "--fleet", folder.path("collector.jsonl"), "--format", "json").results
      #expect(json.contains(#""fleet":{"revisions":{"events":[],"others":0},"withoutDecision":0}"#))
    }
  }

  @Test("says once that a server gives no entity tag")
  func noEntityTag() async throws {
    for (headers, isTold) in [([:], true), (["etag": "\"1\""], false)] {
      let recording = RecordingTerminal(transport: Answering(headers: headers))
      let status = await DualSendCommand.run(["watch", "http://config.test/", "--once"], on: recording.terminal)
      #expect(status == .clean && recording.diagnostics.contains("warning[DS0419]") == isTold)
    }
  }

  private struct Answering: HTTPTransport {
    let headers: [String: String]

    func send(_ request: HTTPTransportRequest) async -> HTTPTransportResponse {
      HTTPTransportResponse(status: 200, headers: headers, body: document(3))
    }
  }

  @Test("says why a newer document is not in force, as an app does that has the older one")
  func refused() async throws {
    try await serving { server, url in
      let state = folder.path("state")
      #expect(await watch(url, "--state", state).status == .clean)
      for (body, reason) in [
        (Self.document(2), "revision 2 is older than revision 3, which is known"),
        (Self.document(3, #""shouldSendLogToNewTracker": 5"#), "revision 3 is known, and said something else"),
        (Self.document(4, #""shouldSendLogToNewTracker": 101"#), "101 is not between 0 and 100"),
        (Self.document(4, #""shouldSendLogToNewTracker": 101, "x": 1"#), "the document has 2 errors"),
      ] {
        await server.setDocument(body, at: "/live.json")
        let found = await watch(url, "--state", state)
        #expect(found.status == .findings)
        #expect(
          found.results
            == "revision 3, from the saved state, stays in force: the served document is refused: \(reason)\n")
      }
      await server.setDocument(Self.document(4), at: "/live.json")
      #expect(await watch(url, "--state", state).results == "revision 4 is in force, as served\n")
    }
  }

  @Test("tries a stream of live updates, and says why one cannot be opened")
  func stream() async throws {
    try await serving { server, url in
      let updates = try #require(await server.updatesURL(ofDocumentAt: "/live.json"))
      let open = await watch(url, "--stream", updates.absoluteString)
      #expect(open.status == .clean)
      #expect(open.results == "revision 3 is in force, as served; the stream is open\n")
      let none = await watch(url, "--stream", url.absoluteString)
      #expect(none.status == .couldNotRun)
      #expect(none.results.contains("live updates are interrupted: the answer is not a stream of events"))
    }
  }

  @Test("asks with the entity tag of what its state has")
  func entityTag() async throws {
    try await serving { server, url in
      let state = folder.path("state")
      for _ in 0..<3 { #expect(await watch(url, "--state", state).status == .clean) }
      let requests = await server.documentRequests(at: "/live.json")
      #expect(requests.total == 3)
      #expect(requests.notModified == 2)
    }
  }

  @Test("ends with 2 where there is no answer to judge")
  func unanswered() async throws {
    try await serving { server, url in
      await server.setDocumentFaults([CollectorFault(.status(503))], at: "/live.json")
      let found = await watch(url)
      #expect(found.status == .couldNotRun)
      #expect(found.results == "the app's default stays in force: the server answered with status 503\n")
    }
  }

  @Test("asks for a signature where keys are named, and tells a broken one from a wrong one")
  func signatures() async throws {
    try await serving { server, url in
      let (key, other) = (RolloutSigningKey(), RolloutSigningKey())
      let arguments = ["--public-key", key.publicKey.description, "--format", "json"]
      func reason(_ signature: String?) async throws -> (CommandStatus, String) {
        await server.setDocument(
          Self.document(3), headers: signature.map { ["X-Rollout-Signature": $0] } ?? [:], at: "/live.json")
        let found = await watch(url, arguments[0], arguments[1], arguments[2], arguments[3])
        return (found.status, found.results)
      }
      #expect(
        try await reason(nil) == (
          .findings,
          #"{"reason":"the document is not signed","revision":null,"source":"inAppDefault","verdict":"refused"}"# + "\n"
        ))
      #expect(try await reason("???").1.contains("the document's signature is not 64 bytes in base64"))
      let wrong = try other.signature(of: Self.document(3)).description
      #expect(try await reason(wrong).1.contains("is not signed with a key that is configured"))
      let right = try key.signature(of: Self.document(3)).description
      #expect(try await reason(right) == (.clean, #"{"revision":3,"source":"fresh","verdict":"accepted"}"# + "\n"))
    }
  }

  @Test("shows what is wrong with a document, with its places")
  func findings() async throws {
    try await serving { server, url in
      await server.setDocument(Array(#"{"formatVersion": 1, "revision": 1.0, "salt": "s"}"#.utf8), at: "/live.json")
      let found = await watch(url)
      #expect(found.status == .findings)
      #expect(found.diagnostics.hasPrefix("error[DS0002]: expected a whole number, found 1.0"))
      #expect(found.diagnostics.contains("--> 1:34  revision"))
    }
  }

  @Test("warns of a state that it cannot read, and starts without it")
  func damagedState() async throws {
    try await serving { _, url in
      let state = try folder.file("state", "nonsense")
      let found = await watch(url, "--state", state)
      #expect(found.status == .clean)
      #expect(found.diagnostics.hasPrefix("warning[DS0411]: the stored rollout was ignored: "))
    }
  }

  @Test("goes on until it is ended, and ends with the last answer")
  func ended() async throws {
    try await serving { server, url in
      let recording = RecordingTerminal()
      let run = Task { await DualSendCommand.run(["watch", url.absoluteString], on: recording.terminal) }
      #expect(await recording.nextResult()?.hasSuffix("Z  revision 3 is in force, as served\n") == true)
      run.cancel()
      #expect(await run.value == .clean)
      #expect(recording.results.split(separator: "\n").count == 1)
    }
  }

  @Test(
    "is used wrongly without an address, or with an interval of nothing",
    arguments: [
      ["rollout.json"], ["-"], ["http://127.0.0.1/r", "--interval", "0"], ["http://127.0.0.1/r", "--public-key", "x"],
    ])
  func usage(_ arguments: [String]) async {
    #expect(await DualSendCommand.run(["watch"] + arguments, on: RecordingTerminal().terminal) == .usage)
  }
}
