import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRewriting
import DualSendSource

/// `dualsend rewrite wrap`: something that takes the old logger's place, wherever that is made.
struct WrapVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "wrap",
    abstract: "Put a function around every place where the old logger is made, so that a DualSendTracker stands there.",
    discussion: """
      Prints a unified diff; --write changes the files as well. Everything else stays byte for byte.

        dualsend rewrite wrap --logger EventLogger --with 'Telemetry.dualSend(wrapping:)' Sources

      turns EventLogger(url) into Telemetry.dualSend(wrapping: EventLogger(url)). The function is the app's own: it makes \
      the DualSendTracker, of which an app needs one. A place that is wrapped already is left alone.

      Exit status 1 if the logger is made nowhere, or a file that names it is not Swift and was passed over.
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
    terminal.report(wrap.skipped.map(\.finding))
    try ChangedFiles(wrap.changed, before: texts).show(on: terminal, write: write)
    guard wrap.count > 0 else {
      terminal.note("note: `\(logger)` is made nowhere in \(texts.paths.count.counted("file")), or is wrapped already")
      return .findings
    }
    terminal.note("\(wrap.count.counted("place")) \(write ? "changed" : "to change; --write does it")")
    return wrap.skipped.isEmpty ? .clean : .findings
  }
}
