public import ArgumentParser

/// One command of `dualsend`: options as `ArgumentParser` reads them, and what it does.
///
/// A verb writes results and diagnostics to the console it is given and to nothing else, so that a test runs it without
/// a process. It throws `DocumentError` for a document that is refused and ``CommandError`` for everything else that
/// keeps it from running; both end the command with ``CommandStatus/couldNotRun``.
public protocol Verb: ParsableCommand {
  /// The form of results and diagnostics; text unless the verb has a ``FormatOption``.
  var format: OutputFormat { get }

  /// The form of everything about the run; that of the results unless the verb has a form of its own for those.
  var diagnosticsFormat: OutputFormat { get }

  /// Does what the verb is for, to the end. Cancelling the task ends a verb that would run for ever.
  func run(on terminal: Terminal) async throws -> CommandStatus
}

extension Verb {
  /// Text.
  public var format: OutputFormat { .text }
  /// The form of the results.
  public var diagnosticsFormat: OutputFormat { format }
}
