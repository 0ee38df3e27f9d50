import ArgumentParser
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import Foundation

/// `dualsend fixtures`: generates the sample events, table and rollouts.
struct FixturesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "fixtures",
    abstract: "Write the sample events, remapping table and rollout revisions.",
    discussion: "The same seed gives the same bytes on every platform."
  )

  @Option(help: ArgumentHelp("The folder to write to.", valueName: "folder"))
  var out = "Fixtures"

  @Option(help: ArgumentHelp("The seed of the events.", valueName: "number"))
  var seed = LegacyFixtures.defaultSeed

  @Flag(help: "Write nothing; name the files that differ, and exit with status 1 if there are any.")
  var check = false

  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let folder = URL(fileURLWithPath: out, isDirectory: true)
    let files = LegacyFixtures.files(seed: seed)
    guard check else {
      for file in files { try write(file.bytes, to: folder.appendingPathComponent(file.path)) }
      print("written", files.map(\.path), on: terminal)
      return .clean
    }
    let stale = files.filter { file in
      (try? Data(contentsOf: folder.appendingPathComponent(file.path))).map(Array.init) != file.bytes
    }
    print("differ", stale.map(\.path), on: terminal)
    return stale.isEmpty ? .clean : .findings
  }

  private func print(_ verb: String, _ paths: [String], on terminal: Terminal) {
    if format == .json {
      terminal.result([verb: .array(paths.map { .string($0) })])
    } else {
      terminal.result((paths + ["\(paths.count.counted("file")) \(verb) below \(out)"]).joined(separator: "\n"))
    }
  }

  private func write(_ bytes: [UInt8], to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file, options: .atomic)
  }
}
