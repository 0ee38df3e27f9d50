import ArgumentParser
@_spi(Tools) import DualSendCore

/// `dualsend validate`: everything that is wrong with the documents that people edit.
struct ValidateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check the documents that people edit before anybody else reads them.",
    discussion: """
      Rollout documents, remapping tables and normalisation files are told apart by their keys. Every fault is named in one run, with its place. A rollout is proved as \
      well: nobody is without a sink, and every rule decides something.

      Exit status 1 if there is an error (with --strict, a warning), 2 if a file cannot be read.
      """
  )

  @Argument(help: ArgumentHelp("The documents.", valueName: "file"))
  var files: [String]
  @Flag(help: "Let warnings fail too.")
  var strict = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    var audits: [DocumentAudit] = []
    var unreadable: [String] = []
    for file in files {
      do {
        audits.append(DocumentAudit(of: try InputFile.bytes(file), name: file))
      } catch let error as CommandError {
        console.report(error)
        unreadable.append(file)
      }
    }
    let findings = audits.flatMap(\.findings)
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count - errors
    if format == .json {
      console.result([
        "documents": .int(Int64(audits.count)), "errors": .int(Int64(errors)), "warnings": .int(Int64(warnings)),
        "findings": DiagnosticRenderer.value(findings), "unreadable": .array(unreadable.map { .string($0) }),
      ])
    } else {
      console.report(findings, format: format)
      var line = "\(audits.count.counted("document")): \(errors.counted("error")), \(warnings.counted("warning"))"
      if !unreadable.isEmpty { line += "; \(unreadable.count.counted("file")) could not be read" }
      console.result(line)
    }
    if !unreadable.isEmpty { return .couldNotRun }
    return errors > 0 || (strict && warnings > 0) ? .findings : .clean
  }
}
