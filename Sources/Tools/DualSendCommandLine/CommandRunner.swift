package import ArgumentParser
package import DualSendCore
import Foundation

/// A command whose subcommands are verbs.
package protocol CommandRoot: ParsableCommand {}

extension CommandRoot {
  /// Runs what the process was called with.
  package static func runProcess(on terminal: Terminal) async -> CommandStatus {
    do {
      return await run(try ProcessArguments.texts(), on: terminal)
    } catch {
      terminal.report(error)
      return .usage
    }
  }

  /// Reads the arguments, runs the verb they name and says how it ended; everything it writes goes to the console.
  ///
  /// Ends with ``CommandStatus/couldNotRun`` if a result could not be written, whatever the verb says.
  package static func run(_ arguments: [String], on terminal: Terminal) async -> CommandStatus {
    let status = await runVerb(arguments, on: terminal)
    guard let failure = terminal.results.failure() else { return status }
    terminal.report(CommandError("cannot write the results: \(failure)", help: "is the disk full?"))
    return .couldNotRun
  }

  /// The verb that arguments name, such as `db check`, and the word after it in the place of a verb that there is not,
  /// with those that there are.
  private static func verb(in arguments: [String]) -> (name: String, unknown: (word: String, known: [String])?) {
    var command: any ParsableCommand.Type = Self.self
    var name: [String] = []
    let isHelp = arguments.first == "help"
    for word in arguments.dropFirst(isHelp ? 1 : 0) {
      let verbs = command.verbs
      if let next = verbs.first(where: { $0.configuration.commandName == word }) {
        command = next
        name.append(word)
        continue
      }
      let needsVerb = !verbs.isEmpty && (isHelp || command.configuration.defaultSubcommand == nil)
      guard needsVerb, !word.hasPrefix("-") else { break }
      return (name.joined(separator: " "), (word, verbs.compactMap { $0.configuration.commandName }))
    }
    return (name.joined(separator: " "), nil)
  }

  private static func runVerb(_ arguments: [String], on terminal: Terminal) async -> CommandStatus {
    let verb = verb(in: arguments)
    if let (word, known) = verb.unknown {
      let prefix = verb.name.isEmpty ? "" : verb.name + " "
      let way =
        nearestWord(to: word, among: known).map { "did you mean `\(prefix)\($0)`?" }
        ?? known.sorted().joined(separator: ", ")
      terminal.usage("error: there is no verb `\(prefix)\(word)`: \(way)")
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

extension ParsableCommand {
  /// The commands below this one, in groups or not.
  package static var verbs: [any ParsableCommand.Type] {
    configuration.subcommands
  }
}

extension String {
  /// The text of a verb's help, followed by commands to try.
  package func examples(_ commands: String...) -> String {
    self + "\n\nEXAMPLES:\n" + commands.map { "  " + $0 }.joined(separator: "\n")
  }
}

// MARK: - Process arguments

/// The arguments of the process.
package enum ProcessArguments {
  /// The arguments after the command's name.
  ///
  /// - Throws: ``CommandError`` for the first argument that is not UTF-8. Swift's own list repairs such bytes, which
  ///   could name another file or unit.
  package static func texts() throws(CommandError) -> [String] {
    let all = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return try texts(of: all.dropFirst().compactMap { argument in argument.map { bytes(UnsafePointer($0)) } })
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    var count = 0
    while text[count] != 0 { count += 1 }
    return (0..<count).map { UInt8(bitPattern: text[$0]) }
  }

  /// Decodes arguments.
  package static func texts(of arguments: [[UInt8]]) throws(CommandError) -> [String] {
    var texts: [String] = []
    for (index, bytes) in arguments.enumerated() {
      guard let text = String(utf8: bytes) else {
        throw CommandError(
          "argument \(index + 1) is not UTF-8", help: "is the file's name, or the terminal, in another encoding?")
      }
      texts.append(text)
    }
    return texts
  }
}

// MARK: - Verb

/// A command of `dualsend`.
///
/// A verb writes only to its console, so that tests run it without a process. It throws `DocumentError` for an invalid
/// document and ``CommandError`` for every other reason not to run; both end with ``CommandStatus/couldNotRun``.
package protocol Verb: ParsableCommand {
  /// The format of results and diagnostics; text unless the verb has a ``FormatOption``.
  var format: OutputFormat { get }

  /// The format of diagnostics and notes; that of the results by default.
  var diagnosticsFormat: OutputFormat { get }

  /// Does what the verb is for, to the end. Cancelling the task ends a verb that would run for ever.
  func run(on terminal: Terminal) async throws -> CommandStatus
}

extension Verb {
  /// Text.
  package var format: OutputFormat { .text }
  /// The format of the results.
  package var diagnosticsFormat: OutputFormat { format }
}

/// The exit status of a command.
package enum CommandStatus: Int32, Sendable, Hashable {
  /// Success without findings.
  case clean = 0
  /// Success with findings.
  case findings = 1
  /// The command could not run, for example because of an invalid document or a missing file.
  case couldNotRun = 2
  /// The command line is invalid (`EX_USAGE` of sysexits.h).
  case usage = 64
  /// Ended by SIGINT (128 + 2).
  case interrupted = 130
  /// Ended by SIGTERM (128 + 15).
  case terminated = 143
}

// MARK: - Command error

/// Why a command could not run, other than an invalid document. The texts are escaped for printing.
package struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One factual line.
  package let message: String
  /// How to fix it.
  package let help: String?

  /// Creates an error for what could not be read, unless the cause says that itself.
  package init(reading name: String, _ cause: any Error) {
    self = cause as? CommandError ?? CommandError("cannot read \(name): \(cause.localizedDescription)")
  }

  /// Creates an error, and escapes the texts.
  package init(_ message: String, help: String? = nil) {
    let finding = DocumentDiagnostic(.error, .couldNotRun, message, help: help)
    (self.message, self.help) = (finding.message, finding.help)
  }

  /// `error:` and the message, then the help.
  package var description: String {
    "error: " + message + (help.map { "\n   = help: " + $0 } ?? "")
  }

  /// The error as a diagnostic, for JSON and workflows.
  package var finding: DocumentDiagnostic {
    DocumentDiagnostic(.error, .couldNotRun, message, help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// A command could not run, other than for an invalid document.
  package static let couldNotRun = DocumentDiagnostic.Code(rawValue: "DS0400")
}
