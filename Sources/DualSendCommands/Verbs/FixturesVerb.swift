import ArgumentParser
import Foundation

/// `dualsend fixtures`: the sample events, table and rollouts, made again.
struct FixturesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "fixtures",
    abstract: "Write the sample events, remapping table and rollout revisions.",
    discussion: "The same seed gives the same bytes everywhere."
  )

  @Option(help: ArgumentHelp("The folder to write to.", valueName: "folder"))
  var out = "Fixtures"

  @Option(help: ArgumentHelp("The seed of the events.", valueName: "number"))
  var seed = LegacyFixtures.defaultSeed

  @Flag(help: "Write nothing; name the files that differ, and exit with 1 if any does.")
  var check = false

  init() {}

  func run(on console: Console) async throws -> ExitStatus {
    let folder = URL(fileURLWithPath: out, isDirectory: true)
    let files = LegacyFixtures.files(seed: seed)
    guard check else {
      for file in files { try write(file.bytes, to: folder.appendingPathComponent(file.path)) }
      console.result("\(files.count) files written below \(out)")
      return .clean
    }
    let stale = files.filter { file in
      (try? Data(contentsOf: folder.appendingPathComponent(file.path))).map(Array.init) != file.bytes
    }
    for file in stale { console.result("\(out)/\(file.path) differs from what the seed gives") }
    if stale.isEmpty { console.result("\(files.count) files are as the seed gives them") }
    return stale.isEmpty ? .clean : .findings
  }

  private func write(_ bytes: [UInt8], to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file, options: .atomic)
  }
}
