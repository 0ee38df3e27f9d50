import ArgumentParser
import DualSendCommandLine
import DualSendDelivery
import Foundation

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
