import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendHTTPClient
import DualSendRollout
import DualSendTool
import Foundation
import Testing

/// The whole loop of somebody who edits rollouts, on one machine: publish, watch, roll back.
@Suite("A rehearsal with dualsend collector --config", .timeLimit(.minutes(5)))
struct RehearsalTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  /// Runs a collector that hands out `rollout.json`, and the body with the document's address.
  private func rehearse(_ body: (URL) async throws -> Void) async throws {
    let recording = RecordingTerminal()
    let arguments = ["collector", "--config", "/rollout.json=" + folder.path("rollout.json")]
    let collector = Task {
      defer { recording.finish() }
      return await DualSendCommand.run(arguments, on: recording.terminal)
    }
    let address = try #require(await recording.nextResult()?.dropLast())
    let url = try #require(URL(string: String(address)))
    try await body(url.deletingLastPathComponent().appendingPathComponent("rollout.json"))
    collector.cancel()
    #expect(await collector.value == .clean)
  }

  private func run(_ arguments: String...) async -> (status: CommandStatus, results: String) {
    let recording = RecordingTerminal()
    let status = await DualSendCommand.run(arguments, on: recording.terminal)
    return (status, recording.results)
  }

  private func publish(_ share: Int, revision: Int) throws {
    _ = try folder.rollout(#""shouldSendLogToNewTracker": \#(share)"#, revision: revision)
  }

  private func app(_ url: URL) -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: url, minimumInterval: .zero), storage: .memory(),
      transport: SystemTransport.make())
  }

  @Test("publishes, refuses an old file again, and rolls back: apps follow, and the watch says why where they do not")
  func loop() async throws {
    try publish(5, revision: 1)
    try await rehearse { url in
      let app = app(url)
      let state = folder.path("state")
      func watch() async -> String { await run("watch", url.absoluteString, "--once", "--state", state).results }
      func fetch() async -> Int64? {
        _ = await app.fetch()
        await app.activate()
        return app.snapshot.revision
      }

      #expect(await fetch() == 1)
      #expect(await watch() == "revision 1 is in force, as served\n")
      let first = try folder.file("first.json", try folder.read("rollout.json"))

      try publish(25, revision: 2)
      #expect(await run("plan", url.absoluteString, folder.path("rollout.json")).results.contains("mean the same"))
      #expect(await fetch() == 2)
      #expect(await watch() == "revision 2 is in force, as served\n")

      try publish(5, revision: 1)
      #expect(await fetch() == 2)
      #expect(await watch().hasSuffix("refused: revision 1 is older than revision 2, which is known\n"))

      try publish(25, revision: 2)
      let rollout = folder.path("rollout.json")
      #expect(await run("rollback", url.absoluteString, "--to", first, "--output", rollout).status == .clean)
      #expect(await fetch() == 3)
      #expect(await watch() == "revision 3 is in force, as served\n")
      #expect(app.snapshot.decision(for: "a", context: DecisionContext(unitID: "unit-29")).outcome == .oldOnly)
    }
  }

  @Test("survives a file that is gone or half written: apps keep what they have")
  func halfWritten() async throws {
    try publish(5, revision: 1)
    try await rehearse { url in
      let app = app(url)
      _ = await app.fetch()
      await app.activate()

      let whole = try folder.read("rollout.json")
      try folder.write("rollout.json", String(whole.prefix(20)))
      guard case .failed(.invalid) = await app.fetch() else {
        Issue.record("half a document was taken")
        return
      }
      try FileManager.default.removeItem(at: folder.folder.appendingPathComponent("rollout.json"))
      #expect(await app.fetch() == .failed(.status(404)))
      #expect(app.snapshot.revision == 1)
    }
  }
}
