public import ArgumentParser
import DualSendCore
import Foundation

/// A command whose subcommands are verbs.
public protocol CommandRoot: ParsableCommand {
  /// Former names of verbs, and what to type instead.
  static var renamedVerbs: [String: String] { get }
}

extension CommandRoot {
  /// None.
  public static var renamedVerbs: [String: String] { [:] }

  /// Runs what the process was called with.
  public static func runProcess(on terminal: Terminal) async -> CommandStatus {
    do {
      return await run(try ProcessArguments.texts(), on: terminal)
    } catch {
      terminal.report(error)
      return .usage
    }
  }

  /// Reads the arguments, runs the verb they name and says how it ended; everything it writes goes to the console.
  public static func run(_ arguments: [String], on terminal: Terminal) async -> CommandStatus {
    if let verb = arguments.first(where: { $0 != "help" }), let new = renamedVerbs[verb] {
      terminal.usage("error: there is no verb `\(verb)`: did you mean `\(configuration.commandName ?? "") \(new)`?")
      return .usage
    }
    var command: any ParsableCommand
    do {
      command = try parseAsRoot(arguments)
      guard command is any Verb else {
        try command.run()
        return .clean
      }
    } catch {
      return answer(error, on: terminal)
    }
    guard let verb = command as? any Verb else { return .usage }
    let terminal = terminal.writing(verb.diagnosticsFormat)
    do {
      return try await verb.run(on: terminal)
    } catch let error as DocumentError {
      terminal.report(error.diagnostics)
    } catch {
      terminal.report(commandError(error))
    }
    return .couldNotRun
  }

  /// Help and version are results; a wrong command line is explained on the diagnostics' side.
  private static func answer(_ error: any Error, on terminal: Terminal) -> CommandStatus {
    let message = fullMessage(for: error)
    if exitCode(for: error).isSuccess {
      terminal.result(message)
      return .clean
    }
    terminal.usage(message)
    return .usage
  }

  private static func commandError(_ error: any Error) -> CommandError {
    if let error = error as? CommandError { return error }
    // The description of Foundation's errors is a dump of their fields.
    let isFoundations = error is any CustomNSError || error is any LocalizedError
    return CommandError(isFoundations ? error.localizedDescription : String(describing: error))
  }
}
