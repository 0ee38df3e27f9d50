import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend generate", .timeLimit(.minutes(5)))
struct GenerateVerbTests {
  private static let fixtures = LegacyFiles.folder.appendingPathComponent("specification")
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(
      ["generate", "--spec", Self.fixtures.path + "/shop"] + arguments, on: recording.terminal)
  }

  @Test("writes one file, and --check says whether it is what is generated today")
  func oneFile() async throws {
    let file = folder.path("Events.swift")
    #expect(await run("--output", file, "--check") == .findings)
    #expect(recording.diagnostics.contains("error[DS0314]: the generated file is missing\n  --> \(file)\n"))
    #expect(await run("--output", file) == .clean)
    #expect(await run("--output", file, "--check") == .clean)
    try folder.write("Events.swift", try folder.read("Events.swift") + "\n")
    #expect(await run("--output", file, "--check") == .findings)
    #expect(
      recording.results == """
        6 events in 1 file, 1 differ
        6 events in 1 file, 1 changed
        6 events in 1 file, 0 differ
        6 events in 1 file, 1 differ

        """)
  }

  @Test("writes one file an event into a folder, and removes what it has written for events that are gone")
  func manyFiles() async throws {
    #expect(await run("--output", folder.path("Events") + "/") == .clean)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("Events")).sorted()
    #expect(names.count == 6 && names.first == "AppBackground.swift")
    try folder.write("Events/Gone.swift", GeneratedCode.mark + "\n")
    try folder.write("Events/Own.swift", "// by hand\n")
    #expect(await run("--output", folder.path("Events"), "--check") == .findings)
    #expect(recording.diagnostics.contains("has no event any more\n  --> \(folder.path("Events"))/Gone.swift"))
    #expect(await run("--output", folder.path("Events")) == .clean)
    #expect(!FileManager.default.fileExists(atPath: folder.path("Events/Gone.swift")))
    #expect(try folder.read("Events/Own.swift") == "// by hand\n")
  }

  @Test(
    "reads the files of Parchment's event generator, and so does `validate`",
    arguments: ["parchment", "parchment.json"])
  func parchment(_ name: String) async throws {
    let specification = Self.fixtures.appendingPathComponent(name).path
    let arguments = ["generate", "--spec", specification, "--output", folder.path("Events.swift")]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(await DualSendCommand.run(["validate", specification], on: recording.terminal) == .clean)
    #expect(recording.results == "2 events in 1 file, 1 changed\n1 document: 0 errors, 0 warnings\n")
  }

  @Test("writes nothing for a specification that is refused")
  func refused() async throws {
    try folder.write("e.md", "# e\n\n## Paramters\n")
    let arguments = ["generate", "--spec", folder.folder.path, "--output", folder.path("E.swift")]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.contains("e.md:3:1"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("E.swift")))
  }

  @Test("names the folder that it cannot make or look into")
  func folders() async throws {
    try folder.write("e.md", "# e\n")
    try folder.write("taken", "")
    let spec = ["generate", "--spec", folder.path("e.md"), "--output"]
    #expect(await DualSendCommand.run(spec + [folder.path("taken") + "/"], on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.contains("cannot make the folder \(folder.path("taken"))/: "))
  }

  @Test("explains a word that it does not know")
  func usage() async {
    #expect(await run("--output", folder.path("E.swift"), "--access", "open") == .usage)
    #expect(recording.diagnostics.contains("`open` is not `public` or `internal`"))
  }
}
