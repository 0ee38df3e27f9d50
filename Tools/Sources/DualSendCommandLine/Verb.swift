public import ArgumentParser

/// A command of `dualsend`.
///
/// A verb writes only to its console, so that tests run it without a process. It throws `DocumentError` for an invalid
/// document and ``CommandError`` for every other reason not to run; both end with ``CommandStatus/couldNotRun``.
public protocol Verb: ParsableCommand {
  /// The format of results and diagnostics; text unless the verb has a ``FormatOption``.
  var format: OutputFormat { get }

  /// The format of diagnostics and notes; that of the results by default.
  var diagnosticsFormat: OutputFormat { get }

  /// Runs the verb. Cancelling the task ends a verb that runs continuously.
  func run(on console: Console) async throws -> CommandStatus
}

extension Verb {
  /// Text.
  public var format: OutputFormat { .text }
  /// The format of the results.
  public var diagnosticsFormat: OutputFormat { format }
}

/// The exit status of a command.
public enum CommandStatus: Int32, Sendable, Hashable {
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
