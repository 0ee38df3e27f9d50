import ArgumentParser
import DualSendCommandLine
import DualSendConformance
import Foundation

/// `dualsend conformance`: the conformance suite against any program.
struct ConformanceVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Run the conformance suite against any program that answers a line of JSON for each line it reads.",
    usage: "dualsend conformance <suite> --command <command> [--timeout <seconds>] [--format <format>]",
    discussion: """
      The suite is the folder Fixtures/conformance of DualSend, whose README describes questions and answers. For \
      each case the program gets one line, and has to write and flush one line:

        dualsend conformance Fixtures/conformance --command "python3 Fixtures/conformance/evaluator.py"

      A program may answer {"id": …, "skipped": "why"}; such cases are counted and are not wrong.

      Exit status 1 if an answer is wrong or missing.
      """
  )

  @Argument(help: ArgumentHelp("The folder of the suite.", valueName: "suite"))
  var suite: String
  @Option(help: ArgumentHelp("The program, as a shell reads it.", valueName: "command"))
  var command: String
  @Option(help: ArgumentHelp("How long to wait for each answer.", valueName: "seconds"))
  var timeout: Double = 10
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout is above 0 and at most 3600 seconds") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let suite = try ConformanceSuite(URL(fileURLWithPath: suite))
    let running = Task.detached { [command, timeout] in
      try Self.report(suite, command, timeout: .seconds(timeout))
    }
    let signals = Task {
      let signal = await Interruption.wait()
      if signal != nil { running.cancel() }
      return signal
    }
    defer { signals.cancel() }
    let report = try await running.value
    if running.isCancelled { return await signals.value == SIGTERM ? .terminated : .interrupted }
    if format == .json { console.result(report.json) } else { console.result(report.text) }
    return report.faults.isEmpty ? .clean : .findings
  }

  /// Asks every question, until the program does not answer one.
  private static func report(
    _ suite: ConformanceSuite, _ command: String, timeout: Duration
  ) throws -> ConformanceReport {
    // A program that has ended must not end this one.
    let formerHandler = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, formerHandler) }
    let evaluator = try EvaluatorProcess(command, timeout: timeout)
    defer { evaluator.end() }
    var report = ConformanceReport()
    for example in suite.cases where !Task.isCancelled {
      do {
        report.add(try evaluator.answer(to: example.line), to: example)
      } catch {
        if report.answered == 0, case .ended(let status) = error {
          throw CommandError("`\(command)` ended with status \(status) before it answered")
        }
        report.add([error.words + "; the questions after this one were not asked"], to: example)
        return report
      }
    }
    return report
  }
}

extension EvaluatorProcess.Silence {
  fileprivate var words: String {
    switch self {
    case .timeout: "no answer in time"
    case .ended(let status): "the program ended with status \(status)"
    case .endlessLine: "the answer is longer than 1 MB"
    }
  }
}
