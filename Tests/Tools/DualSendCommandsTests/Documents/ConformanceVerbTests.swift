import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend conformance", .timeLimit(.minutes(5)))
struct ConformanceVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private static let suite: String = {
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return root.appending(path: "Fixtures/conformance").path
  }()

  /// A suite of two cases.
  private func smallSuite() throws -> String {
    let kind = folder.folder.appending(path: "suite/remapping")
    try FileManager.default.createDirectory(at: kind, withIntermediateDirectories: true)
    let cases = #"""
      {"formatVersion": 1, "kind": "remapping", "clause": "c", "table": {"formatVersion": 1, "events": {}}, "cases": [
        {"event": "a", "payload": {"k": 1}, "expect": {"name": "a", "payload": {"k": 1}}},
        {"event": "b", "payload": {}, "expect": {"name": "b", "payload": {}}}]}
      """#
    try Data(cases.utf8).write(to: kind.appending(path: "few.json"))
    return folder.path("suite")
  }

  private func run(_ command: String, _ more: String...) async throws -> CommandStatus {
    await DualSendCommand.run(["conformance", try smallSuite(), "--command", command] + more, on: recording.terminal)
  }

  @Test("the sample evaluator gives every answer but those about reading rollout documents, which it skips")
  func sample() async {
    let command = "python3 '\(Self.suite)/evaluator.py'"
    let status = await DualSendCommand.run(
      ["conformance", Self.suite, "--command", command, "--timeout", "60"], on: recording.terminal)
    #expect(status == .clean, "\(recording.results) \(recording.diagnostics)")
    #expect(recording.results.hasSuffix("no case differs\n"))
  }

  @Test("names each member that differs, and ends with 1")
  func wrong() async throws {
    let answer =
      #"{"name":"a","payload":{"k":"1"},"clashes":0,"conversionFailures":0,"lossyConversions":0,"unmapped":[]}"#
    let command = #"read l; echo '{"id":"remapping/few/1","answer":\#(answer)}'; read l; echo '{"id":"x"}'"#
    #expect(try await run(command) == .findings)
    #expect(
      recording.results == """
        remapping/few/1: payload.k: expected 1, found "1"
        remapping/few/2: the answer does not have the question's `id`
        kind       right  wrong  skipped
        ─────────  ─────  ─────  ───────
        remapping      0      2        0
        2 cases of 2 wrong

        """)
  }

  @Test("counts what the program skips, which is not wrong")
  func skipped() async throws {
    let command =
      #"read l; echo '{"id":"remapping/few/1","skipped":"no"}'; read l; echo '{"id":"remapping/few/2","skipped":"no"}'"#
    #expect(try await run(command, "--format", "json") == .clean)
    #expect(
      recording.results
        == #"{"cases":2,"kinds":{"remapping":{"right":0,"skipped":2,"wrong":0}},"wrong":[]}"# + "\n")
  }

  @Test(
    "says so where the program stops answering",
    arguments: [
      (#"read l; echo '{"id":"remapping/few/1","skipped":"no"}'; exit 3"#, "the program ended with status 3"),
      (#"read l; echo '{"id":"remapping/few/1","skipped":"no"}'; sleep 60"#, "no answer in time"),
    ])
  func silent(command: String, words: String) async throws {
    #expect(try await run(command, "--timeout", "0.5") == .findings)
    #expect(recording.results.contains("remapping/few/2: \(words); the questions after this one were not asked"))
  }

  @Test("cannot run a program that ends before it answers, or a suite that is not there")
  func cannotRun() async throws {
    #expect(try await run("exit 7") == .couldNotRun)
    #expect(recording.diagnostics.contains("ended with status 7 before it answered"))
    let status = await DualSendCommand.run(
      ["conformance", folder.path("none"), "--command", "cat"], on: recording.terminal)
    #expect(status == .couldNotRun)
    #expect(recording.diagnostics.contains("has no conformance cases"))
  }
}
