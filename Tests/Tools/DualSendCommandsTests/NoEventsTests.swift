import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import Testing

@Suite("A file without a legacy event is not clean", .timeLimit(.minutes(5)))
struct NoEventsTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  @Test(
    "an empty file, an array of something else and another format",
    arguments: [
      "", "\n\n", #"[{"nam":"a","parameters":{}}]"#, #"{"event":"a","properties":{"x":1}}"#, "a,b,c\n1,2,3\n",
    ])
  func everyVerb(text: String) async throws {
    let events = try folder.file("events.jsonl", text)
    let rollout = try folder.rollout()
    let table = try folder.table(#"{"a":{"parameters":{"x":"y"}}}"#)
    for arguments in [
      ["simulate", rollout, "--events", events], ["validate", rollout, "--events", events],
      ["specify", "--events", events], ["remap", table, "--events", events],
    ] {
      let recording = RecordingTerminal()
      let status = await DualSendCommand.run(arguments, on: recording.terminal)
      #expect(status == .findings, "\(arguments)")
      #expect(recording.diagnostics.contains("error[DS0415]: there is no legacy event in it"), "\(arguments)")
      #expect(recording.diagnostics.contains("or name the format: --old-format (legacy, dualsend,"))
    }
  }
}
