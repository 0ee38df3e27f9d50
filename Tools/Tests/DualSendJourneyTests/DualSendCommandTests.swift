import DualSendCommandLine
import DualSendCommandTesting
import DualSendJourney
import Testing

@Suite("The command line", .timeLimit(.minutes(5)))
struct DualSendCommandTests {
  private let recording = RecordingTerminal()

  @Test(
    "prints help as a result", arguments: [[], ["--help"], ["help"], ["help", "collector"], ["demo", "--help"]])
  func help(_ arguments: [String]) async {
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(recording.results.contains("USAGE: dualsend"))
    #expect(recording.diagnostics.isEmpty)
  }

  @Test("prints its version as a result")
  func version() async {
    #expect(await DualSendCommand.run(["--version"], on: recording.terminal) == .clean)
    #expect(recording.results.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
  }

  @Test(
    "ends with 64 and explains itself when it is used wrongly",
    arguments: [
      (["colector"], "colector"), (["collector", "--prt", "1"], "--prt"),
      (["collector", "--fault", "503*x"], "`503*x` is not a fault"),
      (["collector", "--config", "rollout.json"], "PATH=FILE"), (["schema", "--format", "yaml"], "yaml"),
    ])
  func usage(_ arguments: [String], _ explanation: String) async {
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .usage)
    #expect(recording.results.isEmpty)
    #expect(recording.diagnostics.contains(explanation))
  }

  @Test(
    "names the new name of a verb that has another one, in one line",
    arguments: DualSendCommand.renamedVerbs.keys.sorted())
  func renamed(_ verb: String) async throws {
    for arguments in [[verb], [verb, "file", "--format", "json"], ["help", verb], [verb, "--help"]] {
      let recording = RecordingTerminal()
      #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .usage)
      let new = try #require(DualSendCommand.renamedVerbs[verb])
      #expect(recording.diagnostics == "error: there is no verb `\(verb)`: did you mean `dualsend \(new)`?\n")
      #expect(recording.results.isEmpty)
      let words = new.split(separator: " ").map(String.init)
      let help = RecordingTerminal()
      #expect(await DualSendCommand.run(words.prefix { !$0.hasPrefix("-") } + ["--help"], on: help.terminal) == .clean)
      #expect(words.allSatisfy { help.results.contains($0) })
    }
  }

  @Test("says which verb is near a word that is none, also after help")
  func unknownVerb() async {
    for (arguments, way) in [
      (["vaildate", "x"], "did you mean `validate`?"), (["help", "pairty"], "did you mean `parity`?"),
      (["nothing-like-it"], "collector, "),
    ] {
      let recording = RecordingTerminal()
      #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .usage)
      #expect(recording.diagnostics.contains("there is no verb `") && recording.diagnostics.contains(way))
    }
    let help = RecordingTerminal()
    #expect(await DualSendCommand.run(["help", "rewrite", "finish"], on: help.terminal) == .clean)
  }

  @Test("ends with 2 and says why when it cannot run")
  func cannotRun() async {
    let arguments = ["collector", "--config", "/rollout.json=/no/such/file"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .couldNotRun)
    #expect(recording.results.isEmpty)
    #expect(recording.diagnostics.hasPrefix("error: cannot read /no/such/file: "))
  }

  @Test("ends with 2 and says why where it may not open enough files", arguments: [12, 16, 24])
  func tooFewFiles(limit: Int) async throws {
    let command = ChildCommand(arguments: ["schema", "rollout"], openFiles: limit)
    let traces = try await command.run(in: TemporaryFiles())
    #expect(traces.status == CommandStatus.couldNotRun.rawValue)
    let diagnostics = String(decoding: traces.diagnostics, as: UTF8.self)
    #expect(diagnostics.hasPrefix("error: the limit of \(limit) open files is too low"), "\(diagnostics)")
  }
}
