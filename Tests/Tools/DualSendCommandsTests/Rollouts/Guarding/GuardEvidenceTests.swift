import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendGuard
import DualSendRollout
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("What dualsend guard reads and writes", .timeLimit(.minutes(5)))
struct GuardEvidenceTests {
  private let rehearsal: GuardRehearsal

  init() throws {
    rehearsal = try GuardRehearsal()
  }

  private func policy(with members: String) throws {
    let policy = GuardRehearsal.policy.trimmingCharacters(in: .whitespacesAndNewlines).dropLast()
    try rehearsal.folder.write("policy.json", policy + ", " + members + "}")
  }

  @Test("judges events of apps that still use an earlier revision by all revisions that they may have")
  func outdatedApps() async throws {
    try rehearsal.folder.write(
      "policy.json", GuardRehearsal.policy.replacing("25,", with: #"{"percentage": 25, "hold": "24h"},"#))
    let before = try rehearsal.document
    #expect(await rehearsal.look() == .clean)
    var round = 0
    while try rehearsal.share == 5, round < 30 {
      try rehearsal.ship(round)
      #expect(await rehearsal.look() == .clean)
      round += 1
    }
    #expect(try rehearsal.share == 25)
    for late in round..<(round + 3) {
      try rehearsal.ship(late, by: before)
      #expect(await rehearsal.look() == .clean, "\(rehearsal.recording.diagnostics)")
    }
    #expect(try rehearsal.share == 25)
    #expect(try rehearsal.decisions() == ["begin 5", "advance 25"])
  }

  @Test("goes back on dead letters, which it counts once by id, and asks for their file")
  func deadLetters() async throws {
    try rehearsal.folder.write(
      "policy.json",
      """
      {"formatVersion": 1, "steps": [5, 25], "units": "events", "hold": "0s", "settle": "0s",
       "bounds": [{"of": "failing", "limit": "2%", "together": true}, {"of": "deadLetters", "limit": "1%", "together": true}]}
      """)
    #expect(await rehearsal.look() == .couldNotRun)
    #expect(rehearsal.recording.diagnostics.contains("--dead-letters go together"))
    let letters = rehearsal.folder.path("letters.jsonl")
    try rehearsal.folder.write("letters.jsonl", "")
    #expect(await rehearsal.look("--dead-letters", letters) == .clean)
    try rehearsal.ship(0)
    let now = TimeSource.system.wallMilliseconds()
    func lines(_ ids: Range<Int>) -> String {
      ids.map { #"{"eventId":"dead-\#($0)","eventName":"home.like.tap","eventTime":\#(now),"payload":{}}"# + "\n" }
        .joined()
    }
    // One letter, exported thirty times.
    try rehearsal.folder.write("letters.jsonl", String(repeating: lines(0..<1), count: 30))
    #expect(await rehearsal.look("--dead-letters", letters) == .clean)
    try rehearsal.folder.write("letters.jsonl", lines(0..<80))
    #expect(await rehearsal.look("--dead-letters", letters) == .findings)
    #expect(try rehearsal.decisions() == ["begin 5", "back 0"])
    #expect(rehearsal.recording.diagnostics.contains("are dead letters"))
  }

  @Test("reads streams and dead letters through links, and refuses what it cannot read")
  func links() async throws {
    let (folder, manager) = (rehearsal.folder, FileManager.default)
    // The streams' folders are links, and their files too.
    for name in ["old", "new"] {
      try manager.createDirectory(atPath: folder.path("kept-" + name), withIntermediateDirectories: false)
      try manager.removeItem(atPath: folder.path(name))
      try manager.createSymbolicLink(atPath: folder.path(name), withDestinationPath: folder.path("kept-" + name))
    }
    #expect(await rehearsal.look() == .clean)
    for round in 0..<4 {
      try rehearsal.ship(round)
      for name in ["old", "new"] {
        let (file, kept) = (folder.path("\(name)/\(round).jsonl"), folder.path("\(name)-\(round)"))
        try manager.moveItem(atPath: file, toPath: kept)
        try manager.createSymbolicLink(atPath: file, withDestinationPath: kept)
      }
      if await rehearsal.look() != .clean { break }
    }
    #expect(try rehearsal.decisions().prefix(2) == ["begin 5", "advance 25"], "\(rehearsal.recording.diagnostics)")
    let before = try rehearsal.decisions()
    try #require(mkfifo(folder.path("new/pipe.jsonl"), 0o600) == 0)
    #expect(await rehearsal.look() == .couldNotRun)
    #expect(rehearsal.recording.diagnostics.contains("it is a pipe"))
    try manager.removeItem(atPath: folder.path("new/pipe.jsonl"))
    try manager.createSymbolicLink(atPath: folder.path("new/gone.jsonl"), withDestinationPath: folder.path("nothing"))
    #expect(await rehearsal.look() == .couldNotRun)
    #expect(try rehearsal.decisions() == before)
  }

  @Test("after a colleague's kill, neither --resume nor a new state raises the share")
  func colleague() async throws {
    #expect(await rehearsal.look() == .clean)
    let document = rehearsal.folder.path("rollout.json")
    #expect(await DualSendCommand.run(["kill", document, "--yes"], on: rehearsal.recording.terminal) == .clean)
    try rehearsal.ship(0)
    #expect(await rehearsal.look() == .findings)
    let state = try rehearsal.folder.read("rollout.json.guard-state")
    for (answer, status) in [("", CommandStatus.couldNotRun), ("n\n", .findings)] {
      #expect(try await rehearsal.look("--resume", input: answer) == status)
      #expect(try rehearsal.folder.read("rollout.json.guard-state") == state)
    }
    #expect(rehearsal.recording.diagnostics.contains("pass --yes"))
    #expect(try await rehearsal.look("--resume", input: "y\n") == .clean)
    #expect(
      rehearsal.recording.diagnostics.contains(
        "another has changed the document; a kill is in force: "), "\(rehearsal.recording.diagnostics)")
    #expect(rehearsal.recording.diagnostics.contains("Go on from 0 %? [y/N]"))
    #expect(await rehearsal.look("--yes") == .usage)
    #expect(await rehearsal.look() == .clean)
    #expect(try rehearsal.share == 0)
    #expect(rehearsal.recording.results.contains("below the first step after a stop"))
    for name in ["guard-state", "guard-log"] { try FileManager.default.removeItem(atPath: "\(document).\(name)") }
    #expect(await rehearsal.look() == .findings)
    #expect(try rehearsal.share == 0 && rehearsal.recording.diagnostics.contains("a kill is in force"))
  }

  @Test("ignores a dead letter that is still being written, and names another broken line")
  func brokenLetters() async throws {
    try rehearsal.folder.write(
      "policy.json",
      #"{"formatVersion": 1, "steps": [5], "units": "events", "hold": "0s", "bounds": [{"of": "deadLetters", "limit": "1%"}]}"#
    )
    let letters = rehearsal.folder.path("letters.jsonl")
    let line = #"{"eventId":"d","eventName":"home.like.tap","eventTime":1,"payload":{}}"# + "\n"
    try rehearsal.folder.write("letters.jsonl", line)
    for _ in 0..<2 { #expect(await rehearsal.look("--dead-letters", letters) == .clean) }
    try rehearsal.folder.write("letters.jsonl", line + #"{"eventId":"e","eve"#)
    #expect(await rehearsal.look("--dead-letters", letters) == .clean)
    try rehearsal.folder.write("letters.jsonl", #"{"eventId":"e","eve"# + "\n" + line)
    #expect(await rehearsal.look("--dead-letters", letters) == .couldNotRun)
    #expect(rehearsal.recording.diagnostics.contains("line 1 of \(letters) is not a dead letter"))
  }

  @Test("logs the last wait of an hour")
  func waiting() async throws {
    for _ in 0..<4 { #expect(await rehearsal.look() == .clean) }
    let files = try GuardFiles(
      state: rehearsal.folder.path("state"), log: rehearsal.folder.path("rollout.json.guard-log"))
    let hour: Int64 = 3_600_000, start = 1_900_000_000_000 / hour * hour
    let first = try #require(try rehearsal.folder.read("rollout.json.guard-log").split(separator: "\n").first)
    var decision = try #require(GuardDecision(try JSONReader().value(Array(first.utf8))))
    decision.action = .wait
    for minutes in [0, 1, 59, 60, 61, 119, 121] {
      (decision.time, decision.why) = (start + Int64(minutes) * 60_000, "\(minutes)")
      try files.log(decision)
    }
    let log = try rehearsal.folder.read("rollout.json.guard-log").split(separator: "\n")
    #expect(log.suffix(3).map { $0.contains(#""why":"59""#) } == [true, false, false])
    #expect(log.count <= 1 + 2 + 3, "the looks of this test may span two hours")
  }

  @Test("waits if one log shipper has stopped")
  func stoppedShipper() async throws {
    try policy(with: #""maximumSilence": "0s""#)
    #expect(await rehearsal.look() == .clean)
    for round in 0..<8 { try rehearsal.ship(round) }
    #expect(await rehearsal.look() == .clean)
    #expect(try rehearsal.share == 5)
    #expect(rehearsal.recording.results.contains("the evidence dried up"))
  }

  @Test("publishes nothing if its state cannot be written, and nothing twice if its log cannot")
  func fullDisk() async throws {
    _ = try rehearsal.folder.rollout(#""shouldSendLogToNewTracker": 0"#, salt: "tracker-2025")
    #expect(await rehearsal.look("--state", "/proc/guard-state") == .couldNotRun)
    #expect(try rehearsal.document.revision == 1)
    // Each write to this device fails as on a full disk.
    #expect(await rehearsal.look("--log", "/dev/full") == .couldNotRun)
    #expect(try rehearsal.document.revision == 2)
    #expect(await rehearsal.look("--log", "/dev/full") == .couldNotRun)
    #expect(await rehearsal.look() == .clean)
    #expect(try rehearsal.document.revision == 2)
    #expect(try rehearsal.decisions() == ["begin 5"])
  }

  @Test("does not start while another guard has the state, whatever its log is")
  func oneGuard() async throws {
    let lock = open(rehearsal.folder.path("rollout.json.guard-state.lock"), O_RDWR | O_CREAT, 0o644)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    #expect(await rehearsal.look("--log", rehearsal.folder.path("other-log")) == .couldNotRun)
    #expect(rehearsal.recording.diagnostics.contains("another guard has the state"))
    close(lock)
    #expect(await rehearsal.look("--log", rehearsal.folder.path("other-log")) == .clean)
  }

  @Test("notices that lines are gone which it has read, and finds those that moved", arguments: Loss.allCases)
  func rotation(_ loss: Loss) async throws {
    #expect(await rehearsal.look() == .clean)
    try rehearsal.folder.write(
      "policy.json", GuardRehearsal.policy.replacing(#""hold": "0s""#, with: #""hold": "24h""#))
    try rehearsal.ship(0)
    let file = rehearsal.folder.path("new/0.jsonl")
    let whole = try rehearsal.folder.read("new/0.jsonl")
    #expect(await rehearsal.look() == .clean)
    let started = try rehearsal.stepStart
    switch loss {
    case .none: break
    case .grown: try rehearsal.folder.write("new/0.jsonl", whole + "\n")
    case .moved:
      try FileManager.default.moveItem(atPath: file, toPath: rehearsal.folder.path("new/0.jsonl.1"))
      try rehearsal.folder.write("new/0.jsonl", "")
    case .packed:
      try FileManager.default.removeItem(atPath: file)
      _ = try rehearsal.folder.gzip("new/0-1.jsonl.gz", whole + "\n")
    case .removed: try FileManager.default.removeItem(atPath: file)
    case .truncated: try rehearsal.folder.write("new/0.jsonl", String(whole.prefix(whole.count / 2)))
    case .replaced: try rehearsal.folder.write("new/0.jsonl", whole.replacing(#""0-"#, with: #""1-"#))
    }
    for isFirst in [true, false] {
      #expect(await rehearsal.look() == (isFirst && loss.isLoss ? .couldNotRun : .clean))
    }
    let isNoticed = rehearsal.recording.diagnostics.contains("warning[DS1410]")
    #expect(isNoticed == loss.isLoss, "\(rehearsal.recording.diagnostics)")
    #expect(try (rehearsal.stepStart > started) == loss.isLoss)
    // Half of the new stream is gone, and no event counts as lost for it.
    #expect(try rehearsal.decisions() == ["begin 5"])
    #expect(rehearsal.recording.diagnostics.components(separatedBy: "DS1410").count <= 2, "said once")
  }

  enum Loss: CaseIterable {
    case none, grown, moved, packed, removed, truncated, replaced
    var isLoss: Bool { [.removed, .truncated, .replaced].contains(self) }
  }

  @Test("posts each decision but to wait to a webhook, and again at the next look if that fails")
  func webhook() async throws {
    try policy(with: #""tell": {"webhook": "https://hooks.example.com/x"}"#)
    let hook = Webhook()
    let recording = RecordingTerminal(transport: hook)
    hook.answers.withLock { $0 = [503] }
    let arguments = rehearsal.arguments + ["--once"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(recording.diagnostics.contains("warning[DS1407]"))
    for _ in 0..<2 { #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean) }
    let bodies = hook.bodies.current
    #expect(bodies.count == 2 && bodies[0] == bodies[1] && bodies[0].contains(#""action":"begin""#))
  }

  private final class Webhook: HTTPTransport {
    let answers = Locked<[Int]>([])
    let bodies = Locked<[String]>([])

    func send(_ request: HTTPTransportRequest) async -> HTTPTransportResponse {
      bodies.withLock { $0.append(String(decoding: request.body ?? [], as: UTF8.self)) }
      return HTTPTransportResponse(status: answers.withLock { $0.popLast() } ?? 200, headers: [:], body: [])
    }
  }
}
