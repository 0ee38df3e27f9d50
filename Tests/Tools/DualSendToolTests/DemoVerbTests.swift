import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import FoundationEssentials
import Testing

@Suite("dualsend demo", .timeLimit(.minutes(5)))
struct DemoVerbTests {
  private let fixtures = LegacyFiles.folder.appendingPathComponent("legacy").path

  @Test("loses nothing on the whole journey, with a collector that fails now and then")
  func journey() async {
    let terminal = RecordingTerminal()
    let status = await DualSendCommand.run(
      ["demo", "--fixtures", fixtures, "--fault", "p=0.2:503", "--fault", "every=5:lose"], on: terminal.terminal)
    #expect(status == .clean, "\(terminal.results)\(terminal.diagnostics)")
    #expect(terminal.results.contains("nothing was lost: each of 30,000 events reached every sink"))
  }

  @Test("compares by order where the collector's format has no ids")
  func journeyWithoutIDs() async {
    let terminal = RecordingTerminal()
    let status = await DualSendCommand.run(
      ["demo", "--fixtures", fixtures, "--wire-format", "sample"], on: terminal.terminal)
    #expect(status == .clean, "\(terminal.results)\(terminal.diagnostics)")
  }
}
