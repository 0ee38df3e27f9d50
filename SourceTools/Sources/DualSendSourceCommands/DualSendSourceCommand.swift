public import ArgumentParser
public import DualSendCommandLine

/// The verbs of `dualsend` that read and change an app's sources.
public struct DualSendSourceCommand: CommandRoot {
  /// The name of the whole command, which passes these verbs on to this one.
  public static let configuration = CommandConfiguration(
    commandName: "dualsend",
    abstract: "Read an app's sources: what logs, and how it becomes something else.",
    discussion: "Exit status: 0 clean, 1 findings, 2 could not run, 64 wrong usage.",
    subcommands: [InventoryVerb.self, RewriteVerb.self])

  /// Called by the argument parser.
  public init() {}
}
