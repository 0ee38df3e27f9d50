import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// `dualsend simulate`: decides recorded events by a rollout.
struct SimulateVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Decide the events of a file by a rollout, and count the outcomes beside the exact expectation.",
    discussion: """
      Each line of the events file is {"name":…, "parameters":{…}, "unitID":…, "time":…}. Nothing is sent. "appVersion", \
      "platform" and "attributes" of a line override the options.
      The document is \(DocumentInput.forms); the events are a file, or - for standard input.
      The expectation is the share of all possible units, computed from the rules for each event. The counted shares depend \
      on the units in the file.
      A warning is given for each rule that names events, versions, platforms or attributes that no line has: they may be \
      misspelt.
      Recorded lines may carry their app's decision as "decision" or as the parameter "dual_send". The output then counts \
      the events for which the document decides otherwise.
      Exit status 1 if lines were malformed.
      """.examples("dualsend simulate rollout.json --events old.jsonl")
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: DocumentInput
  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @OptionGroup var oldFormat: OldFormatOption
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  func validate() throws {
    try DocumentInput.checkStandardInput([events == "-", rollout.isStandardInput].count { $0 })
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let bytes = try await rollout.bytes(on: terminal)
    let document = try RolloutDocument(proving: bytes, name: rollout.name)
    terminal.report(document.warnings, format: format)
    var simulation = Simulation(RolloutSnapshot(document, at: context.moment.milliseconds))
    var lines = try LegacyLines(events, oldFormat, input: terminal.input)
    var traffic = TrafficSample()
    let known = context.context(unitID: nil)
    var unreadable: (count: Int, first: String)?
    try lines.forEach("simulate", on: terminal) { line in
      let context = line.context(besides: known)
      simulation.add(line.event.name, context: context, decision: line.decision)
      traffic.add(line.event.name, context: context)
      if let version = line.unreadableVersion {
        unreadable = ((unreadable?.count ?? 0) + 1, unreadable?.first ?? version)
      }
    }
    if format == .json {
      terminal.result(simulation.json)
    } else {
      terminal.result(simulation.text(columns: terminal.results.columns))
    }
    terminal.report(UnseenRules.findings(in: document, bytes, name: rollout.name, traffic), format: format)
    if let (count, first) = unreadable {
      terminal.note(
        "note: \(count.counted("event")) with an app version that does not begin with a number, such as "
          + "`\(first.printable(limit: 40))`; to apps it is unknown too")
    }
    lines.reportMalformed(on: terminal, format: format)
    return lines.isClean ? .clean : .findings
  }
}
