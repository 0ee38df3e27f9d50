import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend validate`: reports every fault of the documents.
struct ValidateVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check documents before they are published.",
    discussion: """
      Checks rollout documents, remapping tables, specifications of events and normalisation files; their keys tell the \
      kind. Each is \(DocumentInput.forms). A folder stands for the .json files below it; the folder of a Markdown \
      specification, or one file of it, stands for the specification. One run reports every fault with its position. A \
      rollout is also proved: every unit has a sink, and every rule has an effect. The sinks that it names are listed with \
      their shares. For a table, the result says whether `dualsend remap --inverse` can undo it. `"allow": ["DS0112"]` in \
      a rule, an event or a row silences a warning there.
      With --events, which takes legacy events as `dualsend simulate` reads them, a warning is given for each rule that \
      matches none of the events, versions, platforms or attributes in the file: it may be misspelt.
      With --breaker, each rollout's result shows the share of units that an open breaker can return to the old logger, and \
      proves that none of them is left without a sink.
      Exit status 1 if there is an error (with --strict, a warning), 2 if a file cannot be read.
      """.examples(
        "dualsend validate rollout.json remapping.json",
        "dualsend validate tracking --strict --format github")
  )

  @Argument(help: ArgumentHelp("The documents.", valueName: "file|folder"))
  var files: [DocumentInput]
  @Option(help: ArgumentHelp("Legacy events that the rollout's rules should match.", valueName: "file"))
  var events: String?
  @OptionGroup var oldFormat: OldFormatOption
  @Flag(help: "Treat warnings as errors.")
  var strict = false
  @Flag(help: "Show the units that breakers on devices can return to the old logger.")
  var breaker = false
  @OptionGroup var output: FormatOption

  func validate() throws {
    try DocumentInput.checkStandardInput(
      files.count(where: \.isStandardInput) + (events == "-" ? 1 : 0))
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var audits: [DocumentAudit] = []
    var unreadable: [String] = []
    var findings: [DocumentDiagnostic] = []
    var breakers: [BreakerReaches] = []
    let traffic = try events.map { try TrafficSample(reading: $0, oldFormat, on: terminal, format: format) }
    var documents: [DocumentInput] = []
    for file in files {
      do { documents += try file.documentsBelow() ?? [file] } catch let error as CommandError {
        terminal.report(error)
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
        let bytes = try await file.bytes(on: terminal)
        let audit = DocumentAudit(of: bytes, name: file.name)
        audits.append(audit)
        findings += audit.findings
        if audit.kind == .rollout, let document = try? RolloutDocument(proving: bytes, name: file.name) {
          if let traffic { findings += UnseenRules.findings(in: document, bytes, name: file.name, traffic) }
          // If there are too many cases, the audit has said so.
          if breaker, let reaches = try? BreakerReaches(of: document, name: file.name) { breakers.append(reaches) }
        }
      } catch let error as CommandError {
        terminal.report(error)
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
      if breaker { members["breakers"] = .array(breakers.map(\.json)) }
      terminal.result(.object(members))
    } else {
      terminal.report(findings, format: format)
      for table in audits.compactMap(\.inversion) { terminal.result(table.text) }
      for sinks in audits.compactMap(\.sinks) { terminal.result(sinks.text) }
      for reaches in breakers { terminal.result(reaches.text) }
      var line = "\(audits.count.counted("document")): \(errors.counted("error")), \(warnings.counted("warning"))"
      if !unreadable.isEmpty { line += "; \(unreadable.count.counted("file")) could not be read" }
      terminal.result(line)
    }
    if !unreadable.isEmpty { return .couldNotRun }
    return errors > 0 || (strict && warnings > 0) || traffic?.isClean == false ? .findings : .clean
  }
}

// MARK: - Report

extension BreakerReach {
  /// One block: the units that breakers can return to the old logger.
  var text: String {
    guard !events.isEmpty else {
      return "breakers: the document gives nothing to the new side, so no device can step back"
    }
    let lines = events.map { events in
      var parts = ["up to \(events.steppingBack) can step back", "up to \(events.returning) have only the new tracker"]
      if !events.namedUnits.isEmpty { parts.append("\(events.namedUnits.count.counted("named unit")) can") }
      if events.withoutUnit { parts.append("events without a unit ID can") }
      return "    \(PlanWords.list(events.patterns)): " + parts.joined(separator: "; ")
    }
    let proof = leavesUnitsWithoutSink ? "units can be left without a sink" : "no unit is left without a sink"
    return (["breakers (shares of all units):"] + lines + ["    while a breaker is open, " + proof])
      .joined(separator: "\n")
  }

  var json: EventValue {
    [
      "events": .array(events.map(\.json)), "leavesUnitsWithoutSink": .bool(leavesUnitsWithoutSink),
    ]
  }
}

extension BreakerReach.Events {
  fileprivate var json: EventValue {
    [
      "patterns": .array(patterns.map { .string($0.description) }),
      "steppingBack": steppingBack.json, "returning": returning.json,
      "namedUnits": .array(namedUnits.map { .string($0) }), "withoutUnit": .bool(withoutUnit),
    ]
  }
}

/// The units that breakers can return to the old logger, before every schedule of a document and after each step that
/// changes them.
struct BreakerReaches {
  private let name: String
  private let phases: [(from: Int64?, reach: BreakerReach)]

  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  init(of document: RolloutDocument, name: String) throws(DocumentError) {
    self.name = name.hidingSecrets
    var phases: [(from: Int64?, reach: BreakerReach)] = []
    for time in document.provedTimes {
      let reach = try BreakerReach(of: document, at: time)
      if phases.last?.reach != reach { phases.append((time, reach)) }
    }
    self.phases = phases
  }

  var text: String {
    let blocks = phases.map { from, reach in
      (from.map { "from \(Timestamp.text(milliseconds: $0)) on, " } ?? "") + reach.text
    }
    return (["\(name.printable()):"] + blocks).joined(separator: "\n")
  }

  var json: EventValue {
    [
      "file": .string(name),
      "phases": .array(
        phases.map { from, reach in
          ["from": from.map { .string(Timestamp.text(milliseconds: $0)) } ?? .null, "reach": reach.json]
        }),
    ]
  }
}
