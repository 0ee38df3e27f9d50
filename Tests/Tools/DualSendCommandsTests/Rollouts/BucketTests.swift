import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend explain --bucket", .timeLimit(.minutes(5)))
struct BucketTests {
  private let recording = RecordingTerminal()

  @Test("prints each unit's bucket and the percentages at which it changes sinks")
  func table() async {
    let arguments = ["explain", "--bucket", "--salt", "tracker-2025", "--unit", "user-1", "--unit", "日本"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(
      recording.results == """
        unit    bucket  new from  old down to
        ──────  ──────  ────────  ───────────
        user-1   96184  96.185 %      3.816 %
        日本     26893  26.894 %     73.107 %

        """)
  }

  @Test("gives the buckets as JSON, in the order of the arguments")
  func json() async {
    let arguments = ["explain", "--bucket", "--salt", "tracker-2025", "--format", "json", "--unit", "user-1"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(recording.results == #"[{"bucket":96184,"unit":"user-1"}]"# + "\n")
  }

  @Test("takes the salt of a document, and units from a file behind those of the command line")
  func files() async throws {
    let folder = try TemporaryFiles()
    let document = try folder.rollout(salt: "tracker-2025")
    let units = try folder.file("units.txt", "\u{FEFF}user-1\r\n\n日本\n")
    let arguments = ["explain", document, "--bucket", "--units", units, "--format", "json", "--unit", "u"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(
      recording.results
        == #"[{"bucket":23195,"unit":"u"},{"bucket":96184,"unit":"user-1"},{"bucket":26893,"unit":"日本"}]"# + "\n")
  }

  @Test("takes units from standard input")
  func standardInput() async throws {
    let folder = try TemporaryFiles()
    let recording = RecordingTerminal(input: try folder.input("user-1\n"))
    let arguments = ["explain", "--bucket", "--salt", "tracker-2025", "--units", "-", "--format", "json"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(recording.results == #"[{"bucket":96184,"unit":"user-1"}]"# + "\n")
  }

  @Test("refuses a unit that is not UTF-8 instead of another one in its place")
  func invalidUnit() async throws {
    let folder = try TemporaryFiles()
    try Data([0x61, 0x0A, 0xFF, 0x0A]).write(to: folder.folder.appendingPathComponent("units"))
    let arguments = ["explain", "--bucket", "--salt", "s", "--units", folder.path("units")]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.hasPrefix("error: line 2 of \(folder.path("units")) is no unit"))
  }

  @Test(
    "is used wrongly without a unit, without a salt, with two, or with an empty one",
    arguments: [
      ["--bucket", "--salt", "s"], ["--bucket", "--salt", "", "--unit", "u"], ["--bucket", "--unit", "u"],
      ["--bucket", "--salt", "s", "r.json", "--unit", "u"], ["--bucket", "-", "--units", "-"],
      ["--bucket", "r.json", "--unit", "u", "--event", "e"], ["r.json", "--event", "e", "--salt", "s"],
      ["r.json", "--event", "e", "--unit", "u", "--unit", "v"],
    ])
  func usage(_ arguments: [String]) async {
    #expect(await DualSendCommand.run(["explain"] + arguments, on: recording.terminal) == .usage)
  }
}
