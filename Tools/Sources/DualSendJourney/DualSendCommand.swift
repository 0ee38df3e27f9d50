package import ArgumentParser
import DualSendCommandLine
import DualSendCommands
import DualSendConsole
import DualSendSourceCommands

/// The root of the command line.
package struct DualSendCommand: CommandRoot {
  package static let configuration = CommandConfiguration(
    commandName: "dualsend",
    abstract: "Migrate an app from an old event logger to a new tracker without losing an event.",
    discussion: "Exit status: 0 clean, 1 findings, 2 could not run, 64 usage error, 130 and 143 ended by a signal.",
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(name: "Rollouts", subcommands: DualSendVerbs.rollouts),
      CommandGroup(name: "Tables", subcommands: DualSendVerbs.tables),
      CommandGroup(name: "Typed events", subcommands: DualSendVerbs.specifications),
      CommandGroup(name: "Parity", subcommands: DualSendVerbs.parity),
      CommandGroup(name: "Delivery", subcommands: DualSendVerbs.delivery),
      CommandGroup(name: "Sources", subcommands: SourceVerbs.all),
      CommandGroup(name: "The whole journey", subcommands: [consoleVerb, DemoVerb.self]),
    ]
  )

  package static let renamedVerbs = [
    "bucket": "explain --bucket", "coverage": "table coverage", "deadletters": "db letters", "doctor": "db check",
    "draft": "table draft", "keygen": "sign new", "salvage": "db salvage", "sql": "parity --shards",
    "trend": "parity --trend", "verify": "sign check",
  ]

  package init() {}
}
