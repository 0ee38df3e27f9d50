import ArgumentParser

/// `dualsend rewrite`: the two changes of an app's code.
struct RewriteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewrite",
    abstract: "Change an app's code at both ends of a migration: wrap the old logger, and finish with the new tracker.",
    subcommands: [WrapVerb.self, FinishVerb.self])
}
