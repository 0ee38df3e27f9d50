import ArgumentParser
import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import Foundation
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

  @Test("prints its version as a result: the first heading of the changelog")
  func version() async throws {
    #expect(await DualSendCommand.run(["--version"], on: recording.terminal) == .clean)
    #expect(recording.results.wholeMatch(of: #/\d+\.\d+\.\d+(-dev)?\n/#) != nil)
    let file = LegacyFiles.folder.deletingLastPathComponent().appendingPathComponent("CHANGELOG.md")
    let changelog = try String(contentsOf: file, encoding: .utf8)
    let heading = try #require(changelog.components(separatedBy: "\n## ").dropFirst().first)
    #expect(heading.hasPrefix(recording.results))
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

  @Test("says which verb is near a word that is none, also after help")
  func unknownVerb() async {
    for (arguments, way) in [
      (["vaildate", "x"], "did you mean `validate`?"), (["help", "pairty"], "did you mean `parity`?"),
      (["nothing-like-it"], "collector, "), (["table", "daft"], "did you mean `table draft`?"),
      (["help", "golden", "verfy"], "did you mean `golden verify`?"),
      (["help", "sign", "chekc"], "did you mean `sign check`?"), (["db", "x", "--format", "json"], "check, letters, "),
    ] {
      let recording = RecordingTerminal()
      #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .usage)
      #expect(recording.diagnostics.contains("there is no verb `") && recording.diagnostics.contains(way))
    }
    let help = RecordingTerminal()
    #expect(await DualSendCommand.run(["help", "golden", "verify"], on: help.terminal) == .clean)
  }

  @Test("says which option is near one that is none")
  func unknownOption() async {
    #expect(
      await DualSendCommand.run(["watch", "http://127.0.0.1/", "--intervall", "1"], on: recording.terminal) == .usage)
    #expect(recording.diagnostics.contains("Did you mean '--interval'?"))
  }

  @Test("shows examples of each verb that its parser takes")
  func examples() throws {
    for (path, verb) in leaves(of: DualSendCommand.self, path: ["dualsend"]) {
      let text = verb.configuration.discussion
      let examples = text.replacing(#/ \\\n +/#, with: " ").split(separator: "\n").map { $0.drop { $0 == " " } }
        .filter { $0 == path || $0.hasPrefix(path + " ") }
      #expect((1...3).contains(examples.count), "\(path)")
      let shown = text.split(separator: "EXAMPLES:").dropFirst().joined()
      #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(path)")
      for example in examples {
        let command = try DualSendCommand.parseAsRoot(words(of: String(example)).dropFirst().map { $0 })
        #expect(type(of: command) == verb, "\(example)")
      }
    }
  }

  /// The verbs without others below them, and how they are called.
  private func leaves(
    of command: any ParsableCommand.Type, path: [String]
  ) -> [(path: String, verb: any ParsableCommand.Type)] {
    guard !command.verbs.isEmpty else { return [(path.joined(separator: " "), command)] }
    return command.verbs.flatMap { verb in
      let isDefault = command.configuration.defaultSubcommand == verb
      return leaves(of: verb, path: path + (isDefault ? [] : [verb.configuration.commandName ?? ""]))
    }
  }

  /// The words of a command as a shell reads them, up to a redirection.
  private func words(of command: String) -> [String] {
    let words = command.matches(of: #/'([^']*)'|\S+/#).map { $0.output.1.map(String.init) ?? String($0.output.0) }
    return Array(words.prefix { $0 != "<" && $0 != ">" })
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
