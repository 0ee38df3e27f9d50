import DualSendCommandLine
import DualSendCommandTesting
import DualSendParity
import DualSendTool
import Testing

@testable import DualSendCommands

@Suite("A line that parity cannot read", .timeLimit(.minutes(5)))
struct BrokenLinesTests {
  private func reason(_ line: String, _ form: StreamForm) throws -> [String] {
    let folder = try TemporaryFiles()
    let file = try folder.file("stream.jsonl", "{}\n" + line + "\n{}\n")
    return BrokenLines(file: file, form: form, join: "event id").reasons([2])
  }

  @Test(
    "is told with its number and why, without its values",
    arguments: [
      (#"{"name": "a", "parameters": {"email": john}}"#, StreamForm.legacy, "unexpected `j`, in column 39"),
      ("[]", .legacy, "expected an object, found array"),
      (#"{"name": ""}"#, .legacy, "`name` is missing, empty or not a string"),
      (#"{"name": "a"}"#, .wire, "`eventName` is missing, empty or not a string"),
      (#"{"eventName": "a", "payload": null}"#, .wire, "`payload` is not an object"),
      (#"{"eventName": "a", "payload": {}}"#, .wire, "it has no join key: event id"),
      (
        #"{"eventName": "a", "eventName": "a"}"#, .wire, "the key `eventName` appears twice in one object, in column 20"
      ),
    ])
  func reasons(_ line: String, _ form: StreamForm, _ reason: String) throws {
    #expect(try self.reason(line, form) == ["line 2: " + reason])
  }

  @Test("has no known reason where the file is gone, which is said")
  func gone() {
    let reasons = BrokenLines(file: "/no/such/file", form: .wire, join: "event id").reasons([1])
    #expect(reasons.count == 1 && reasons[0].hasPrefix("why is not known: /no/such/file cannot be read"), "\(reasons)")
  }

  @Test("is named in what parity says of the stream")
  func parity() async throws {
    let folder = try TemporaryFiles()
    let old = try folder.file("old.jsonl", #"{"eventId": "1", "name": "a"}"# + "\nnope\n")
    let new = try folder.file("new.jsonl", #"{"eventId": "1", "eventName": "a", "eventTime": 1, "payload": {}}"#)
    let recording = RecordingTerminal()
    let arguments = ["parity", "--old", old, "--new", new, "--remap", try folder.table("{}")]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .findings)
    #expect(recording.diagnostics.contains("   = note: line 2: unexpected `o`, in column 2\n"))
  }
}
