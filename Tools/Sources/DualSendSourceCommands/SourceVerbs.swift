package import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRewriting
import DualSendSource

/// The verbs that read and change an app's sources.
package enum SourceVerbs {
  package static let all: [any ParsableCommand.Type] = [InventoryVerb.self, RewriteVerb.self]
}

// MARK: - Rewrite verb

/// `dualsend rewrite`: the two changes of an app's code.
struct RewriteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewrite",
    abstract: "Change an app's code at both ends of a migration: wrap the old logger, and finish with the new tracker.",
    subcommands: [WrapVerb.self, FinishVerb.self])
}

// MARK: - Wrap verb

/// `dualsend rewrite wrap`: wraps the old logger at every place that creates it.
struct WrapVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "wrap",
    abstract: "Put a function around every place where the old logger is made, so that a DualSendTracker stands there.",
    discussion: """
      Prints a unified diff; --write changes the files as well. Everything else stays byte for byte.

        dualsend rewrite wrap --logger EventLogger --with 'Telemetry.dualSend(wrapping:)' Sources

      turns EventLogger(url) into Telemetry.dualSend(wrapping: EventLogger(url)). The function is the app's own: it makes \
      the DualSendTracker, of which an app needs one. A place that is wrapped already is left alone; a shared logger in \
      its own type (static let shared = EventLogger()) is wrapped, too. Folders of tests are not read.

      Warns where a variable is declared as of the logger's type, so that nothing else can stand there (DS1304), and where \
      the logger itself leaves events out, such as by a check of consent (DS1303): the tracker does not ask.

      Exit status 1 if the logger is made nowhere, a variable must have another type first, or a file that names it is not Swift and was \
      passed over.
      """
  )

  @OptionGroup var sources: SourceInput
  @Option(help: ArgumentHelp("The old logger's type.", valueName: "type"))
  var logger: String
  @Option(help: ArgumentHelp("The function that takes it, with its label.", valueName: "function"))
  var with: String
  @Flag(help: "Change the files.")
  var write = false

  init() {}

  func validate() throws {
    if WrappingFunction(with) == nil {
      throw ValidationError(
        "--with is a function of one argument with its label, such as 'Telemetry.dualSend(wrapping:)'")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    guard let function = WrappingFunction(with) else { return .usage }
    let texts = try sources.texts().kept()
    let wrap = LoggerWrap(texts, type: logger, function: function, threads: sources.threadCount)
    terminal.report(
      wrap.skipped.map(\.finding) + wrap.typed.map { .typedLogger(logger, $0.file, $0.line) }
        + LoggerDecision.found(in: texts, of: logger).map(\.finding))
    try ChangedFiles(wrap.changed, before: texts).show(on: terminal, write: write)
    guard wrap.count > 0 else {
      terminal.note("note: `\(logger)` is made nowhere in \(texts.paths.count.counted("file")), or is wrapped already")
      return .findings
    }
    terminal.note("\(wrap.count.counted("place")) \(write ? "changed" : "to change; --write does it")")
    return wrap.skipped.isEmpty && wrap.typed.isEmpty ? .clean : .findings
  }
}
