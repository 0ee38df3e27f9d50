import DualSendCommands
import Testing

@Suite("dualsend bucket")
struct BucketVerbTests {
  private let recording = RecordingConsole()

  @Test("prints each unit's bucket and the percentages at which it changes sinks")
  func table() async {
    let arguments = ["bucket", "--salt", "tracker-2025", "user-1", "日本"]
    #expect(await DualSendCommand.run(arguments, on: recording.console) == .clean)
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
    let arguments = ["bucket", "--salt", "tracker-2025", "--format", "json", "user-1"]
    #expect(await DualSendCommand.run(arguments, on: recording.console) == .clean)
    #expect(recording.results == #"[{"bucket":96184,"unit":"user-1"}]"# + "\n")
  }

  @Test("is used wrongly without a unit or with an empty salt", arguments: [["--salt", "s"], ["--salt", "", "u"]])
  func usage(_ arguments: [String]) async {
    #expect(await DualSendCommand.run(["bucket"] + arguments, on: recording.console) == .usage)
  }
}
