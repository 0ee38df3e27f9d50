import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// `dualsend validate`: everything that is wrong with the documents that people edit.
struct ValidateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check the documents that people edit before anybody else reads them.",
    discussion: """
      Rollout documents, remapping tables, specifications of events and normalisation files are told apart by their \
      keys. Each is \(DocumentInput.forms). A specification in Markdown is its folder, \
      or one file of it; of a folder every .json file below it is checked as well. Every fault is named in one run, with its place. A rollout is proved as well: \
      nobody is without a sink, and every rule decides something; the sinks that it names are listed with their shares. \
      For a table it is said whether `dualsend remap --inverse` can \
      undo it. `"allow": ["DS0112"]` in a rule, an event or a row silences a warning there on purpose.

      With --events, legacy events as `dualsend simulate` reads them, a rollout's rules that match none of the events, \
      versions, platforms or attributes in the file are warnings: they may be misspelt.

      Exit status 1 if there is an error (with --strict, a warning), 2 if a file cannot be read.
      """
  )

  @Argument(help: ArgumentHelp("The documents.", valueName: "file|folder"))
  var files: [DocumentInput]
  @Option(help: ArgumentHelp("Legacy events that a rollout's rules should match.", valueName: "file"))
  var events: String?
  @Flag(help: "Let warnings fail too.")
  var strict = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    try DocumentInput.checkStandardInput(
      files.count(where: \.isStandardInput) + (events == "-" ? 1 : 0))
  }

  func run(on console: Console) async throws -> CommandStatus {
    var audits: [DocumentAudit] = []
    var unreadable: [String] = []
    var findings: [DocumentDiagnostic] = []
    let traffic = try events.map { try TrafficSample(reading: $0, on: console, format: format) }
    var documents: [DocumentInput] = []
    for file in files {
      do { documents += try file.documentsBelow() ?? [file] } catch let error as CommandError {
        console.report(error)
        unreadable.append(file.name)
      }
    }
    for file in documents {
      do {
        if let path = file.path, let audit = try DocumentAudit(ofMarkdownAt: path) {
          audits.append(audit)
          findings += audit.findings
          continue
        }
        let bytes = try await file.bytes(on: console)
        let audit = DocumentAudit(of: bytes, name: file.name)
        audits.append(audit)
        findings += audit.findings
        if let traffic, audit.kind == .rollout, let document = try? RolloutDocument(reading: bytes, name: file.name) {
          findings += UnseenRules.findings(in: document, bytes, name: file.name, traffic)
        }
      } catch let error as CommandError {
        console.report(error)
        unreadable.append(file.name)
      }
    }
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count - errors
    if format == .json {
      var members: [String: EventValue] = [
        "tables": .array(audits.compactMap(\.inversion).map(\.json)),
        "documents": .int(Int64(audits.count)), "errors": .int(Int64(errors)), "warnings": .int(Int64(warnings)),
        "findings": DiagnosticRenderer.value(findings), "unreadable": .array(unreadable.map { .string($0) }),
      ]
      let sinks = audits.compactMap(\.sinks)
      if !sinks.isEmpty { members["sinks"] = .array(sinks.map(\.json)) }
      console.result(.object(members))
    } else {
      console.report(findings, format: format)
      for table in audits.compactMap(\.inversion) { console.result(table.text) }
      for sinks in audits.compactMap(\.sinks) { console.result(sinks.text) }
      var line = "\(audits.count.counted("document")): \(errors.counted("error")), \(warnings.counted("warning"))"
      if !unreadable.isEmpty { line += "; \(unreadable.count.counted("file")) could not be read" }
      console.result(line)
    }
    if !unreadable.isEmpty { return .couldNotRun }
    return errors > 0 || (strict && warnings > 0) ? .findings : .clean
  }
}
