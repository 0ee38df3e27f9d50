package import ArgumentParser
@_spi(Tools) import DualSendCore
import Foundation

/// The root of the command line.
package struct DualSendCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "dualsend",
    abstract: "Take an app from an old event logger to a new tracker without losing an event.",
    discussion: "Exit status: 0 clean, 1 findings, 2 could not run, 64 wrong usage.",
    version: "0.1.0",
    subcommands: [
      ValidateVerb.self, ExplainVerb.self, PlanVerb.self, RollbackVerb.self, WatchVerb.self, SimulateVerb.self,
      BucketVerb.self, SchemaVerb.self, GenerateVerb.self, SpecifyVerb.self, DraftVerb.self, TableVerb.self,
      RemapVerb.self, CoverageVerb.self, ParityVerb.self, SQLVerb.self, GoldenVerb.self, ReplayVerb.self,
      CollectorVerb.self, ConsoleVerb.self,
      FixturesVerb.self, DemoVerb.self, DoctorVerb.self, DeadLettersVerb.self, SalvageVerb.self, KeygenVerb.self,
      SignVerb.self, VerifyVerb.self,
    ]
  )

  package init() {}

  /// Runs what the process was called with.
  package static func runProcess(on console: Console) async -> CommandStatus {
    do {
      return await run(try ProcessArguments.texts(), on: console)
    } catch {
      console.report(error)
      return .usage
    }
  }

  /// Reads the arguments, runs the verb they name and says how it ended; everything it writes goes to the console.
  package static func run(_ arguments: [String], on console: Console) async -> CommandStatus {
    var command: any ParsableCommand
    do {
      command = try parseAsRoot(arguments)
      guard command is any Verb else {
        try command.run()
        return .clean
      }
    } catch {
      return answer(error, on: console)
    }
    guard let verb = command as? any Verb else { return .usage }
    let console = console.writing(verb.diagnosticsFormat)
    do {
      return try await verb.run(on: console)
    } catch let error as DocumentError {
      console.report(error.diagnostics)
    } catch {
      console.report(commandError(error))
    }
    return .couldNotRun
  }

  /// Help and version are results; a wrong command line is explained on the diagnostics' side.
  private static func answer(_ error: any Error, on console: Console) -> CommandStatus {
    let message = fullMessage(for: error)
    if exitCode(for: error).isSuccess {
      console.result(message)
      return .clean
    }
    console.usage(message)
    return .usage
  }

  private static func commandError(_ error: any Error) -> CommandError {
    if let error = error as? CommandError { return error }
    // Foundation's own errors describe themselves as a dump of their fields.
    let isFoundations = error is any CustomNSError || error is any LocalizedError
    return CommandError(isFoundations ? error.localizedDescription : String(describing: error))
  }
}
