import ArgumentParser

/// `dualsend golden`: golden files for teams whose CI runs no Swift tests.
struct GoldenVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden",
    abstract: "Keep what becomes of each event in files, and notice when it changes.",
    subcommands: [GoldenRecordVerb.self, GoldenVerifyVerb.self]
  )

  init() {}
}
