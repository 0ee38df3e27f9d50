package import ArgumentParser

/// The verbs that read and change an app's sources.
package enum SourceVerbs {
  package static let all: [any ParsableCommand.Type] = [InventoryVerb.self, RewriteVerb.self]
}

// MARK: - Rewrite verb

/// `dualsend rewrite`: the change of an app's code at the end of a migration.
struct RewriteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewrite",
    abstract: "Change an app's code at the end of a migration: the new tracker in place of the old logger.",
    subcommands: [FinishVerb.self])
}
