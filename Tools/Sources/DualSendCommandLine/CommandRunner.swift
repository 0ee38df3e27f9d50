public import ArgumentParser
import DualSendCore
import Foundation

/// A command whose subcommands are verbs.
public protocol CommandRoot: ParsableCommand {}

extension CommandRoot {
  /// Runs the command with the process's arguments.
  public static func runProcess(on console: Console) async -> CommandStatus {
    do {
      return await run(try ProcessArguments.texts(), on: console)
    } catch {
      console.report(error)
      return .usage
    }
  }

  /// Parses the arguments, runs the verb and returns its status. All output goes to the console.
  public static func run(_ arguments: [String], on console: Console) async -> CommandStatus {
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

  /// Writes help and version as results, and usage errors as diagnostics.
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
    // The description of Foundation's errors is a dump of their fields.
    let isFoundations = error is any CustomNSError || error is any LocalizedError
    return CommandError(isFoundations ? error.localizedDescription : String(describing: error))
  }
}
