import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend kill", .timeLimit(.minutes(5)))
struct KillVerbTests {
  private static let members = #"""
    "shouldSendLogToNewTracker": 25, "rules": [
      {"name": "home first", "match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 100},
      {"name": "testers", "match": {"unitIDs": ["qa-1"]}, "shouldSendLogToNewTracker": true}]
    """#
  private let folder: TemporaryFiles
  private let document: String

  init() throws {
    folder = try TemporaryFiles()
    document = try folder.rollout(Self.members, named: "live.json", revision: 10)
    _ = try folder.file("remapping.json", #"{"formatVersion": 1, "events": {}}"#)
  }

  private func run(
    _ arguments: String..., input: String = ""
  ) async throws -> (status: CommandStatus, results: String, diagnostics: String) {
    let recording = RecordingTerminal(input: try folder.input(input))
    let status = await DualSendCommand.run(["kill", document] + arguments, on: recording.terminal)
    return (status, recording.results, recording.diagnostics)
  }

  private func receives(_ event: String, unit: String = "unit-1") throws -> Bool {
    let document = try RolloutDocument(reading: Array(folder.read("live.json").utf8))
    let decision = RolloutSnapshot(document).decision(for: event, context: DecisionContext(unitID: unit))
    return decision.shouldSendLogToNewTracker
  }

  @Test("stops an event in every rule, after one question, and undoes it")
  func event() async throws {
    let killed = try await run("--event", "home.tap", input: "y\n")
    #expect(killed.status == .clean, "\(killed.diagnostics)")
    #expect(killed.results.contains("after it, no unit gets `home.tap` on the new side"))
    #expect(try !receives("home.tap") && receives("home.view"))
    #expect(try !receives("home.tap", unit: "qa-1") && receives("cart.add", unit: "qa-1"))
    let before = try folder.read("live.json")
    #expect(before.contains("\"revision\": 11"))
    #expect(try await run("--event", "home.tap", "--yes").status == .findings, "it is stopped already")
    #expect(try await run("--yes").status == .clean)
    #expect(try !receives("home.view") && !receives("cart.add", unit: "qa-1"))
    let undone = try await run("--undo", "--yes")
    #expect(undone.status == .clean, "\(undone.diagnostics)")
    #expect(try folder.read("live.json") == before.replacing("\"revision\": 11", with: "\"revision\": 13"))
    let again = try await run("--undo", "--yes")
    #expect(again.status == .couldNotRun && again.diagnostics.contains("there is nothing to undo: revision 13 took"))
  }

  @Test("over a text that is none, starts from the one recorded last, which apps have", arguments: ["", "<html>", "{"])
  func invalid(text: String) async throws {
    try folder.write("live.json", text)
    #expect(try await run("--yes").status == .couldNotRun, "what apps have is not known")
    #expect(try folder.read("live.json") == text)

    _ = try folder.rollout(Self.members, named: "live.json", revision: 10)
    #expect(try await run("--event", "home.tap", "--yes").status == .clean)
    try folder.write("live.json", text)
    let killed = try await run("--yes")
    #expect(killed.status == .clean, "\(killed.diagnostics)")
    #expect(killed.diagnostics.contains("is not a valid document, so apps keep the one that they have"))
    #expect(try folder.read("live.json").contains("\"revision\": 12"))
    #expect(try !receives("home.view") && !receives("cart.add", unit: "qa-1"))
  }

  @Test("publishes nothing without a yes, and names --yes where nothing answers", arguments: ["", "n\n", "yess\n"])
  func asked(answer: String) async throws {
    let before = try folder.read("live.json")
    let asked = try await run(input: answer)
    #expect(asked.status == (answer.isEmpty ? .couldNotRun : .findings))
    #expect(asked.diagnostics.contains(answer.isEmpty ? "pass --yes" : "nothing is published"))
    #expect(try folder.read("live.json") == before)
  }

  @Test("a name that only the table can tell is refused without one, by a message that names --remap")
  func table() async throws {
    let table = try folder.file("table.json", #"{"formatVersion": 1, "events": {"cart.tap": {"name": "home.tap"}}}"#)
    try FileManager.default.removeItem(atPath: folder.path("remapping.json"))
    let before = try folder.read("live.json")
    for name in ["home.tap", "home.t*", "cart.tap"] {
      let refused = try await run("--event", name, "--yes")
      #expect(refused.status == .couldNotRun && refused.diagnostics.contains("--remap"), "\(name): \(refused)")
    }
    #expect(try folder.read("live.json") == before)
    #expect(try await run("--event", "home.*", "--yes").status == .clean, "the document has it")
    _ = try folder.rollout(Self.members, named: "live.json", revision: 20)
    let killed = try await run("--event", "home.tap", "--remap", table, "--yes")
    #expect(killed.status == .clean && killed.diagnostics.contains("`home.tap`, `cart.tap`"), "\(killed)")
    #expect(try !receives("cart.tap") && !receives("home.tap") && receives("home.view"))
    let explained = RecordingTerminal()
    #expect(await DualSendCommand.run(["explain", document, "--event", "home.view"], on: explained.terminal) == .clean)
    #expect(explained.diagnostics.contains("(--remap)"))
  }

  @Test("says which test devices still get the events, if they may")
  func namedUnits() async throws {
    let killed = try await run("--keep-named-units", "--yes")
    #expect(killed.status == .clean, "\(killed.diagnostics)")
    #expect(killed.results.contains("still on the new side: `qa-1` with events such as"))
    #expect(try receives("cart.add", unit: "qa-1") && !receives("cart.add"))
    let again = try await run("--keep-named-units", "--yes")
    #expect(again.results.contains("still on the new side: `qa-1`"))
    #expect(again.diagnostics.contains("nothing else gives any event to the new side"))
  }

  @Test("does nothing where nothing is to be stopped, and nothing to a signed document without the key")
  func refusals() async throws {
    #expect(try await run("--yes").status == .clean)
    let again = try await run("--yes")
    #expect(again.status == .findings && again.diagnostics.contains("nothing gives any event to the new side"))
    _ = try folder.rollout(Self.members, named: "live.json", revision: 20)
    _ = try folder.file("live.json.sig", "old")
    let signed = try await run("--yes")
    #expect(signed.status == .couldNotRun && signed.diagnostics.contains("is signed"))
    #expect(try folder.read("live.json.sig") == "old" && receives("home.view"))
  }

  @Test("takes a revision above all that are known")
  func revision() async throws {
    // A copy of before came back, as from a cache: the record knows more.
    #expect(try await run("--yes").status == .clean)
    _ = try folder.rollout(Self.members, named: "live.json", revision: 10)
    #expect(try await run("--yes").status == .clean)
    #expect(try folder.read("live.json").contains("\"revision\": 12"))
    _ = try folder.rollout(Self.members, named: "live.json", revision: 10)
    #expect(try await run("--yes", "--revision", "40").status == .clean)
    #expect(try folder.read("live.json").contains("\"revision\": 41"))
  }

  // MARK: By PUT

  /// What an address does with a PUT, and what is read from it afterwards.
  enum Address: CaseIterable {
    case takesIt, takesItWithoutAnAnswer, showsALogin, losesIt, refusesIt
  }

  @Test(
    "what was published is read back; what is not known is said, recorded, and its revision not used again",
    arguments: Address.allCases)
  func put(_ address: Address) async throws {
    let before = Array(try folder.read("live.json").utf8)
    let live = Locked(before)
    let transport = ScriptedTransport { request in
      guard request.method == "PUT" else {
        if request.url.pathExtension == "sig" { return .success(HTTPTransportResponse(status: 404)) }
        return .success(HTTPTransportResponse(status: 200, body: live.current))
      }
      if [.takesIt, .takesItWithoutAnAnswer].contains(address) { live.withLock { $0 = request.body ?? [] } }
      switch address {
      case .takesIt: return .success(HTTPTransportResponse(status: 201))
      case .showsALogin: return .success(HTTPTransportResponse(status: 200, body: Array("<html>".utf8)))
      case .refusesIt: return .success(HTTPTransportResponse(status: 403))
      case .takesItWithoutAnAnswer, .losesIt: return .failure(.timedOut)
      }
    }
    let recording = RecordingTerminal(transport: transport)
    let record = PublicationRecord(folder.path("history.jsonl"))
    let act = try act("https://cdn.test/rollout.json", record: record, on: recording.terminal)
    func publish() async throws {
      let draft = try #require(try act.draft(.stopping([.prefix("")]), after: try await act.look()))
      _ = try await act.publish(draft, user: "ada", message: nil)
    }
    let error: CommandError?
    do {
      try await publish()
      error = nil
    } catch let failure as CommandError { error = failure }
    let entries = try record.read(last: 9).entries
    #expect(entries.map(\.publication.by) == [.added, .kill] && entries.map(\.revision) == [10, 11])
    switch address {
    case .takesIt, .takesItWithoutAnAnswer: #expect(error == nil && entries.last?.outcome == .published)
    case .showsALogin, .losesIt:
      #expect(error?.message.contains("it is not known whether") == true)
      #expect(entries.last?.isUnknown == true)
    case .refusesIt:
      #expect(error?.message.contains("refused the document: status 403") == true)
      #expect(entries.last?.outcome == .refused("https://cdn.test/rollout.json refused the document: status 403"))
    }
    #expect(try record.highestRevision() == 11)
  }

  private func act(
    _ address: String, publish: String? = nil, record: PublicationRecord? = nil, on terminal: Terminal
  ) throws -> PublicationAct {
    let target = PublicationTarget(DocumentInput(argument: address), at: publish.flatMap { DocumentAddress($0) })
    return PublicationAct(target, record: record, on: terminal, sleep: { _ in })
  }

  /// What a cache in front of the apps' address does after a publication.
  enum Cache: CaseIterable {
    case asksItsOrigin, saysUnchanged, keepsTheOld, isDown
  }

  @Test(
    "after a publication, the apps' address is asked as a device with the document of before", arguments: Cache.allCases
  )
  func devices(_ cache: Cache) async throws {
    let before = Array(try folder.read("live.json").utf8)
    let live = Locked(before)
    let transport = ScriptedTransport { request in
      if request.method == "PUT" { live.withLock { $0 = request.body ?? [] } }
      if request.url.pathExtension == "sig" { return .success(HTTPTransportResponse(status: 404)) }
      let isDevice = request.headers["If-None-Match"] == "\"v10\"" && request.headers["Cache-Control"] == nil
      if request.url.host == "apps.test", isDevice {
        switch cache {
        case .asksItsOrigin: break
        case .saysUnchanged: return .success(HTTPTransportResponse(status: 304))
        case .keepsTheOld: return .success(HTTPTransportResponse(status: 200, body: before))
        case .isDown: return .success(HTTPTransportResponse(status: 503))
        }
      }
      let headers = ["etag": live.current == before ? "\"v10\"" : "\"v11\"", "age": "40"]
      return .success(HTTPTransportResponse(status: 200, headers: headers, body: live.current))
    }
    let recording = RecordingTerminal(transport: transport)
    let act = try act(
      "https://apps.test/rollout.json", publish: "https://origin.test/rollout.json", on: recording.terminal)
    let draft = try #require(try act.draft(.stopping([.prefix("")]), after: try await act.look()))
    let warnings = try await act.publish(draft, user: nil, message: nil)
    #expect(live.current == draft.new.bytes)
    #expect(warnings.map(\.code.rawValue) == (cache == .asksItsOrigin ? [] : ["DS0416"]), "\(warnings)")
    #expect(recording.diagnostics.contains("warning[DS0417]: https://apps.test/rollout.json: a cache answered"))
  }

  @Test("a text that came in between is left alone, and so is one that cannot be read", arguments: [200, 503])
  func between(status: Int) async throws {
    let before = Array(try folder.read("live.json").utf8)
    let reads = Locked(0)
    let transport = ScriptedTransport { request in
      if request.url.pathExtension == "sig" { return .success(HTTPTransportResponse(status: 404)) }
      let isFirst = reads.withLock { reads in
        reads += 1
        return reads == 1
      }
      return .success(
        HTTPTransportResponse(status: isFirst ? 200 : status, body: isFirst ? before : Array("other".utf8)))
    }
    let act = try act("https://cdn.test/rollout.json", on: RecordingTerminal(transport: transport).terminal)
    let draft = try #require(try act.draft(.stopping([.prefix("")]), after: try await act.look()))
    await #expect(throws: CommandError.self) { _ = try await act.publish(draft, user: nil, message: nil) }
    #expect(!transport.requests.contains { $0.method == "PUT" })
    #expect(transport.requests.allSatisfy { $0.headers["Cache-Control"] == "no-cache" })
  }
}
