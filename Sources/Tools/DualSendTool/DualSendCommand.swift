package import ArgumentParser
import DualSendCommandLine
import DualSendCommands
import DualSendConsole
import DualSendDelivery
import DualSendSource
import Foundation

/// The root of the command line.
package struct DualSendCommand: CommandRoot {
  package static let configuration = CommandConfiguration(
    commandName: "dualsend",
    abstract: "Migrate an app from an old event logger to a new tracker without losing an event.",
    discussion: "Exit status: 0 clean, 1 findings, 2 could not run, 64 usage error, 130 and 143 ended by a signal.",
    version: ToolVersion.text,
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

  package init() {}
}

// MARK: - Demo verb

/// `dualsend demo`: runs a whole migration with the files from Fixtures.
struct DemoVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: DemoRun.abstract, discussion: DemoRun.discussion)

  @OptionGroup var demo: DemoRun
  @Flag(help: "Start `dualsend console` and send it the events slowly.")
  var console = false
  @Option(help: ArgumentHelp("With --console: the port; 0 chooses a free one.", valueName: "number"))
  var port: UInt16 = 0
  @Option(help: ArgumentHelp("With --console: events per second.", valueName: "number"))
  var pace = 10.0

  var format: OutputFormat { demo.format }

  func validate() throws {
    guard pace >= 0.1, pace <= 10_000 else { throw ValidationError("--pace must be 0.1 to 10000 events per second") }
    if console, let conflict = demo.conflictWithConsole { throw ValidationError(conflict) }
    if !console, port != 0 { throw ValidationError("--port needs --console") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    guard console else { return try await demo.run(on: terminal) }
    return try await demo.withFolder { folder in
      let page = DemoConsole(
        fixtures: URL(fileURLWithPath: demo.fixtures), folder: folder, port: port, pace: pace, terminal: terminal)
      return try await show(page, on: terminal)
    }
  }

  /// Runs the console until it is interrupted.
  private func show(_ demo: DemoConsole, on terminal: Terminal) async throws -> CommandStatus {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await demo.run { terminal.result($0.absoluteString) } }
      group.addTask { await Interruption.wait() }
      defer { group.cancelAll() }
      try await group.next()
    }
    return .clean
  }
}
