import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend rollback", .timeLimit(.minutes(5)))
struct RollbackVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles
  private static let older = """
    {
      "salt": "test",
      "formatVersion": 1,  "revision" : 2,
      "shouldSendLogToNewTracker": 5
    }

    """

  init() throws {
    folder = try TemporaryFiles()
  }

  private func rollback(
    _ current: String = #""shouldSendLogToNewTracker": 25"#, revision: Int = 12, to older: String = older,
    _ arguments: String...
  ) async throws -> CommandStatus {
    let current = try folder.rollout(current, named: "current.json", revision: revision)
    let older = try folder.file("older.json", older)
    return await DualSendCommand.run(["rollback", current, "--to", older] + arguments, on: recording.terminal)
  }

  @Test("writes the older text with the next revision, and shows the plan beside it")
  func text() async throws {
    #expect(try await rollback() == .clean)
    #expect(recording.results == Self.older.replacing("\"revision\" : 2", with: "\"revision\" : 13"))
    #expect(recording.diagnostics.contains("current.json (revision 12) → "))
    #expect(recording.diagnostics.contains("-  20 %  both → old only  EVICTED from new"))
  }

  @Test("makes a document that apps take in place of the one in force")
  func accepted() async throws {
    let output = folder.path("next.json")
    #expect(try await rollback(Self.currentShare, "--output", output) == .clean)
    let plan = ["plan", folder.path("current.json"), output, "--allow-evictions"]
    #expect(await DualSendCommand.run(plan, on: recording.terminal) == .clean)
    #expect(recording.diagnostics.isEmpty)
  }

  private static let currentShare = #""shouldSendLogToNewTracker": 25"#

  @Test("replaces a file, be it the one in force, and prints the plan in place of the document")
  func output() async throws {
    #expect(try await rollback(Self.currentShare, "--output", folder.path("current.json"), "--yes") == .clean)
    #expect(try folder.read("current.json") == Self.older.replacing("\"revision\" : 2", with: "\"revision\" : 13"))
    #expect(recording.results.contains("Plan: "))
    #expect(recording.diagnostics == "published revision 13\n")
  }

  @Test("warns of a schedule that has moved the shares of the older document since")
  func passedSchedule() async throws {
    let scheduled = Self.older.replacing(
      #""salt""#,
      with:
        ##""shouldSendLogToOldLogger": {"schedule": [{"from": "2020-01-01T00:00:00Z", "percentage": 100}]}, "salt""##)
    try #require(scheduled != Self.older)
    _ = try await rollback(to: scheduled)
    #expect(recording.diagnostics.contains("warning[DS0418]"), "\(recording.diagnostics)")
    #expect(recording.diagnostics.contains("1 of 1 time in its schedules passed"))
  }

  @Test("keeps a byte order mark, and goes back in several steps")
  func mark() async throws {
    #expect(try await rollback(to: "\u{FEFF}" + Self.older) == .clean)
    #expect(recording.results.hasPrefix("\u{FEFF}{"))
    #expect(recording.results.contains("\"revision\" : 13"))
  }

  @Test("refuses a document that is not older, and one after which there is no revision", arguments: [2, 1])
  func notOlder(_ revision: Int) async throws {
    #expect(try await rollback("", revision: revision) == .couldNotRun)
    #expect(recording.diagnostics.contains("has revision 2, which is not older than revision \(revision) of"))
    #expect(recording.results.isEmpty)
  }

  @Test("refuses to go beyond the highest revision")
  func highest() async throws {
    #expect(try await rollback("", revision: .max) == .couldNotRun)
    #expect(recording.diagnostics == "error: no revision can follow 9223372036854775807, the highest there is\n")
  }

  @Test("writes nothing where a salt or a sink is lost, unless that is allowed")
  func objections() async throws {
    let output = folder.path("next.json")
    let salted = Self.older.replacing("\"test\"", with: "\"other\"")
    #expect(try await rollback(Self.currentShare, to: salted, "--output", output) == .findings)
    #expect(recording.diagnostics.contains("error[DS0410]: the salt is not the one in force"))
    let retired = Self.older.replacing("5\n", with: "0, \"shouldSendLogToOldLogger\": 50, \"allowNeither\": true\n")
    #expect(try await rollback(Self.currentShare, to: retired, "--output", output) == .findings)
    #expect(recording.diagnostics.contains("error[DS0405]"))
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(try await rollback(Self.currentShare, to: salted, "--allow-reshuffle", "--output", output) == .clean)
    #expect(try await rollback(Self.currentShare, to: retired, "--allow-neither", "--output", output) == .clean)
  }

  @Test("refuses an older document that apps would refuse, with its place")
  func invalid() async throws {
    let broken = Self.older.replacing("5\n", with: "101\n")
    #expect(try await rollback(to: broken) == .couldNotRun)
    #expect(recording.diagnostics.hasPrefix("error[DS0201]"))
    #expect(recording.diagnostics.contains("older.json:4:"))
  }

  @Test("gives the plan as JSON beside the document")
  func json() async throws {
    #expect(try await rollback(Self.currentShare, "--format", "json") == .clean)
    #expect(recording.results.contains("\"revision\" : 13"))
    #expect(recording.diagnostics.contains(#""evictsUnits":true"#))
  }
}
